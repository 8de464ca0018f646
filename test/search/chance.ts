/**
 * Generates random lives and questions in many languages. Computes the expected answers by reading all facts,
 * with code that is independent of the search.
 */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { toParts } from '../heard.ts'
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
const between = [' ', ' ', ' ', ', ', '. ', '\n', ' – ', '!? ', '/'] as const

export interface Life {
  readonly events: readonly PersonaEvent[]
  /** The searchable texts, by position. */
  readonly texts: ReadonlyMap<number, string>
}

export const lifeOf = (chance: Chance, facts: number): Life => {
  const events: PersonaEvent[] = []
  const texts = new Map<number, string>()
  /** Current position of each statement and each plan. */
  const places = new Map<string, number>()
  const moved = (id: string, seq: number, text: string | undefined) => {
    texts.delete(places.get(id) ?? 0)
    places.set(id, seq)
    if (text !== undefined) texts.set(seq, text)
  }
  for (let seq = firstLived; events.length < facts; seq++) {
    const text = createText(chance)
    const id = `m${chance.pickBetween(1, 20)}`
    const [event, of, says] = createFact(chance, text, id, texts.has(places.get(id) ?? 0))
    events.push(event)
    if (of !== undefined) moved(of, seq, says)
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
    return isKept ? [{ type: 'MemoryForgotten', id, why: null }, id] : [kept(id, text), id, text]
  if (dice === 2)
    return isKept
      ? [{ type: 'MemoryRevised', id, text, sources: [], origin: 'persona' }, id, text]
      : [kept(id, text), id, text]
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

const kept = (id: string, text: string): PersonaEvent => ({
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
  for (let words = chance.pickBetween(0, 14); words > 0; words--)
    text += `${chance.pickBetween(1, 4) === 1 ? chance.pick(unspaced) : chance.pick(spaced)}${chance.pick(between)}`
  return chance.pickBetween(1, 3) === 1 ? text.normalize('NFD') : text
}

export interface Question {
  readonly text: string
  readonly answers: (text: string) => boolean
}

/** Returns one to three words in another spelling. The last one may be a prefix. */
export const questionOf = (chance: Chance): Question => {
  const asked = Array.from({ length: chance.pickBetween(1, 3) }, () =>
    chance.pickBetween(1, 4) === 1 ? pickPart(chance, chance.pick(unspaced)) : chance.pick(spaced),
  )
  const isPrefix = chance.pickBetween(1, 2) === 1
  const last = asked.at(-1) ?? ''
  const typed = isPrefix && last.length > 4 ? last.slice(0, chance.pickBetween(4, last.length)) : last
  const words = [...asked.slice(0, -1), typed]
  const text = words.map((word) => written(chance, word)).join(' ') + (isPrefix ? '' : ' ')
  return {
    text,
    answers: (whole) => words.every((word, n) => has(whole, word, isPrefix && n === words.length - 1)),
  }
}

const pickPart = (chance: Chance, word: string): string => {
  const from = chance.pickBetween(0, word.length - 1)
  return word.slice(from, chance.pickBetween(from + 1, word.length))
}

const written = (chance: Chance, word: string): string =>
  chance.pick([
    word,
    word.toUpperCase(),
    word.toLowerCase(),
    word.normalize('NFD'),
    isUnspaced(word) ? word : bare(word),
  ])

const isUnspaced = (word: string) => /[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(word)

/** Folds letters one by one, independently of the implementation. */
const bare = (text: string): string =>
  [...text.toLowerCase().normalize('NFD')]
    .filter((letter) => !/[\u0300-\u036f\u05b0-\u05c7\u064b-\u0652]/.test(letter))
    .map((letter) => ({ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', ς: 'σ' })[letter] ?? letter)
    .join('')

const has = (text: string, word: string, isPrefix: boolean): boolean => {
  if (isUnspaced(word)) return text.normalize('NFC').includes(word)
  const bareWord = bare(word)
  return bare(text)
    .split(/[ ,.\n–!?/]+|[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u1100-\u11ff]+/)
    .some((there) => there === bareWord || (isPrefix && bareWord.length > 2 && there.startsWith(bareWord)))
}
