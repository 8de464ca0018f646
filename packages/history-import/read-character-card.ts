/**
 * Reads a character card, versions 1 to 3, as JSON or within a PNG. Returns the text of a character, a
 * greeting and a lorebook. Prompts for a model (`system_prompt`, `post_history_instructions`) are not read.
 * Sources: malfoyslastname/character-card-spec-v2 and kwaroran/character-card-spec-v3.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { isObject } from '../kit/is-object.ts'
import { isCard } from './character-card.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { isPng, type PngText, textChunksIn } from './png-text.ts'
import { Unreadable } from './unreadable.ts'

/** In UTF-16 units, unless the name says otherwise. */
export interface CardLimits {
  readonly maxText: number
  readonly maxGreeting: number
  readonly maxEntries: number
  readonly maxEntryText: number
  /** All entries with their keys. */
  readonly maxLore: number
}

/** The placeholders `{{char}}` and `{{user}}` stay in the texts. */
export interface CharacterCard {
  readonly name: string
  readonly text: string
  readonly greeting: string
  readonly lore: readonly { readonly keys: readonly string[]; readonly text: string }[]
  /** Characters that did not fit, by field of the card. */
  readonly cut: readonly { readonly field: CardField; readonly characters: number }[]
  /** Entries of the lorebook that were left out or cut. */
  readonly loreLeftOut: number
}

export const cardFields = ['description', 'personality', 'scenario', 'mes_example', 'first_mes'] as const
export type CardField = (typeof cardFields)[number]

const reasons = {
  no_card: 'This is not a character card. Choose the PNG or JSON file of a card of version 1, 2 or 3.',
  archive: 'This is an archive, not a single card. Export the card as PNG or JSON.',
  picture: 'There is no character card in this picture. Some sites remove it: download the original file.',
  damaged: 'This file is damaged or not complete. Download it again.',
  too_large: 'This card is too large: its text may have 1 MB at most.',
  empty: 'This card says nothing about its character.',
} as const

/** The message is a sentence for the user and contains nothing of the file. */
export class CardUnreadable extends Error {
  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.name = 'CardUnreadable'
  }
}

const maxJsonBytes = 1024 * 1024

/** Throws CardUnreadable. */
export const readCharacterCard = async (file: Buffer, limits: CardLimits): Promise<CharacterCard> => {
  const json = isPng(file) ? await readPng(file) : file
  if (json.subarray(0, 4).equals(zipSignature)) throw new CardUnreadable('archive')
  if (json.length > maxJsonBytes) throw new CardUnreadable('too_large')
  return toCharacter(parseCard(json), limits)
}

const zipSignature = Buffer.from('PK\u0003\u0004', 'latin1')

/** Of a picture with two cards, the newer version is read. */
const readPng = async (png: Buffer): Promise<Buffer> => {
  const chunks = new Map<string, PngText>()
  try {
    for (const chunk of textChunksIn(png)) if (!chunks.has(chunk.keyword)) chunks.set(chunk.keyword, chunk)
  } catch (error) {
    throw error instanceof Unreadable ? new CardUnreadable('damaged') : error
  }
  const chunk = chunks.get('ccv3') ?? chunks.get('chara')
  if (!chunk) throw new CardUnreadable('picture')
  const data = chunk.isCompressed ? await inflateText(chunk.data) : chunk.data
  return Buffer.from(data.toString('latin1'), 'base64')
}

/** Base64 has four bytes for three. */
const maxInflatedBytes = 2 * maxJsonBytes

const inflateText = async (data: Buffer): Promise<Buffer> => {
  try {
    return await promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)(data, {
      maxOutputLength: maxInflatedBytes,
    })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new CardUnreadable(isTooLarge ? 'too_large' : 'damaged')
  }
}

const parseCard = (json: Buffer): Loose => {
  const text = json.toString().replace(/^\uFEFF/, '')
  if (!text.trimStart().startsWith('{')) throw new CardUnreadable('no_card')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new CardUnreadable('damaged')
  }
  const card = toLoose(value)
  if (!isCard(card)) throw new CardUnreadable('no_card')
  return isObject(getField(card, 'data')) ? toLoose(getField(card, 'data')) : card
}

const maxNameLength = 200

const toCharacter = (data: Loose, limits: CardLimits): CharacterCard => {
  const name = firstWords(getField(data, 'nickname'), getField(data, 'name')).replace(/\s+/g, ' ').trim()
  const read = (field: CardField) => cleanText(toText(getField(data, field)))
  const sections = [
    { field: 'description', text: read('description'), reserved: limits.maxText },
    { field: 'personality', text: withTitle('Personality', read('personality')), reserved: 600 },
    { field: 'scenario', text: withTitle('Scenario', read('scenario')), reserved: 600 },
    { field: 'mes_example', text: toExamples(read('mes_example'), name), reserved: 900 },
  ] as const
  const fitted = fitSections(sections, limits.maxText)
  const greeting = cutText(read('first_mes'), limits.maxGreeting)
  const { lore, leftOut } = readLore(toLoose(getField(data, 'character_book')), limits)
  if (fitted.text === '' && lore.length === 0) throw new CardUnreadable('empty')
  const greetingCut = read('first_mes').length - greeting.length
  return {
    name: cutText(name, maxNameLength),
    text: fitted.text,
    greeting,
    lore,
    cut: [
      ...fitted.cut,
      ...(greetingCut > 0 ? [{ field: 'first_mes', characters: greetingCut } as const] : []),
    ],
    loreLeftOut: leftOut,
  }
}

