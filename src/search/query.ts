/**
 * What is looked for, as it was typed: every word has to be there; what stands in quotation marks, side by
 * side.
 */
import type { MaybeYield } from '../flow/yielding.ts'
import { type Word, withoutApostrophes, wordsOf } from './words.ts'

export interface Wanted {
  readonly forms: readonly string[]
  /** Any word that begins with it will do. */
  readonly begins: boolean
  /** Whether the index is asked for it: beside a pair of letters, the second of them says nothing new. */
  readonly looked: boolean
}

/** Words that have to follow one another. */
export type Group = readonly Wanted[]
export type Query = readonly Group[]

/** Letters of a word that may be the beginning of others. */
export const enough = 3
/** More ask for nothing that anybody would look for. */
const mostGroups = 64

/**
 * `begins`: which words outside of quotation marks may be only begun; the `last` one, where the text ends
 * with it. One before a star always may.
 */
export const queryOf = (asked: string, begins: 'last' | 'none'): Query => {
  const text = withoutApostrophes(asked)
  const groups: Group[] = []
  let at = 0
  for (const [n, piece] of text.split(/["“”„«»]/).entries()) {
    const words = [...wordsOf(piece)]
    const quoted = n % 2 === 1
    const open = (word: Word) =>
      !quoted && (piece[word.end] === '*' || (begins === 'last' && at + word.end === text.length))
    const wanted = words.map((word, place) => ({ word, wish: wish(word, words[place - 1], open(word)) }))
    if (quoted) groups.push(wanted.map(({ wish }) => wish))
    else groups.push(...grouped(wanted))
    at += piece.length + 1
  }
  const named = groups
    .filter(({ length }) => length > 0)
    .map((group) => [JSON.stringify(group), group] as const)
  // The same word twice asks for no more than once.
  return [...new Map(named).values()].slice(0, mostGroups)
}

const wish = ({ forms, letter, joined }: Word, before: Word | undefined, open: boolean): Wanted => {
  if (letter) return { forms: forms.slice(-1), begins: false, looked: joined || !before?.joined }
  return { forms, begins: open && (forms[0]?.length ?? 0) >= enough, looked: true }
}

/** Letters that stand together stay together, other words may stand anywhere. */
const grouped = (words: readonly { readonly word: Word; readonly wish: Wanted }[]): readonly Group[] => {
  const groups: Wanted[][] = []
  let joined = false
  for (const { word, wish } of words) {
    const last = groups.at(-1)
    if (joined && last) last.push(wish)
    else groups.push([wish])
    joined = word.joined
  }
  return groups
}

/** Where each group of a query first stands in a text; undefined for one that does not. */
export const placesIn = async (
  text: string,
  query: Query,
  maybeYield: MaybeYield,
): Promise<readonly (number | undefined)[]> => {
  const words: Word[] = []
  for (const word of wordsOf(text)) {
    words.push(word)
    if (words.length % 256 === 0) await maybeYield()
  }
  return query.map((group) => {
    const place = words.findIndex((_, n) =>
      group.every((wanted, offset) => isWanted(words[n + offset], wanted)),
    )
    return words[place]?.at
  })
}

const isWanted = (word: Word | undefined, { forms, begins }: Wanted): boolean =>
  word?.forms.some((form) => forms.some((wanted) => (begins ? form.startsWith(wanted) : form === wanted))) ??
  false

/** The part of a text around a place, at most so many UTF-16 units of it, cut at whole characters. */
export const excerptOf = (text: string, place: number, most = 300): string => {
  if (text.length <= most) return text
  const from = Math.max(0, Math.min(place - Math.floor(most / 3), text.length - most))
  const words = text
    .slice(from, from + most)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${from > 0 ? '…' : ''}${words.trim()}${from + most < text.length ? '…' : ''}`
}
