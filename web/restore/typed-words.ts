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

const known = new Set(wordlist)

/** `unfinished`: the user may still be typing the last word. */
export const readTyped = (typed: string, { unfinished = false } = {}): TypedPhrase => {
  const all = tokensOf(typed).map((token, at) => ({ place: at + 1, typed: token, word: wordOf(token) }))
  const isOpen = unfinished && /[\p{L}\p{M}]$/u.test(typed)
  const last = all.at(-1)
  const words = isOpen && last?.word === '' && isBegun(last.typed) ? all.slice(0, -1) : all
  return { words: all, state: stateOf(words, all.length) }
}

/** Returns up to three similar words of the list, most similar first. */
export const suggestionsFor = (typed: string): readonly string[] => {
  const near = wordlist
    .map((word) => ({ word, apart: distance(typed, word) - (word[0] === typed[0] ? 0.5 : 0) }))
    .filter(({ apart }) => apart <= Math.max(2, typed.length / 3))
  return near
    .toSorted((one, other) => one.apart - other.apart)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** Replaces the word at a position of the text. */
export const replaced = (typed: string, place: number, word: string): string => {
  let at = 0
  return typed.replace(token, (found) => {
    const stem = found.replace(/^\d{1,2}/, '')
    if (stem === '') return found
    at += 1
    return at === place ? found.slice(0, found.length - stem.length) + word : found
  })
}

const token = /[\p{L}\p{M}\p{N}\p{Cf}]+/gu

/** Splits the text into words in lower case without accents, and without numbers before them. */
const tokensOf = (typed: string): readonly string[] =>
  [...typed.matchAll(token)]
    .map(([found]) => plain(found).replace(/^\d{1,2}/, ''))
    .filter((word) => word !== '')

const plain = (word: string) =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

const wordOf = (word: string): string => {
  if (known.has(word)) return word
  return (word.length > 3 && wordlist.find((whole) => whole.startsWith(word))) || ''
}

const isBegun = (word: string) => wordlist.some((whole) => whole.startsWith(word))

const stateOf = (words: readonly TypedWord[], count: number): TypedPhrase['state'] => {
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
const distance = (one: string, other: string): number => {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let down = 1; down <= one.length; down++) {
    const next = [down]
    for (let at = 1; at <= other.length; at++) {
      const same = one[down - 1] === other[at - 1]
      const swapped = down > 1 && at > 1 && one[down - 1] === other[at - 2] && one[down - 2] === other[at - 1]
      next[at] = Math.min(
        (row[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (row[at - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
