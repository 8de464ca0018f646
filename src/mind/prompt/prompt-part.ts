/** The words a prompt is made of. */
import { hash } from 'node:crypto'
import type { Seq, Sha256 } from '../../../journal/facts/fact-values.ts'
import type { OthersWords } from './origin.ts'

/**
 * Words on their way to a model, with the fact they are the words of; null for words of the service's own.
 */
export interface PromptPart {
  readonly text: string
  readonly from: Seq | null
}

/** The same on its way to the Mind of the persona, with the words of others in it. */
export interface ToldPart extends PromptPart {
  readonly others: readonly OthersWords[]
}

export const own = (text: string): ToldPart => ({ text, from: null, others: [] })

/** Neighbours of the service's own are one, and what says nothing is none: as a recipe names them. */
export const joined = (parts: readonly PromptPart[]): readonly PromptPart[] => {
  const one: PromptPart[] = []
  for (const { text, from } of parts) {
    const last = one.at(-1)
    if (from === null && last?.from === null) one[one.length - 1] = { text: last.text + text, from }
    else one.push({ text, from })
  }
  return one.filter(({ text, from }) => from !== null || text !== '')
}

/** What an organ was sent that is told no more than words. */
export const sentParts = (parts: readonly PromptPart[]): Sha256 =>
  hash('sha256', JSON.stringify(joined(parts)))
