/** The result of a rule: text, tool calls, or both. */
import type { Situation } from './situation.ts'
import { capital } from './wall-clock.ts'

export interface Wish {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface Reply {
  readonly words: string
  readonly wishes: readonly Wish[]
  /** A courtesy that is left out if there is a more important reply. */
  readonly light?: boolean
  /** Condolence or help in need. The notice about the stand-in waits for the next reply. */
  readonly solemn?: boolean
}

/** Returns undefined if the rule does not apply to the clause. */
export type Rule = (clause: string, situation: Situation) => Reply | undefined

export const say = (words: string): Reply => ({ words, wishes: [] })
export const chat = (words: string): Reply => ({ words, wishes: [], light: true })
export const wish = (...wishes: readonly Wish[]): Reply => ({ words: '', wishes })

/**
 * Returns the first phrase that the last 6 messages do not contain. The starting position rotates with the
 * number of messages.
 */
export const vary = ({ spoken }: Situation, phrases: readonly string[]): string => {
  const recentReplies = spoken.slice(-6)
  const rotation = phrases.map((_, n) => phrases[(n + spoken.length) % phrases.length] ?? '')
  return (
    rotation.find((phrase) => !recentReplies.some((message) => message.includes(removeMarks(phrase)))) ??
    rotation[0] ??
    ''
  )
}

/** Marks a promise to remember or remind. It is replaced by `alternative` if nothing can be stored. */
export const promise = (text: string, alternative = ''): string => `\uE000${text}\uE001${alternative}\uE002`
// Linear: only texts of the practice mind itself have these marks.
const removeMarks = (phrase: string) => phrase.replace(/\uE001[^\uE002]*\uE002|\uE000/g, '')

export const excerpt = (text: string, maxUnits = 300): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxUnits ? `${line.slice(0, maxUnits - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}

/** Capitalizes the first letter and ends with a full stop. */
export const sentence = (text: string): string => {
  const trimmedText = text.trim().replace(/\s+/g, ' ')
  return /[.!?”“]$/.test(trimmedText) ? capital(trimmedText) : `${capital(trimmedText)}.`
}

/** Keeps "I" and abbreviations. */
export const lowerFirst = (text: string): string =>
  /^(?:I|[A-Z]{2,}|[A-Z][a-z]+ [A-Z])\b/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1)

export const list = (items: readonly string[], conjunction: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`
