/** The texts about the model that answers, and about its voice, in German. */
import type { MindStrings } from './mind-en.ts'

export const text: MindStrings = {
  note: (name: string, model: string) => `Ab hier antwortet ${name} mit ${model}.`,
  undoing: 'Macht rückgängig…',
}
