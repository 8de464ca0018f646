/** The texts about the character of a persona in English. */
import type { CardField } from '../character/card-fields.ts'

export type CharacterStrings = typeof text

export const text = {
  character: {
    fold: 'Character',
    foldHint: 'Optional: without one the tone is friendly and plain. You can change it at any time.',
    lead: (name: string) =>
      `Who ${name} is and how ${name} speaks. What you ask for in the talk comes first. A character gives no permissions.`,
    choose: 'Choose one to begin with',
    words: 'Who they are and how they speak',
    wordsHint:
      'Written to them: “You are …”. What they care about, how they talk, and up to five example lines. {{char}} stands for their name, {{user}} for you.',
    count: (used: number, most: number) => `${used} of ${most} characters`,
    card: 'Read a character card…',
    cardHint: 'A PNG or JSON file as SillyTavern and others use it.',
    reading: 'Reading the card…',
    fromCard: (card: string) => `From the card “${card}”. Its author wrote this text, not you.`,
    lore: (count: number) =>
      count === 1
        ? 'One entry of its lorebook is added to messages that name it.'
        : `${count} entries of its lorebook are added to messages that name them.`,
    greeting: 'Their first message is the one of the card.',
    cut: (field: string, characters: number) =>
      `${field}: ${characters} characters did not fit and were left out.`,
    field: {
      description: 'Description',
      personality: 'Personality',
      scenario: 'Scenario',
      mes_example: 'Examples',
      first_mes: 'First message',
    } satisfies Record<CardField, string>,
    loreLeftOut: (count: number) => `Lorebook: ${count} entries were left out or shortened.`,
    save: 'Save the character',
    saving: { doing: 'Saving…', done: 'Saved. It applies from the next message.' },
    remove: 'Remove the character',
    removing: { doing: 'Removing…', done: 'Removed.' },
    tooLong: (most: number) => `The text is too long: ${most} characters at most.`,
  },
}