const withTitle = (title: string, text: string): string => (text === '' ? '' : `${title}: ${text}`)

/** Other placeholders than those of the names have a meaning only in the program that made the card. */
const cleanText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/<(?:BOT|CHAR)>/gi, '{{char}}')
    .replace(/<USER>/gi, '{{user}}')
    .replace(/\{\{[^{}]{0,200}\}\}/g, (sign) =>
      /^\{\{(?:char|user)\}\}$/i.test(sign) ? sign.toLowerCase() : '',
    )
    .trim()

const maxExamples = 5
const maxExampleLength = 400

/** Takes the first lines of the character from an example dialogue. */
const toExamples = (dialogue: string, name: string): string => {
  const speakerPrefixes = ['{{char}}:', ...(name === '' ? [] : [`${name}:`])]
  const lines: string[] = []
  let isOwn = false
  for (const line of dialogue.split('\n').map((text) => text.trim())) {
    const prefix = speakerPrefixes.find((start) => line.toLowerCase().startsWith(start.toLowerCase()))
    if (prefix !== undefined) lines.push(line.slice(prefix.length).trim())
    else if (line === '' || /^(?:<START>|[^\s:]{1,60}:)/i.test(line)) isOwn = false
    else if (isOwn) lines.push(`${lines.pop() ?? ''} ${line}`)
    if (prefix !== undefined) isOwn = true
  }
  const examples = lines.filter((line) => line !== '').slice(0, maxExamples)
  return withTitle(
    'Examples of how {{char}} speaks',
    examples.map((line) => `\n- ${cutText(line, maxExampleLength)}`).join(''),
  )
}

interface Section {
  readonly field: CardField
  readonly text: string
  /** The part that it gets at least, after the first section has what remains. */
  readonly reserved: number
}

/** The first section gets the space that the others do not need or have not reserved. */
const fitSections = (sections: readonly Section[], maxText: number) => {
  const presentSections = sections.filter(({ text }) => text !== '')
  const getLength = ({ text, reserved }: Section, n: number) =>
    n === 0 ? 0 : Math.min(text.length, reserved) + 1
  let unitsLeft = maxText - presentSections.reduce((sum, section, n) => sum + getLength(section, n), 0)
  const texts = presentSections.map((section, n) => {
    const most = Math.max(0, unitsLeft + getLength(section, n) - (n === 0 ? 0 : 1))
    const text = cutText(section.text, most)
    unitsLeft -= text.length - Math.max(0, getLength(section, n) - 1)
    return text
  })
  return {
    text: texts.filter((text) => text !== '').join('\n'),
    cut: presentSections.flatMap(({ field, text }, n) => {
      const characters = text.length - (texts[n] ?? '').length
      return characters > 0 ? [{ field, characters }] : []
    }),
  }
}

/** Cuts between words if possible. */
const cutText = (text: string, most: number): string => {
  if (text.length <= most) return text
  const part = text.slice(0, most)
  const end = Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
  return (end > most / 2 ? part.slice(0, end) : part).replace(/[\uD800-\uDBFF]$/, '').trimEnd()
}

const maxKeys = 20
const maxKeyLength = 100

/** Keys that are regular expressions are not supported, and neither are entries without keys. */
const readLore = (book: Loose, { maxEntries, maxEntryText, maxLore }: CardLimits) => {
  const entriesField = getField(book, 'entries')
  const values = (
    isObject(entriesField) && !Array.isArray(entriesField)
      ? Object.values(entriesField)
      : toList(entriesField)
  ).map(toLoose)
  const enabledEntries = values
    .filter((entry) => getField(entry, 'enabled') !== false)
    .map((entry) => ({ entry, order: Number(getField(entry, 'insertion_order')) || 0 }))
    .sort((a, b) => a.order - b.order)
  const lore: { keys: string[]; text: string }[] = []
  let leftOut = 0
  let unitsLeft = maxLore
  for (const { entry } of enabledEntries) {
    const keys = toList(getField(entry, 'keys'))
      .map((key) => cleanText(toText(key)))
      .filter((key) => key !== '' && key.length <= maxKeyLength)
      .slice(0, maxKeys)
    const wholeContent = cleanText(withoutDecorators(toText(getField(entry, 'content'))))
    const text = cutText(wholeContent, maxEntryText)
    const length = text.length + keys.join('').length
    const isUsable = keys.length > 0 && text !== '' && getField(entry, 'use_regex') !== true
    if (!isUsable || lore.length === maxEntries || length > unitsLeft) {
      leftOut++
      continue
    }
    if (text.length < wholeContent.length) leftOut++
    unitsLeft -= length
    lore.push({ keys, text })
  }
  return { lore, leftOut }
}

/** Lines such as `@@depth 4` are settings of version 3. */
const withoutDecorators = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('@@'))
    .join('\n')
