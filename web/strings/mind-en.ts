/** The texts about the model that answers, and about its voice, in English. */
export const text = {
  note: (name: string, model: string) => `From here on, ${name} answers with ${model}.`,
  undoing: 'Undoing…',
}

export type MindStrings = typeof text
