/**
 * The card of a character, versions 1 to 3, as JSON or within a picture. Description, personality and
 * scenario are read. Instructions for the model that plays the character are not: greetings, examples,
 * prompts, the lore book. Sources: malfoyslastname/character-card-spec-v2 and
 * kwaroran/character-card-spec-v3.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toLoose, toText } from './loose-values.ts'
import { notesIn } from './notes.ts'

const fields = ['description', 'personality', 'scenario'] as const

/** The first version has no name, but these fields. */
const isFirst = (value: Loose): boolean =>
  ['name', ...fields, 'first_mes', 'mes_example'].every((field) => typeof getField(value, field) === 'string')

export const isCard = (value: Loose): boolean =>
  (toText(getField(value, 'spec')).startsWith('chara_card_v') && isObject(getField(value, 'data'))) ||
  isFirst(value)

export const fromCard = (value: Loose): readonly Found[] => {
  const data = isObject(getField(value, 'data')) ? toLoose(getField(value, 'data')) : value
  const name = firstWords(getField(data, 'name'), getField(value, 'name'))
  return [{ kind: 'character', id: null, title: name, updated: [], said: () => saidIn(data, name) }]
}

/** Returns the card as messages of the other side, not of the user. */
const saidIn = function* (data: Loose, name: string): Generator<Said> {
  for (const field of fields)
    for (const note of notesIn(insertName(toText(getField(data, field)), name)))
      yield { role: 'assistant', content: `${field}: ${note}`, time: null }
}

/** Fills in the placeholders of the program. */
const insertName = (text: string, name: string): string =>
  text
    .replace(/\{\{char\}\}|<BOT>/gi, () => name)
    .replace(/\{\{user\}\}|<USER>/gi, 'the one who plays with them')
