/** Compares the words of two texts, in any script, ignoring endings. */
import { toPlainText } from '../../../projections/knowledge.ts'
import { commonWords, grammarOnly } from './common-words.ts'

/** Returns true if `words` contains at least one meaningful word of `text`. */
export const isSaidIn = (text: string, words: string): boolean => {
  const spokenWords = splitWords(words)
  const significantWords = getSignificantWords(text)
  if (significantWords.length === 0) return isPlainlySaidIn(text, words)
  return significantWords.some((word) => spokenWords.some((spokenWord) => isSame(word, spokenWord)))
}

/** A text of common words only ("read my files") must share two longer words. */
const isPlainlySaidIn = (text: string, words: string): boolean => {
  const filterLongWords = (text: string) =>
    new Set(
      (toPlainText(text).match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => !permissionWord.test(word)),
    )
  const spokenWords = filterLongWords(words)
  return [...filterLongWords(text)].filter((word) => spokenWords.has(word)).length >= 2
}

const permissionWord = /^(?:allow|permi|forbid|grant|erlaub|darf)/

/** Returns true if `words` contains every meaningful word of `text`, and there is at least one. */
export const isWhollySaidIn = (text: string, words: string): boolean => {
  const spokenWords = splitWords(words)
  const significantWords = getSignificantWords(text)
  return (
    significantWords.length > 0 &&
    significantWords.every((word) => spokenWords.some((spokenWord) => isSame(word, spokenWord)))
  )
}

/** Words that negate a permission, in the same languages as the common words. */
export const turns =
  /(?<!\p{L})(?:not|never|no|none|nobody|nothing|cannot|\p{L}+n['’]t|without|stop|forbid\p{L}*|nicht|nie|niemals|kein\p{L}*|verboten|ne|pas|jamais|aucune?|nunca|jamás|ninguna?|non|mai|não|nao|nie|nigdy|не|нет|никогда|нельзя)(?!\p{L})|不|没|沒|別|别|勿|禁|ない|ません|안 |못|마세요|마라|금지/iu

/**
 * Returns true if a sentence of `words` mentions `text` with the same polarity: both allow or both forbid.
 */
export const isMeantIn = (text: string, words: string): boolean =>
  words
    .split(/[.!?;\n。！？；]+|,? \b(?:but|aber|sondern|mais|pero|però|mas|но)\b/iu)
    .some((sentence) => isSaidIn(text, sentence) && turns.test(sentence) === turns.test(text))

/** Min letters of a word that carries meaning by itself. */
const minWordLength = 4

/** Returns the long words. If most words are short, returns all of them. */
export const getSignificantWords = (text: string): readonly string[] => {
  const words = splitWords(text)
  const longWords = words.filter((word) => unspacedScript.test(word) || word.length >= minWordLength)
  return longWords.length * 2 >= words.length ? longWords : words
}

export const splitWords = (text: string): readonly string[] => {
  const runs = toPlainText(text).match(oneKind) ?? []
  return runs.flatMap(toPieces).filter((word) => word.length > 1 && !isCommon(word))
}

/**
 * Scripts that use no spaces, or spaces at other places than between words. There, two consecutive characters
 * count as a word; four in alphabetic scripts such as Thai.
 */
const scripts = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`
const unspacedScript = new RegExp(`[${scripts}]`, 'u')
/** A run of letters and digits, split where such a script begins or ends. */
const oneKind = new RegExp(String.raw`[${scripts}]+|(?:(?![${scripts}])[\p{L}\p{M}\p{N}])+`, 'gu')
const alphabeticScript = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u

const toPieces = (run: string): readonly string[] => {
  if (!unspacedScript.test(run)) return [run]
  const characters = [...run]
  const length = alphabeticScript.test(run) ? 4 : 2
  if (characters.length <= length) return [run]
  return characters.slice(length - 1).map((_, n) => characters.slice(n, n + length).join(''))
}

const isCommon = (word: string): boolean =>
  commonWords.has(word) || [...word].every((character) => grammarOnly.has(character))

/** Compares two words, ignoring their endings: `night` and `nights`. */
const isSame = (first: string, spokenWord: string): boolean => {
  if (first === spokenWord) return true
  const comparedLength = Math.max(minWordLength, Math.min(first.length, spokenWord.length) - 2)
  return (
    first.length >= comparedLength &&
    spokenWord.length >= comparedLength &&
    first.slice(0, comparedLength) === spokenWord.slice(0, comparedLength)
  )
}

/** A lookup of the words of some texts. */
export interface WordIndex {
  has(word: string): boolean
}

export const createWordIndex = (texts: Iterable<string>): WordIndex => {
  const words = new Set<string>()
  const byBeginning = new Map<string, string[]>()
  for (const text of texts)
    for (const word of splitWords(text)) {
      if (words.has(word)) continue
      words.add(word)
      if (word.length < minWordLength) continue
      const beginning = word.slice(0, minWordLength)
      byBeginning.set(beginning, [...(byBeginning.get(beginning) ?? []), word])
    }
  return {
    has: (word) =>
      words.has(word) ||
      (byBeginning.get(word.slice(0, minWordLength)) ?? []).some((spokenWord) => isSame(word, spokenWord)),
  }
}
