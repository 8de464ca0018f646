/** The form of the tables of casual conversation, and functions that fill them. */
import { vary } from './reply.ts'
import type { Situation } from './situation.ts'

type TalkReply = (situation: Situation, clause: string) => string

/**
 * `light`: may be left out if there is another reply. `last`: only used if the clause does not ask for known
 * facts. `solemn`: the notice about the stand-in waits for the next reply.
 */
export type Talk = readonly [RegExp, TalkReply, ('light' | 'last' | 'solemn')?]

export interface TalkTable {
  /** The first match wins. */
  readonly forms: readonly Talk[]
  /** Clauses that are facts or requests unless `isCertain` matches. */
  readonly mayBeFact: RegExp
  readonly isCertain: RegExp
  /** The first message of an empty conversation. */
  readonly greet: (situation: Situation) => string
  /** The reply to a clause that no rule takes. */
  readonly acknowledge: (clause: string, situation: Situation) => string
}

export const oneOf =
  (...phrases: readonly string[]): TalkReply =>
  (situation) =>
    vary(situation, phrases)

/** Returns an expression that matches one of these at the beginning of a text. */
export const startsWith = (...forms: readonly RegExp[]): RegExp =>
  // Linear: each of the forms is.
  new RegExp(forms.map(({ source }) => `(?:${source})`).join('|'), 'iu')

const sum =
  /(?<a>\d{1,9}) ?(?<sign>[-+*/x×·÷:]|plus|minus|mal|times|geteilt durch|divided by) ?(?<b>\d{1,9})/i

/** The result of a calculation with two whole numbers; undefined if the text has none. */
export const calculate = (text: string): number | undefined => {
  const { a, sign = '', b } = sum.exec(text)?.groups ?? {}
  const [left, right] = [Number(a), Number(b)]
  if (a === undefined || b === undefined) return undefined
  if (/^(?:\+|plus)$/i.test(sign)) return left + right
  if (/^(?:-|minus)$/i.test(sign)) return left - right
  if (/^(?:[*x×·]|mal|times)$/i.test(sign)) return left * right
  return right === 0 ? undefined : Math.round((left / right) * 1000) / 1000
}
