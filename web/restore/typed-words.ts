/**
 * Parses recovery words as a user types them: in any case, separated by spaces, line breaks or commas, with
 * quotes, numbers, accents, or only the first four letters. The daemon accepts the same forms.
 */
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

export const length = 24

export interface TypedWord {
  /** Position in the phrase, starting at 1. */
  readonly place: number
  /** The typed text, normalized. */
  readonly typed: string
  /** The complete word of the list, or an empty string if there is none. */
  readonly word: string
}

export interface TypedPhrase {
  readonly words: readonly TypedWord[]
  /** `short`: correct so far, but incomplete. */
  readonly state: 'short' | 'long' | 'unknown' | 'checksum' | 'whole'
}

const knownWords = new Set(wordlist)

/** `unfinished`: the user may still be typing the last word. */
export const readTyped = (input: string, { unfinished = false } = {}): TypedPhrase => {
  const all = splitWords(input).map((token, index) => ({
    place: index + 1,
    typed: token,
    word: findWord(token),
  }))
  const isOpen = unfinished && /[\p{L}\p{M}]$/u.test(input)
  const last = all.at(-1)
  const words = isOpen && last?.word === '' && isPrefix(last.typed) ? all.slice(0, -1) : all
  return { words: all, state: getState(words, all.length) }
}

/** Returns up to three similar words of the list, most similar first. */
export const suggestionsFor = (input: string): readonly string[] => {
  const similar = wordlist
    .map((word) => ({ word, apart: distance(input, word) - (word[0] === input[0] ? 0.5 : 0) }))
    .filter(({ apart }) => apart <= Math.max(2, input.length / 3))
  return similar
    .toSorted((a, b) => a.apart - b.apart)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** Replaces the word at a position of the text. */
export const replaced = (input: string, place: number, word: string): string => {
  let index = 0
  return input.replace(token, (match) => {
    const stem = match.replace(/^\d{1,2}/, '')
    if (stem === '') return match
    index += 1
    return index === place ? match.slice(0, match.length - stem.length) + word : match
  })
}

const token = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu

/** Splits the text into words in lower case without accents, and without numbers before them. */
const splitWords = (input: string): readonly string[] =>
  [...input.matchAll(token)]
    .map(([match]) => toPlainWord(match).replace(/^\d{1,2}/, ''))
    .filter((word) => word !== '')

const toPlainWord = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

const findWord = (word: string): string => {
  if (knownWords.has(word)) return word
  return (word.length > 3 && wordlist.find((candidate) => candidate.startsWith(word))) || ''
}

const isPrefix = (word: string) => wordlist.some((candidate) => candidate.startsWith(word))

const getState = (words: readonly TypedWord[], count: number): TypedPhrase['state'] => {
  if (words.some(({ word }) => word === '')) return 'unknown'
  if (count > length) return 'long'
  if (words.length < length) return 'short'
  try {
    mnemonicToEntropy(words.map(({ word }) => word).join(' '), wordlist)
    return 'whole'
  } catch {
    return 'checksum'
  }
}

/** Returns the number of letters to insert, delete, replace or swap with the next one. */
const distance = (a: string, b: string): number => {
  let previousRow: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let index = 1; index <= b.length; index++) {
      const isSame = a[i - 1] === b[index - 1]
      const isSwapped = i > 1 && index > 1 && a[i - 1] === b[index - 2] && a[i - 2] === b[index - 1]
      next[index] = Math.min(
        (row[index] ?? 0) + 1,
        (next[index - 1] ?? 0) + 1,
        (row[index - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (previousRow[index - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    previousRow = row
    row = next
  }
  return row[b.length] ?? 0
}
