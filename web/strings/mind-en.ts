/** The texts about the model that answers, and about its voice, in English. */
export const text = {
  note: (name: string, model: string) => `From here on, ${name} answers with ${model}.`,
  undoing: 'Undoing…',
  mark: 'That is so you',
  unmark: 'No example any more',
  marked: (count: number, max: number) => `Now an example line of the character: ${count} of ${max}.`,
  unmarked: 'No example line any more.',
  lines: {
    title: 'Example messages',
    lead: (name: string) =>
      `Up to ten messages that are typical of ${name}. They help ${name} to sound the same, also with another model. Choose them with “That is so you” in the menu of a message. They apply from the next night, or from a change of the model.`,
    hidden: 'deleted from the talk',
    remove: 'Remove',
    removeThis: (line: string) => `Remove: ${line}`,
  },
}

export type MindStrings = typeof text
