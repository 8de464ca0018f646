/** Computes how a message is displayed after the previous one: a new day, a pause, the same author. */
import { toDay } from '../shared/moments.ts'
import type { Message } from '../shared/shapes.ts'

export interface Row {
  readonly message: Message
  readonly at: Date
  /** The first message of a day. */
  readonly day: boolean
  /** There was a long pause before it. */
  readonly pause: boolean
  /** The previous message is recent and has the same author. */
  readonly follows: boolean
  /** It came over another channel than the previous message. */
  readonly isElsewhere: boolean
  /** The last message of its turn. */
  readonly endsTurn: boolean
}

/** Milliseconds within which messages of the same author are grouped. */
const groupWithinMs = 3 * 60_000
/** Milliseconds without a message after which the time is shown. */
const longPauseMs = 20 * 60_000

const moments = new WeakMap<Message, { readonly at: Date; readonly day: string }>()

const getMoment = (message: Message) => {
  const cached = moments.get(message)
  if (cached) return cached
  const date = new Date(message.time)
  const moment = { at: date, day: toDay(date) }
  moments.set(message, moment)
  return moment
}

/** Caches rows by message and previous message, because a new message changes few of possibly thousands. */
const rowCache = new WeakMap<Message, { readonly previousMessage: Message | undefined; readonly row: Row }>()

/** Returns the rows. `said` must be in order of the journal. */
export const toRows = (messages: readonly Message[]): readonly Row[] => {
  const last = new Map<number, number>()
  for (const { turn, id } of messages) if (turn !== null) last.set(turn, id)
  return messages.map((message, n) => {
    const previousMessage = messages[n - 1]
    const endsTurn = message.turn !== null && last.get(message.turn) === message.id
    const cached = rowCache.get(message)
    if (cached && cached.previousMessage === previousMessage && cached.row.endsTurn === endsTurn)
      return cached.row
    const row = toRow(message, previousMessage, endsTurn)
    rowCache.set(message, { previousMessage, row })
    return row
  })
}

const toRow = (message: Message, previousMessage: Message | undefined, endsTurn: boolean): Row => {
  const { at, day } = getMoment(message)
  const previous = previousMessage && getMoment(previousMessage)
  const pauseMs = previous ? Math.abs(at.getTime() - previous.at.getTime()) : Number.POSITIVE_INFINITY
  const sameDay = previous?.day === day
  return {
    message,
    at,
    endsTurn,
    day: day !== '' && !sameDay,
    pause: day !== '' && pauseMs >= longPauseMs,
    follows:
      sameDay &&
      pauseMs < groupWithinMs &&
      previousMessage?.role === message.role &&
      previousMessage.notice === message.notice &&
      previousMessage.channel === message.channel,
    isElsewhere: (message.channel ?? 'web') !== (previousMessage?.channel ?? 'web'),
  }
}

/** Merges new messages into the known ones. A file that arrives after its text is added to its message. */
export const joined = (cached: readonly Message[], newMessages: readonly Message[]): readonly Message[] => {
  const first = cached[0]?.id ?? Number.POSITIVE_INFINITY
  if (newMessages.every(({ id }, n) => id < first && id > (newMessages[n - 1]?.id ?? 0)))
    return [...newMessages, ...cached]
  const byId = new Map(cached.map((message) => [message.id, message]))
  for (const message of newMessages) {
    const first = byId.get(message.id)
    byId.set(message.id, first ? { ...message, content: first.content || message.content } : message)
  }
  return [...byId.values()].sort((a, b) => a.id - b.id)
}
