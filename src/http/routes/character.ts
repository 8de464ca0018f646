/** Routes of the character of a persona, of the offered characters, and of character cards. */
import * as z from 'zod'
import { LoreEntry, type Seq } from '../../../facts/fact-values.ts'
import { type CardField, cardFields } from '../../../packages/history-import/read-character-card.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { getCharacter, listLines, markLine, readCard, setCharacter } from '../../commands/character.ts'
import { characterPresets, toCharacterText } from '../../persona/character-preset-table.ts'
import { Refused } from '../../persona/refusals.ts'
import { maxMarkedLines } from '../../persona/rules/persona.ts'
import { route } from '../route.ts'
import { FilePart } from '../server/upload-form.ts'

const Words = z.object({
  name: z.string(),
  persona: z.string().describe('A name for the persona, which the user can change.'),
  summary: z.string().describe('One sentence for the user who chooses.'),
  text: z.string(),
  greeting: z.string().describe('Its first message.'),
  starters: z.array(z.string()).readonly().describe('Messages that a user could begin with.'),
})

const Presets = z
  .object({
    presets: z
      .array(z.object({ id: z.string().describe('Can be sent in place of a text.'), en: Words, de: Words }))
      .readonly(),
  })
  .meta({ id: 'CharacterPresets' })

export const getPresetsRoute = route({
  method: 'get',
  path: '/api/character/presets',
  summary: 'Characters to choose from',
  description: 'Each with a name, a text, a first message and messages to begin with, in English and German.',
  tag: 'Personas',
  reply: Presets,
  handle: () => () => ({ presets: characterPresets }),
})

const lore = z
  .array(LoreEntry)
  .readonly()
  .describe('Entries that are attached to a message of the user if it contains one of their keys.')

const Character = z
  .object({
    text: z.string().describe('Who the persona is and how it speaks. Empty if it has no character.'),
    lore,
    card: z
      .string()
      .nullable()
      .describe('Name of the character card that it comes from. Null if the user wrote or chose it.'),
    starters: z
      .array(z.string())
      .readonly()
      .describe(
        'Messages that a user could begin with. Empty unless the text is that of an offered character.',
      ),
  })
  .meta({ id: 'Character' })

export const getCharacterRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/character',
  summary: 'The character of the persona: who it is and how it speaks',
  description: 'Earlier ones are in the journal, as `CharacterSet`.',
  tag: 'Personas',
  reply: Character,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id } }) =>
      getCharacter(deps, id),
})

const CharacterChange = z
  .object({
    text: z.string().nullish().describe('The text, or the id of an offered character.'),
    lore: lore.nullish(),
    card: z.string().nullish(),
  })
  .meta({ id: 'CharacterChange' })

export const setCharacterRoute = route({
  method: 'put',
  path: '/api/persona/{persona_id}/character',
  summary: 'Change the character of the persona',
  description:
    'Fields that are not sent stay. An empty text without entries removes the character. `card` names the card that the text comes from.',
  tag: 'Personas',
  body: CharacterChange,
  reply: Character,
  refuses: ['persona_unknown', 'too_long', 'too_many'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { text, lore, card } }) =>
      setCharacter(deps, id, {
        ...(text != null && { text: toCharacterText(text) }),
        ...(lore != null && { lore }),
        ...(card !== undefined && { card }),
      }),
})

const MarkedLines = z
  .object({
    lines: z
      .array(
        z.object({
          message: z.int(),
          time: z.string(),
          text: z.string().describe('As prompts contain it: on one line, at most 300 characters.'),
          hidden: z.boolean().describe('The message is not shown any more, so prompts do not contain it.'),
        }),
      )
      .readonly(),
    max: z.int(),
  })
  .meta({ id: 'MarkedLines' })

type LineDeps = Parameters<typeof listLines>[0]

const readLines = async (deps: LineDeps, id: string): Promise<z.infer<typeof MarkedLines>> => {
  const lines = await listLines(deps, id)
  return {
    lines: lines.map(({ message, at, offset, text, hidden }) => ({
      message,
      time: isoWithOffset(at, offset),
      text,
      hidden,
    })),
    max: maxMarkedLines,
  }
}

