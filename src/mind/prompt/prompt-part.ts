/** The parts of a prompt, each with its source. */

import { hash } from 'node:crypto'
import type { Seq, Sha256 } from '../../../facts/fact-values.ts'
import { cutTo } from './marked-data.ts'
import type { OthersWords } from './origin.ts'

/** A part of a prompt. `from`: the fact that holds its text, or null for text of the daemon. */
export interface PromptPart {
  readonly text: string
  readonly from: Seq | null
}

/** A part of a prompt to the Mind, with the words of others in it. */
export interface ToldPart extends PromptPart {
  readonly others: readonly OthersWords[]
}

export const ownText = (text: string): ToldPart => ({ text, from: null, others: [] })

/** Joins adjacent parts of the daemon and drops empty ones, as recipes record them. */
export const joinParts = (parts: readonly PromptPart[]): readonly PromptPart[] => {
  const mergedParts: PromptPart[] = []
  for (const { text, from } of parts) {
    const last = mergedParts.at(-1)
    if (from === null && last?.from === null)
      mergedParts[mergedParts.length - 1] = { text: last.text + text, from }
    else mergedParts.push({ text, from })
  }
  return mergedParts.filter(({ text, from }) => from !== null || text !== '')
}

/** Returns the hash of a prompt that consists of text only. */
export const sentParts = (parts: readonly PromptPart[]): Sha256 =>
  hash('sha256', JSON.stringify(joinParts(parts)))

// Divides a model's context window between the parts of a prompt, in tokens.

export interface TokenBudget {
  /** For the talk before a turn, and the same amount again for the messages of the turn. */
  readonly talk: number
  /** For statements. */
  readonly knowledge: number
  readonly plans: number
  /** For a whole consolidation prompt. */
  readonly consolidation: number
}

/**
 * Assumed if the context window is unknown. Current models have at least this when their runtime is
 * configured for chat.
 */
const defaultContext = 16_384
/** More tokens cost money at every step, and models hardly use them. */
const maxContext = 32_768
/** Reserved for tools, the text about the persona, and an answer. */
const reservedTokens = 2500
/** Reserved for the answer of a consolidation. */
const answer = 2000

/** `holds`: the context window in tokens, or null if unknown. */
export const budgetIn = (holds: number | null): TokenBudget => {
  const context = Math.min(holds ?? defaultContext, maxContext)
  const freeTokens = toFreeTokens(context)
  const knowledge = Math.floor(freeTokens * 0.25)
  const plans = Math.floor(freeTokens * 0.05)
  // The talk may double during a turn.
  const roomForTalk = holds === null ? Number.POSITIVE_INFINITY : toFreeTokens(holds) - knowledge - plans
  return {
    talk: Math.floor(Math.min(freeTokens * 0.65, roomForTalk / 2)),
    knowledge,
    plans,
    consolidation: Math.floor(Math.max(context * 0.9 - answer, context / 2)),
  }
}

const toFreeTokens = (context: number): number => Math.max(context * 0.9 - reservedTokens, context / 4)

const bytesPerToken = 3.5

/**
 * Estimates the tokens of a text, rather too high, for any script. Four English letters are about one token;
 * a Chinese character is nearly one.
 */
export const tokensIn = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken)

/** Returns how many UTF-16 units fit into these tokens. */
export const toUnits = (tokens: number): number => Math.floor(tokens * bytesPerToken)

/** Returns how many UTF-16 units of a text have at most the tokens of `maxUnits` Latin letters. */
export const fitUnits = (text: string, maxUnits: number): number => {
  const bytes = Buffer.byteLength(text.slice(0, maxUnits))
  return bytes <= maxUnits ? maxUnits : Math.floor((maxUnits * maxUnits) / bytes)
}

/** Cuts a text and appends the number of omitted characters. */
export const cutToTokens = (text: string, maxTokens: number): string => {
  const tokens = tokensIn(text)
  return tokens <= maxTokens ? text : cutTo(text, Math.floor((text.length * maxTokens) / tokens))
}
