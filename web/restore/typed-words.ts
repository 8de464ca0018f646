/**
 * Recovery words as a person types them: any case, spaces, line ends, commas, quotes, numbers before them,
 * accents, only the first four letters; read as the daemon reads them.
 */
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

export const length = 24

export interface TypedWord {
  /** From 1. */
  readonly place: number
  /** As it stands there. */
  readonly typed: string
  /** The whole word; empty where it is none of the list. */
  readonly word: string
}

export interface TypedPhrase {
  readonly words: readonly TypedWord[]
  /** `short`: so far, so good. */
  readonly state: 'short' | 'long' | 'unknown' | 'checksum' | 'whole'
}

const known = new Set(wordlist)

/** `unfinished`: its last word may still be being typed. */
export const readTyped = (typed: string, { unfinished = false } = {}): TypedPhrase => {
  const all = tokensOf(typed).map((token, at) => ({ place: at + 1, typed: token, word: wordOf(token) }))
  const isOpen = unfinished && /[\p{L}\p{M}]$/u.test(typed)
  const last = all.at(-1)
  const words = isOpen && last?.word === '' && isBegun(last.typed) ? all.slice(0, -1) : all
  return { words: all, state: stateOf(words, all.length) }
}

/** The words of the list that are most like it, best first. */
export const suggestionsFor = (typed: string): readonly string[] => {
  const near = wordlist
    .map((word) => ({ word, apart: distance(typed, word) - (word[0] === typed[0] ? 0.5 : 0) }))
    .filter(({ apart }) => apart <= Math.max(2, typed.length / 3))
  return near
    .toSorted((one, other) => one.apart - other.apart)
    .slice(0, 3)
    .map(({ word }) => word)
}

/** The same text with the word of that place replaced. */
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

/** Letters as they look on any keyboard; a number stands before a word. */
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

/** Letters to put in, take out, change, or swap with the next. */
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
