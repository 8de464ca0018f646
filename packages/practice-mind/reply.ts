/** The result of a rule: text, tool calls, or both. */
import type { Situation } from './situation.ts'

export interface Wish {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface Reply {
  readonly words: string
  readonly wishes: readonly Wish[]
  /** A courtesy that is left out if there is a more important reply. */
  readonly light?: boolean
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
    rotation.find((phrase) => !recentReplies.some((message) => message.includes(phrase))) ?? rotation[0] ?? ''
  )
}

export const excerpt = (text: string, maxUnits = 300): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxUnits ? `${line.slice(0, maxUnits - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}

export const list = (items: readonly string[], conjunction = 'and'): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`
