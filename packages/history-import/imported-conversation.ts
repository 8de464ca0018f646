/** A conversation of an exported history, and how it is made from the values found in a file. */
import { createHash } from 'node:crypto'
import type { MaybeYield } from '../kit/flow/yielding.ts'
import { toText, toTime } from './loose-values.ts'
import { feedLimits } from './unreadable.ts'

export interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: string
  /** ISO 8601, UTC. */
  readonly time: string | null
}

export interface Conversation {
  /**
   * `character`: the card of a character that the user keeps. `people`: messages between people. The words of
   * the others begin with their names and have the role `assistant`.
   */
  readonly kind: 'talk' | 'character' | 'people'
  /** Only for `people`: the name of the user. Null if the user is unknown. */
  readonly person?: string | null
  /** Only of `people`: the names of those who wrote, at most 100. */
  readonly names?: readonly string[]
  readonly id: string | null
  readonly title: string
  /** ISO 8601, UTC: when it was last changed, else when its last message was written. */
  readonly updated: string | null
  /** At least one. */
  readonly messages: readonly Message[]
  /** SHA-256 of title and messages: the same text gives the same hash in every file. */
  readonly hash: string
  /**
   * Messages on its path without text of either side: calls of tools and their results, thoughts, hidden and
   * empty messages.
   */
  readonly skipped: number
}

/** Nothing of a chat between people can become memory if none of its messages is known to be the user's. */
export const isOfOthersAlone = ({ kind, messages }: Conversation): boolean =>
  kind === 'people' && !messages.some(({ role }) => role === 'user')

export interface Preview {
  readonly title: string
  readonly messages: number
  readonly time: string | null
}

export const toPreview = ({ title, messages, updated }: Conversation): Preview => ({
  title,
  messages: messages.length,
  time: updated,
})

/** The raw values of a conversation in a file. */
export interface Found {
  /** Default: `talk`. */
  readonly kind?: Conversation['kind']
  readonly person?: string | null
  readonly names?: readonly string[]
  readonly id: unknown
  readonly title: unknown
  readonly updated: readonly unknown[]
  /** null: one that is no words. */
  readonly said: (maybeYield: MaybeYield) => Iterable<Said | null> | AsyncIterable<Said | null>
}

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly time: unknown
}

/** Returns undefined if the conversation has no text. */
export const toConversation = async (
  foundConversation: Found,
  maybeYield: MaybeYield,
): Promise<Conversation | 'too_large' | undefined> => {
  const messages: Message[] = []
  const hash = createHash('sha256')
  let skippedCount = 0
  let characters = 0
  for await (const spokenMessage of foundConversation.said(maybeYield)) {
    await maybeYield()
    const content = spokenMessage ? toCleanLine(spokenMessage.content, feedLimits.message) : ''
    if (!spokenMessage || content === '') {
      skippedCount++
      continue
    }
    const message: Message = { role: spokenMessage.role, content, time: toIso(toTime(spokenMessage.time)) }
    characters += content.length
    if (characters > feedLimits.characters) return 'too_large'
    messages.push(message)
    hash.update(JSON.stringify([message.role, content, message.time]))
  }
  const [first] = messages
  if (!first) return undefined
  const title = toLine(toText(foundConversation.title), feedLimits.title) || toLine(first.content, 60)
  hash.update(JSON.stringify([title]))
  return {
    kind: foundConversation.kind ?? 'talk',
    ...(foundConversation.person === undefined ? {} : { person: foundConversation.person }),
    ...(foundConversation.names === undefined ? {} : { names: foundConversation.names }),
    id: toId(foundConversation.id),
    title,
    updated: getLatestTime(foundConversation.updated, messages),
    messages,
    hash: hash.digest('hex'),
    skipped: skippedCount,
  }
}

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const getLatestTime = (updated: readonly unknown[], messages: readonly Message[]): string | null => {
  const times = messages.flatMap(({ time }) => (time === null ? [] : [time]))
  const updatedMs = updated.map(toTime).find((ms) => ms !== null)
  return (
    toIso(updatedMs ?? null) ??
    times.reduce<string | null>((last, time) => (last !== null && last > time ? last : time), null)
  )
}

const toId = (id: unknown): string | null => {
  const words = typeof id === 'number' ? String(id) : toText(id)
  const text = toCleanLine(words.slice(0, feedLimits.id + 1), feedLimits.id + 1)
  return text === '' || text.length > feedLimits.id ? null : text
}

const toCleanLine = (text: string, maxLength: number): string =>
  cutText(text, maxLength).replaceAll('\0', '').toWellFormed().trim()

const toLine = (text: string, maxLength: number): string => {
  // Only as much is looked at as could be used.
  const line = toCleanLine(cutText(text, maxLength * 4), maxLength * 4).replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > maxLength ? `${cutText(line, maxLength - 1).toWellFormed()}…` : line
}

/** Not between the two halves of a character. */
export const cutText = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  const code = text.charCodeAt(maxLength - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? maxLength - 1 : maxLength)
}
