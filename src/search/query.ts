/** Parses a query: all words must occur, quoted words next to each other. */
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { type Word, withoutApostrophes, wordsIn } from './words.ts'

export interface QueryWord {
  readonly forms: readonly string[]
  /** Prefix match. */
  readonly isPrefix: boolean
  /** Whether to query the index. After a letter pair, its second letter adds nothing. */
  readonly isLookedUp: boolean
}

/** Words that must follow one another. */
export type Group = readonly QueryWord[]
export type Query = readonly Group[]

/** Min letters of a prefix. */
export const minPrefixLength = 3
/** Further groups are ignored. */
const maxGroups = 64

/**
 * `begins`: whether the `last` word may be a prefix if the text ends with it. Words before a star always may.
 * Quoted words never.
 */
export const parseQuery = (input: string, prefixMode: 'last' | 'none'): Query => {
  const text = withoutApostrophes(input)
  const groups: Group[] = []
  let position = 0
  for (const [n, piece] of text.split(/["“”„«»]/).entries()) {
    const words = [...wordsIn(piece)]
    const isQuoted = n % 2 === 1
    const isOpen = (word: Word) =>
      !isQuoted && (piece[word.end] === '*' || (prefixMode === 'last' && position + word.end === text.length))
    const queryWords = words.map((word, place) => ({
      word,
      wish: wish(word, words[place - 1], isOpen(word)),
    }))
    if (isQuoted) groups.push(queryWords.map(({ wish }) => wish))
    else groups.push(...toGroups(queryWords))
    position += piece.length + 1
  }
  const speakerNames = groups
    .filter(({ length }) => length > 0)
    .map((group) => [JSON.stringify(group), group] as const)
  // Without duplicates.
  return [...new Map(speakerNames).values()].slice(0, maxGroups)
}

const wish = (
  { forms, isLetter, isJoined }: Word,
  wordBefore: Word | undefined,
  isOpen: boolean,
): QueryWord => {
  if (isLetter)
    return { forms: forms.slice(-1), isPrefix: false, isLookedUp: isJoined || !wordBefore?.isJoined }
  return { forms, isPrefix: isOpen && (forms[0]?.length ?? 0) >= minPrefixLength, isLookedUp: true }
}

/** Keeps adjacent letters of unspaced scripts together. */
const toGroups = (words: readonly { readonly word: Word; readonly wish: QueryWord }[]): readonly Group[] => {
  const groups: QueryWord[][] = []
  let isJoined = false
  for (const { word, wish } of words) {
    const last = groups.at(-1)
    if (isJoined && last) last.push(wish)
    else groups.push([wish])
    isJoined = word.isJoined
  }
  return groups
}

/** Returns the first position of each group in a text; undefined if it does not occur. */
export const placesIn = async (
  text: string,
  query: Query,
  maybeYield: MaybeYield,
): Promise<readonly (number | undefined)[]> => {
  const words: Word[] = []
  for (const word of wordsIn(text)) {
    words.push(word)
    if (words.length % 256 === 0) await maybeYield()
  }
  return query.map((group) => {
    const place = words.findIndex((_, n) =>
      group.every((queryWord, offset) => isWanted(words[n + offset], queryWord)),
    )
    return words[place]?.at
  })
}

const isWanted = (word: Word | undefined, { forms, isPrefix }: QueryWord): boolean =>
  word?.forms.some((form) =>
    forms.some((wantedForm) => (isPrefix ? form.startsWith(wantedForm) : form === wantedForm)),
  ) ?? false

/** Returns the part of a text around a position, at most `most` UTF-16 units, cut at whole characters. */
export const getExcerpt = (text: string, place: number, maxLength = 300): string => {
  if (text.length <= maxLength) return text
  const from = Math.max(0, Math.min(place - Math.floor(maxLength / 3), text.length - maxLength))
  const words = text
    .slice(from, from + maxLength)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${from > 0 ? '…' : ''}${words.trim()}${from + maxLength < text.length ? '…' : ''}`
}

/** The end of a sentence or of a line, with the space after it. */
const sentenceEnd = /[.!?؟…]["”»’)\]*_]*\s+|[。！？]|\n/gu
/** In UTF-16 units. A word that is cut off by more is cut within. */
const maxWordPart = 30

/** Like `getExcerpt`, but begins and ends with a sentence if possible, else with a word. */
export const getSentences = (text: string, place: number, maxLength: number): string => {
  if (text.length <= maxLength) return text
  const from = Math.max(0, Math.min(place - Math.floor(maxLength / 3), text.length - maxLength))
  const ends = [...text.matchAll(sentenceEnd)].map(({ 0: end, index }) => index + end.length)
  const start = from === 0 ? 0 : (ends.find((end) => end >= from && end <= place) ?? nextWord(text, from))
  const limit = Math.min(text.length, start + maxLength)
  const lastEnd = ends.findLast((end) => end <= limit) ?? 0
  const end =
    limit === text.length
      ? limit
      : lastEnd > Math.max(place, start + maxLength / 2)
        ? lastEnd
        : wordBefore(text, limit)
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}

const nextWord = (text: string, from: number): number => {
  const space = text.slice(from, from + maxWordPart).search(/\s/)
  return space < 0 ? toCharacterStart(text, from) : from + space
}

const wordBefore = (text: string, to: number): number => {
  const space = text.slice(to - maxWordPart, to).search(/\s\S*$/)
  return space < 0 ? toCharacterStart(text, to) : to - maxWordPart + space
}

/** Never between the two halves of a character. */
const toCharacterStart = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at

/** Returns the position whose following `maxLength` UTF-16 units contain most of the positions. */
export const chooseWindow = (places: readonly (number | undefined)[], maxLength: number): number => {
  const knownPlaces = places.filter((place) => place !== undefined).sort((first, second) => first - second)
  const countFrom = (start: number) =>
    knownPlaces.filter((place) => place >= start && place < start + maxLength).length
  return knownPlaces.reduce(
    (bestPlace, place) => (countFrom(place) > countFrom(bestPlace) ? place : bestPlace),
    knownPlaces[0] ?? 0,
  )
}
