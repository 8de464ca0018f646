/** Computes how a message is displayed after the previous one: a new day, a pause, the same author. */
import { dayOf } from '../shared/moments.ts'
import type { Message } from '../shared/shapes.ts'

export interface Row {
  readonly said: Message
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
const groupWithinMs = 3 * 60_000
/** Milliseconds without a message after which the time is shown. */
const longPauseMs = 20 * 60_000

const moments = new WeakMap<Message, { readonly at: Date; readonly day: string }>()

const getMoment = (message: Message) => {
  const known = moments.get(message)
  if (known) return known
  const at = new Date(message.time)
  const moment = { at, day: dayOf(at) }
  moments.set(message, moment)
  return moment
}

/** Caches rows by message and previous message, because a new message changes few of possibly thousands. */
const rowCache = new WeakMap<Message, { readonly before: Message | undefined; readonly row: Row }>()

/** Returns the rows. `said` must be in order of the journal. */
export const rowsOf = (messages: readonly Message[]): readonly Row[] => {
  const last = new Map<number, number>()
  for (const { turn, id } of messages) if (turn !== null) last.set(turn, id)
  return messages.map((message, n) => {
    const before = messages[n - 1]
    const endsTurn = message.turn !== null && last.get(message.turn) === message.id
    const known = rowCache.get(message)
    if (known && known.before === before && known.row.endsTurn === endsTurn) return known.row
    const row = toRow(message, before, endsTurn)
    rowCache.set(message, { before, row })
    return row
  })
}

const toRow = (said: Message, before: Message | undefined, endsTurn: boolean): Row => {
  const { at, day } = getMoment(said)
  const previous = before && getMoment(before)
  const pauseMs = previous ? Math.abs(at.getTime() - previous.at.getTime()) : Number.POSITIVE_INFINITY
  const sameDay = previous?.day === day
  return {
    said,
    at,
    endsTurn,
    day: day !== '' && !sameDay,
    pause: day !== '' && pauseMs >= longPauseMs,
    follows:
      sameDay && pauseMs < groupWithinMs && before?.role === said.role && before.channel === said.channel,
    elsewhere: (said.channel ?? 'web') !== (before?.channel ?? 'web'),
  }
}

/** Merges new messages into the known ones. A file that arrives after its text is added to its message. */
export const joined = (known: readonly Message[], added: readonly Message[]): readonly Message[] => {
  const first = known[0]?.id ?? Number.POSITIVE_INFINITY
  if (added.every(({ id }, n) => id < first && id > (added[n - 1]?.id ?? 0))) return [...added, ...known]
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of added) {
    const first = byId.get(message.id)
    byId.set(message.id, first ? { ...message, content: first.content || message.content } : message)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
