/** Parses a query: all words must occur, quoted words next to each other. */
import type { MaybeYield } from '../../packages/kit/flow/yielding.ts'
import { type Word, withoutApostrophes, wordsIn } from './words.ts'

export interface Wanted {
  readonly forms: readonly string[]
  /** Prefix match. */
  readonly begins: boolean
  /** Whether to query the index. After a letter pair, its second letter adds nothing. */
  readonly looked: boolean
}

/** Words that must follow one another. */
export type Group = readonly Wanted[]
export type Query = readonly Group[]

/** Min letters of a prefix. */
export const enough = 3
/** Further groups are ignored. */
const maxGroups = 64

/**
 * `begins`: whether the `last` word may be a prefix if the text ends with it. Words before a star always may.
 * Quoted words never.
 */
export const parseQuery = (input: string, begins: 'last' | 'none'): Query => {
  const text = withoutApostrophes(input)
  const groups: Group[] = []
  let at = 0
  for (const [n, piece] of text.split(/["“”„«»]/).entries()) {
    const words = [...wordsIn(piece)]
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
  // Without duplicates.
  return [...new Map(named).values()].slice(0, maxGroups)
}

const wish = ({ forms, letter, joined }: Word, before: Word | undefined, open: boolean): Wanted => {
  if (letter) return { forms: forms.slice(-1), begins: false, looked: joined || !before?.joined }
  return { forms, begins: open && (forms[0]?.length ?? 0) >= enough, looked: true }
}

/** Keeps adjacent letters of unspaced scripts together. */
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
      group.every((wanted, offset) => isWanted(words[n + offset], wanted)),
    )
    return words[place]?.at
  })
}

const isWanted = (word: Word | undefined, { forms, begins }: Wanted): boolean =>
  word?.forms.some((form) => forms.some((wanted) => (begins ? form.startsWith(wanted) : form === wanted))) ??
  false

/** Returns the part of a text around a position, at most `most` UTF-16 units, cut at whole characters. */
export const getExcerpt = (text: string, place: number, most = 300): string => {
  if (text.length <= most) return text
  const from = Math.max(0, Math.min(place - Math.floor(most / 3), text.length - most))
  const words = text
    .slice(from, from + most)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
  return `${from > 0 ? '…' : ''}${words.trim()}${from + most < text.length ? '…' : ''}`
}
