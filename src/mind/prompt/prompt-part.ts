/** The words a prompt is made of. */
import { hash } from 'node:crypto'
import type { Seq, Sha256 } from '../../../journal/facts/fact-values.ts'

/**
 * Words on their way to a model, with the fact they are the words of; null for words of the service's own.
 */
export interface PromptPart {
  readonly text: string
  readonly from: Seq | null
}

export const own = (text: string): PromptPart => ({ text, from: null })

/** Neighbours of the service's own are one, and what says nothing is none: as a recipe names them. */
export const joined = (parts: readonly PromptPart[]): readonly PromptPart[] => {
  const one: PromptPart[] = []
  for (const part of parts) {
    const last = one.at(-1)
    if (part.from === null && last?.from === null) one[one.length - 1] = own(last.text + part.text)
    else one.push(part)
  }
  return one.filter(({ text, from }) => from !== null || text !== '')
}

/** What an organ was sent that is told no more than words. */
export const sentParts = (parts: readonly PromptPart[]): Sha256 =>
  hash('sha256', JSON.stringify(joined(parts)))