export const getLinesRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/character/lines',
  summary: 'Messages of the persona that the user marked as typical',
  description: 'They are example lines of its character, in the order in which they were marked.',
  tag: 'Personas',
  reply: MarkedLines,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    ({ params: { persona_id: id } }) =>
      readLines(deps, id),
})

export const markLineRoute = route({
  method: 'put',
  path: '/api/persona/{persona_id}/character/lines/{id}',
  summary: 'Mark a message of the persona as typical',
  description:
    'Prompts contain it from the next night, or from the next change of the model, the name or the character. Ten messages at most. Does nothing if it is marked already.',
  tag: 'Personas',
  reply: MarkedLines,
  refuses: ['persona_unknown', 'message_unknown', 'message_not_spoken', 'too_many'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await markLine(deps, persona, toMessageSeq(id), true)
      return readLines(deps, persona)
    },
})

export const unmarkLineRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/character/lines/{id}',
  summary: 'End that a message is an example line',
  description: 'Prompts do not contain it any more at once. Does nothing if it is not marked.',
  tag: 'Personas',
  reply: MarkedLines,
  refuses: ['persona_unknown', 'message_unknown', 'message_not_spoken'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await markLine(deps, persona, toMessageSeq(id), false)
      return readLines(deps, persona)
    },
})

const toMessageSeq = (text: string): Seq => {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new Refused({ code: 'message_unknown' })
  return Number(text)
}

/** A text, the id of an offered character, or a card as it was read. */
export const NewCharacter = z.union([
  z.string(),
  z
    .object({
      text: z.string(),
      lore: lore.optional(),
      card: z.string().nullish(),
      greeting: z.string().nullish().describe('The first message of the persona.'),
    })
    .meta({ id: 'NewCharacter' }),
])

/** Returns undefined if there is none. */
export const parseCharacter = (character: z.infer<typeof NewCharacter> | null | undefined) => {
  if (character == null || character === '') return undefined
  if (typeof character === 'string')
    return { text: toCharacterText(character), lore: [], card: null, greeting: '' }
  const { text, lore = [], card = null, greeting } = character
  return { text: toCharacterText(text), lore, card, greeting: greeting ?? '' }
}

const Card = z
  .object({
    name: z.string(),
    text: z.string(),
    greeting: z.string().describe('The first message of the card.'),
    lore,
    cut: z
      .array(z.object({ field: z.enum(cardFields), characters: z.int() }))
      .readonly()
      .describe('Characters of each field that did not fit.'),
    lore_left_out: z.int().describe('Entries of the lorebook that were left out or cut.'),
    notes: z.array(z.string()).readonly().describe('One sentence for each part that was left out.'),
  })
  .meta({ id: 'CharacterCard' })

/** Bytes of a picture with a card. */
const maxCardBytes = 16 * 1024 * 1024

export const readCardRoute = route({
  method: 'post',
  path: '/api/character/card',
  summary: 'Read a character card, as PNG or JSON. Nothing is stored',
  description:
    'A form with one file, `card`, of version 1, 2 or 3. Send the result as `character` when you create a persona, or to its character. `{{char}}` and `{{user}}` in it are replaced in each prompt.',
  tag: 'Personas',
  form: z.object({ card: FilePart }).meta({ id: 'Body_card' }),
  limit: () => maxCardBytes,
  reply: Card,
  refuses: ['body_too_large', 'card_invalid'],
  handle:
    () =>
    async ({ body: { card: file } }) => {
      const { loreLeftOut, ...card } = await readCard(file.staged.path)
      const notes = [
        ...card.cut.map(
          ({ field, characters }) =>
            `${fieldNames[field]}: ${characters} characters did not fit and were left out.`,
        ),
        ...(loreLeftOut > 0 ? [`Lorebook: ${loreLeftOut} entries were left out or shortened.`] : []),
      ]
      return { ...card, lore_left_out: loreLeftOut, notes }
    },
})

const fieldNames: Readonly<Record<CardField, string>> = {
  description: 'Description',
  personality: 'Personality',
  scenario: 'Scenario',
  mes_example: 'Examples',
  first_mes: 'First message',
}
