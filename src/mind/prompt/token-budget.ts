/** How much of what a model holds in mind each part of a prompt may take, in tokens. */
import { cutTo } from './marked-data.ts'

export interface TokenBudget {
  /** Of the talk before a turn, and as much again for what the turn takes. */
  readonly talk: number
  /** Of statements. */
  readonly knowledge: number
  readonly plans: number
  /** Of all that is told when talk is gone over. */
  readonly consolidation: number
}

/** Where nobody tells: what models of these years hold at least, once their runtime is set up for talk. */
const usual = 16_384
/** More would be paid for at every step and hardly heeded. */
const most = 32_768
/** What it is, its organs and its tools take, and an answer. */
const taken = 4000
/** What an answer about talk takes. */
const answer = 2000

/** `holds` in tokens; null where nobody tells. */
export const budgetIn = (holds: number | null): TokenBudget => {
  const whole = Math.min(holds ?? usual, most)
  const free = Math.max(whole * 0.9 - taken, whole / 4)
  return {
    talk: Math.floor(free * 0.65),
    knowledge: Math.floor(free * 0.25),
    plans: Math.floor(free * 0.05),
    consolidation: Math.floor(Math.max(whole * 0.9 - answer, whole / 2)),
  }
}

const bytesPerToken = 3.5

/**
 * An estimate that is rather too high, for any script: four letters of English make a token, one character of
 * Chinese nearly does.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** UTF-16 units that so many tokens may have at most. */
export const unitsOf = (tokens: number): number => Math.floor(tokens * bytesPerToken)

/** The beginning of a text, with a word about what was left out. */
export const cutToTokens = (text: string, most: number): string => {
  const tokens = tokensIn(text)
  return tokens <= most ? text : cutTo(text, Math.floor((text.length * most) / tokens))
}
