/** Whether words of one text stand in another, in any script, whatever their endings. */
import { plainly } from '../../../projections/knowledge.ts'
import { commonWords, grammarOnly } from './common-words.ts'

/** At least one word of the statement that carries meaning was said, in any script, whatever its ending. */
export const isSaidIn = (text: string, words: string): boolean => {
  const said = wordsOf(words)
  const meaning = meaningOf(text)
  if (meaning.length === 0) return isPlainlySaidIn(text, words)
  return meaning.some((word) => said.some((other) => isSame(word, other)))
}

/** A statement of nothing but common words shares two of the longer ones: "read my files". */
const isPlainlySaidIn = (text: string, words: string): boolean => {
  const longer = (of: string) =>
    new Set((plainly(of).match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => !allowing.test(word)))
  const said = longer(words)
  return [...longer(text)].filter((word) => said.has(word)).length >= 2
}

const allowing = /^(?:allow|permi|forbid|grant|erlaub|darf)/

/** Every such word of it was said, and there is one. */
export const isWhollySaidIn = (text: string, words: string): boolean => {
  const said = wordsOf(words)
  const meaning = meaningOf(text)
  return meaning.length > 0 && meaning.every((word) => said.some((other) => isSame(word, other)))
}

/**
 * Words that turn an allowance into its opposite, in the languages of those that say nothing by themselves.
 */
export const turns =
  /(?<!\p{L})(?:not|never|no|none|nobody|nothing|cannot|\p{L}+n['’]t|without|stop|forbid\p{L}*|nicht|nie|niemals|kein\p{L}*|verboten|ne|pas|jamais|aucune?|nunca|jamás|ninguna?|non|mai|não|nao|nie|nigdy|не|нет|никогда|нельзя)(?!\p{L})|不|没|沒|別|别|勿|禁|ない|ません|안 |못|마세요|마라|금지/iu

/** Whether a sentence that speaks of it says it the same way round: as allowed, or as not. */
export const isMeantIn = (text: string, words: string): boolean =>
  words
    .split(/[.!?;\n。！？；]+|,? \b(?:but|aber|sondern|mais|pero|però|mas|но)\b/iu)
    .some((sentence) => isSaidIn(text, sentence) && turns.test(sentence) === turns.test(text))

/** Letters that a word has at least to carry meaning by itself. */
const shortest = 4

/** A language of short words is read by those. */
export const meaningOf = (text: string): readonly string[] => {
  const words = wordsOf(text)
  const long = words.filter((word) => unspaced.test(word) || word.length >= shortest)
  return long.length * 2 >= words.length ? long : words
}

export const wordsOf = (text: string): readonly string[] => {
  const runs = plainly(text).match(oneKind) ?? []
  return runs.flatMap(piecesOf).filter((word) => word.length > 1 && !isCommon(word))
}

/**
 * Scripts that put nothing, or too much, between words: there two characters in a row stand for one; four,
 * where a character is a letter.
 */
const scripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`
const unspaced = new RegExp(`[${scripts}]`, 'u')
/** Letters and figures in a row, those of such a script apart. */
const oneKind = new RegExp(String.raw`[${scripts}]+|(?:(?![${scripts}])[\p{L}\p{M}\p{N}])+`, 'gu')
const lettered = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u

const piecesOf = (run: string): readonly string[] => {
  if (!unspaced.test(run)) return [run]
  const characters = [...run]
  const length = lettered.test(run) ? 4 : 2
  if (characters.length <= length) return [run]
  return characters.slice(length - 1).map((_, n) => characters.slice(n, n + length).join(''))
}

const isCommon = (word: string): boolean =>
  commonWords.has(word) || [...word].every((character) => grammarOnly.has(character))

/** The same but for an ending: `night` and `nights`. */
const isSame = (one: string, other: string): boolean => {
  if (one === other) return true
  const least = Math.max(shortest, Math.min(one.length, other.length) - 2)
  return one.length >= least && other.length >= least && one.slice(0, least) === other.slice(0, least)
}

/** The words of some texts, to be looked up. */
export interface WordIndex {
  has(word: string): boolean
}

export const indexOf = (texts: Iterable<string>): WordIndex => {
  const words = new Set<string>()
  const byBeginning = new Map<string, string[]>()
  for (const text of texts)
    for (const word of wordsOf(text)) {
      if (words.has(word)) continue
      words.add(word)
      if (word.length < shortest) continue
      const beginning = word.slice(0, shortest)
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), word])
    }
  return {
    has: (word) =>
      words.has(word) ||
      (byBeginning.get(word.slice(0, shortest)) ?? []).some((other) => isSame(word, other)),
  }
}
