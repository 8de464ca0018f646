/** The words a prompt is made of. */
import type { Seq } from '../../../journal/facts/fact-values.ts'

/**
 * Words on their way to a model, with the fact they are the words of; null for words of the service's own.
 */
export interface PromptPart {
  readonly text: string
  readonly from: Seq | null
}

export const own = (text: string): PromptPart => ({ text, from: null })
