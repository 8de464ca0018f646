/** What each message looks like beside its neighbours: a day that begins, a pause, a voice that goes on. */
import { dayOf } from '../shared/moments.ts'
import type { Said } from '../shared/shapes.ts'

export interface Row {
  readonly said: Said
  readonly at: Date
  /** A day begins with it. */
  readonly day: boolean
  /** It was quiet before it for a while. */
  readonly pause: boolean
  /** The same voice has just spoken. */
  readonly follows: boolean
  /** It came another way than the one before. */
  readonly elsewhere: boolean
  /** The last that was said in its turn. */
  readonly endsTurn: boolean
}

/** Words of one voice within this time stand close together. Milliseconds. */
const oneBreath = 3 * 60_000
/** Without a word for so long, the time is said. */
const quiet = 20 * 60_000

const moments = new WeakMap<Said, { readonly at: Date; readonly day: string }>()

const momentOf = (said: Said) => {
  const known = moments.get(said)
  if (known) return known
  const at = new Date(said.time)
  const moment = { at, day: dayOf(at) }
  moments.set(said, moment)
  return moment
}

/** What a message looked like, and after which: most of ten thousand stay as they are when one is added. */
const drawn = new WeakMap<Said, { readonly before: Said | undefined; readonly row: Row }>()

/** `said` in order of the journal. */
export const rowsOf = (said: readonly Said[]): readonly Row[] => {
  const last = new Map<number, number>()
  for (const { turn, id } of said) if (turn !== null) last.set(turn, id)
  return said.map((one, n) => {
    const before = said[n - 1]
    const endsTurn = one.turn !== null && last.get(one.turn) === one.id
    const known = drawn.get(one)
    if (known && known.before === before && known.row.endsTurn === endsTurn) return known.row
    const row = rowOf(one, before, endsTurn)
    drawn.set(one, { before, row })
    return row
  })
}

const rowOf = (said: Said, before: Said | undefined, endsTurn: boolean): Row => {
  const { at, day } = momentOf(said)
  const then = before && momentOf(before)
  const since = then ? Math.abs(at.getTime() - then.at.getTime()) : Number.POSITIVE_INFINITY
  const sameDay = then?.day === day
  return {
    ...{ said, at, endsTurn },
    day: day !== '' && !sameDay,
    pause: day !== '' && since >= quiet,
    follows: sameDay && since < oneBreath && before?.role === said.role && before.channel === said.channel,
    elsewhere: (said.channel ?? 'web') !== (before?.channel ?? 'web'),
  }
}

/** Puts what is new among what is known; a file that comes after its words joins them. */
export const joined = (known: readonly Said[], added: readonly Said[]): readonly Said[] => {
  const first = known[0]?.id ?? Number.POSITIVE_INFINITY
  if (added.every(({ id }, n) => id < first && id > (added[n - 1]?.id ?? 0))) return [...added, ...known]
  const byId = new Map(known.map((one) => [one.id, one]))
  for (const one of added) {
    const first = byId.get(one.id)
    byId.set(one.id, first ? { ...one, content: first.content || one.content } : one)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
