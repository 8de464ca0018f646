/** The parts of a prompt, each with its source. */
import { hash } from 'node:crypto'
import type { Seq, Sha256 } from '../../../journal/facts/fact-values.ts'
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

export const own = (text: string): ToldPart => ({ text, from: null, others: [] })

/** Joins adjacent parts of the daemon and drops empty ones, as recipes record them. */
export const joined = (parts: readonly PromptPart[]): readonly PromptPart[] => {
  const merged: PromptPart[] = []
  for (const { text, from } of parts) {
    const last = merged.at(-1)
    if (from === null && last?.from === null) merged[merged.length - 1] = { text: last.text + text, from }
    else merged.push({ text, from })
  }
  return merged.filter(({ text, from }) => from !== null || text !== '')
}

/** Returns the hash of a prompt that consists of text only. */
export const sentParts = (parts: readonly PromptPart[]): Sha256 =>
  hash('sha256', JSON.stringify(joined(parts)))
