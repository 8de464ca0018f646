/** The texts about answers of other models in English, which are loaded on demand. */
export type AnswerStrings = typeof text

export const text = {
  title: 'An answer from another model',
  hint: (name: string) =>
    `Only this one answer comes from the model that you choose here. ${name} keeps its own model. You can switch between the answers until your next message.`,
  keyHint: 'Stored until the answer is there. Empty means the stored key of this provider.',
  go: 'Get the answer',
  going: 'Asking…',
}
