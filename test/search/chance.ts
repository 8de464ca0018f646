/**
 * Generates random lives and questions in many languages. Computes the expected answers by reading all facts,
 * with code that is independent of the search.
 */
import type { PersonaEvent } from '../../facts/facts.ts'
import { toParts } from '../message-parts.ts'
import type { Chance } from '../random.ts'
import { firstLived } from './library.ts'

const spaced = [
  ...[
    'the',
    'garden',
    'gardens',
    'gardening',
    'rose',
    'roses',
    'Tom',
    'neighbour',
    '42',
    '2026',
    'e',
    'ok',
    'balcony',
  ],
  ...['Müller', 'Straße', 'über', 'größer', 'café', 'élan', 'naïve', 'Łódź', 'Ærø', 'İstanbul'],
  ...['Ёлка', 'мой', 'сад', 'Σίσυφος', 'κήπος', 'שָׁלוֹם', 'مُحَمَّد', 'राम', 'की', 'कि'],
] as const
const unspaced = [
  '我去东京了',
  '东京',
  '北京大学',
  '新しいカメラ',
  'カラス',
  '京都',
  '안녕하세요',
  '안녕',
  'ภาษาไทย',
  '日',
] as const
const separators = [' ', ' ', ' ', ', ', '. ', '\n', ' – ', '!? ', '/'] as const

export interface Life {
  readonly events: readonly PersonaEvent[]
  /** The searchable texts, by position. */
  readonly texts: ReadonlyMap<number, string>
}

export const drawLife = (chance: Chance, facts: number): Life => {
  const events: PersonaEvent[] = []
  const texts = new Map<number, string>()
  /** Current position of each statement and each plan. */
  const places = new Map<string, number>()
  const moveText = (id: string, seq: number, text: string | undefined) => {
    texts.delete(places.get(id) ?? 0)
    places.set(id, seq)
    if (text !== undefined) texts.set(seq, text)
  }
  for (let seq = firstLived; events.length < facts; seq++) {
    const text = createText(chance)
    const id = `m${chance.pickBetween(1, 20)}`
    const [event, of, says] = createFact(chance, text, id, texts.has(places.get(id) ?? 0))
    events.push(event)
    if (of !== undefined) moveText(of, seq, says)
    else if (says !== undefined) texts.set(seq, says)
  }
  return { events, texts }
}

/** A fact, the subject that a later fact can replace, and the searchable part of its text. */
const createFact = (
  chance: Chance,
  text: string,
  id: string,
  isKept: boolean,
): readonly [event: PersonaEvent, of?: string | undefined, says?: string] => {
  const dice = chance.pickBetween(1, 20)
  const channel = { type: 'web', name: 'ada' } as const
  if (dice === 1)
    return isKept ? [{ type: 'MemoryForgotten', id, why: null }, id] : [createMemoryKept(id, text), id, text]
  if (dice === 2)
    return isKept
      ? [{ type: 'MemoryRevised', id, text, sources: [], origin: 'persona' }, id, text]
      : [createMemoryKept(id, text), id, text]
  if (dice === 3) return [plan('EntryPlanned', `p${id}`, text), `p${id}`, text]
  if (dice === 4)
    return [
      { type: 'DayClosed', after: 0, upTo: 1, began: 0, ended: 1, summary: text, by: 'mind' },
      undefined,
      text,
    ]
  if (dice <= 8) return [{ type: 'Renamed', name: text.slice(0, 20) || 'Ada' }]
  if (dice <= 13)
    return [
      { type: 'MessageSpoken', turn: null, step: null, channel, content: text, media: null, asks: null },
      undefined,
      text,
    ]
  return [{ type: 'MessageHeard', channel, parts: toParts(text), media: null, key: null }, undefined, text]
}

const createMemoryKept = (id: string, text: string): PersonaEvent => ({
  type: 'MemoryKept',
  id,
  document: 'person',
  text,
  sources: [],
  origin: 'persona',
})

const plan = (type: 'EntryPlanned', id: string, content: string): PersonaEvent => ({
  type,
  id,
  kind: 'reminder',
  wall: '2026-11-23T09:00:00',
  zone: 'Europe/Berlin',
  content,
  recurrence: null,
  anchor: '2026-11-23T09:00:00',
})

const createText = (chance: Chance): string => {
  let text = ''
  for (let wordCount = chance.pickBetween(0, 14); wordCount > 0; wordCount--)
    text += `${chance.pickBetween(1, 4) === 1 ? chance.pick(unspaced) : chance.pick(spaced)}${chance.pick(separators)}`
  return chance.pickBetween(1, 3) === 1 ? text.normalize('NFD') : text
}

export interface Question {
  readonly text: string
  readonly answers: (text: string) => boolean
}

/** Returns one to three words in another spelling. The last one may be a prefix. */
export const createQuestion = (chance: Chance): Question => {
  const terms = Array.from({ length: chance.pickBetween(1, 3) }, () =>
    chance.pickBetween(1, 4) === 1 ? pickPart(chance, chance.pick(unspaced)) : chance.pick(spaced),
  )
  const isPrefix = chance.pickBetween(1, 2) === 1
  const last = terms.at(-1) ?? ''
  const lastTerm = isPrefix && last.length > 4 ? last.slice(0, chance.pickBetween(4, last.length)) : last
  const words = [...terms.slice(0, -1), lastTerm]
  const text = words.map((word) => spellWord(chance, word)).join(' ') + (isPrefix ? '' : ' ')
  return {
    text,
    answers: (wholeText) =>
      words.every((word, n) => has(wholeText, word, isPrefix && n === words.length - 1)),
  }
}

const pickPart = (chance: Chance, word: string): string => {
  const startIndex = chance.pickBetween(0, word.length - 1)
  return word.slice(startIndex, chance.pickBetween(startIndex + 1, word.length))
}

const spellWord = (chance: Chance, word: string): string =>
  chance.pick([
    word,
    word.toUpperCase(),
    word.toLowerCase(),
    word.normalize('NFD'),
    isUnspaced(word) ? word : stripMarks(word),
  ])

const isUnspaced = (word: string) => /[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(word)

/** Folds letters one by one, independently of the implementation. */
const stripMarks = (text: string): string =>
  [...text.toLowerCase().normalize('NFD')]
    .filter((letter) => !/[\u0300-\u036f\u05b0-\u05c7\u064b-\u0652]/.test(letter))
    .map((letter) => ({ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', ς: 'σ' })[letter] ?? letter)
    .join('')

const has = (text: string, word: string, isPrefix: boolean): boolean => {
  if (isUnspaced(word)) return text.normalize('NFC').includes(word)
  const plainWord = stripMarks(word)
  return stripMarks(text)
    .split(/[ ,.\n–!?/]+|[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u1100-\u11ff]+/)
    .some(
      (storedWord) =>
        storedWord === plainWord || (isPrefix && plainWord.length > 2 && storedWord.startsWith(plainWord)),
    )
}
