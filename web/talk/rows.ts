/** Computes how a message is displayed after the previous one: a new day, a pause, the same author. */
import { dayOf } from '../shared/moments.ts'
import type { Said } from '../shared/shapes.ts'

export interface Row {
  readonly said: Said
  readonly at: Date
  /** The first message of a day. */
  readonly day: boolean
  /** There was a long pause before it. */
  readonly pause: boolean
  /** The previous message is recent and has the same author. */
  readonly follows: boolean
  /** It came over another channel than the previous message. */
  readonly elsewhere: boolean
  /** The last message of its turn. */
  readonly endsTurn: boolean
}

/** Milliseconds within which messages of the same author are grouped. */
const oneBreath = 3 * 60_000
/** Milliseconds without a message after which the time is shown. */
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

/** Caches rows by message and previous message, because a new message changes few of possibly thousands. */
const drawn = new WeakMap<Said, { readonly before: Said | undefined; readonly row: Row }>()

/** Returns the rows. `said` must be in order of the journal. */
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

/** Merges new messages into the known ones. A file that arrives after its text is added to its message. */
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
