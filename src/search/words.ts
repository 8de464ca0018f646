/**
 * Splits text into words without case and accents. Scripts without spaces are split into letters, each also
 * paired with the next.
 */

export interface Word {
  /** All forms under which it can be found. */
  readonly forms: readonly string[]
  /** Position in the text, in UTF-16 units. */
  readonly at: number
  readonly end: number
  /** A letter of an unspaced script; `joined` if the next letter follows directly. */
  readonly isLetter: boolean
  readonly isJoined: boolean
}

// Linear: does not backtrack, and looks past a mark between letters once.
const runs = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu
// Not Intl.Segmenter: its dictionary changes with Node, and a query may be split differently from the text.
const unspacedScript =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u
const apostrophe = /['’]/
const apostrophes = /['’]/g
const ascii = /^[0-9A-Za-z]+$/
const latin = /^[0-9A-Za-z\u00c0-\u024f]+$/
const wholeWord = /^(?:[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic})$/u
const part = /[\p{L}\p{N}\p{M}]/u

/** In UTF-16 units. Longer words are cut. */
const maxWordLength = 40

/** Lazy, so that callers can yield. Measured: takes an eighth of the time of `Intl.Segmenter`. */
export function* wordsIn(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (ascii.test(run)) yield plain([run.toLowerCase()], index, index + run.length)
    else if (latin.test(run)) yield plain(getSpellings(run, fold(run)), index, index + run.length)
    else if (apostrophe.test(run)) yield* joinedUp(run, index)
    else yield* foreignWords(run, index)
  }
}

/** For queries: `O'Reilly` becomes `OReilly`. */
export const withoutApostrophes = (text: string): string =>
  text.replace(runs, (run) => run.replace(apostrophes, ''))

/** `O'Reilly's` is one word. Its forms: without apostrophes, each part, and the first parts joined. */
function* joinedUp(run: string, offset: number): Generator<Word> {
  const words = [...wordsIn(run.replace(apostrophes, ''))]
  const forms =
    words.length === 1 ? toParts(run).flatMap((part) => [...wordsIn(part)].flatMap(({ forms }) => forms)) : []
  for (const word of words) {
    const end = words.length === 1 ? offset + run.length : offset + word.end
    yield { ...word, forms: [...new Set([...word.forms, ...forms])], at: offset + word.at, end }
  }
}

const toParts = (run: string): readonly string[] => {
  const parts = run.split(apostrophes)
  // Bounded for very long runs.
  return [...parts, ...parts.slice(0, 4).map((_, n) => parts.slice(0, n + 1).join(''))]
}

function* foreignWords(run: string, offset: number): Generator<Word> {
  const foldedRun = fold(run)
  const end = offset + run.length
  if (!unspacedScript.test(foldedRun) && wholeWord.test(foldedRun))
    return yield plain(getSpellings(run, foldedRun), offset, end)
  const letters = [...foldedRun]
  let word = ''
  for (let n = 0, place = offset; n < letters.length; place += letters[n++]?.length ?? 0) {
    const letter = letters[n] ?? ''
    const isUnspaced = unspacedScript.test(letter)
    if (!isUnspaced && part.test(letter)) {
      word += letter
      continue
    }
    if (word) yield plain([word], Math.min(place - word.length, end), Math.min(place, end))
    word = ''
    if (!isUnspaced || !part.test(letter)) continue
    const next = letters[n + 1] ?? ''
    const isJoined = unspacedScript.test(next) && part.test(next)
    const from = Math.min(place, end)
    const to = Math.min(place + letter.length, end)
    yield {
      forms: isJoined ? [letter, letter + next] : [letter],
      at: from,
      end: to,
      isLetter: true,
      isJoined,
    }
  }
  if (word) yield plain([word], Math.max(offset, end - word.length), end)
}

const plain = (forms: readonly string[], offset: number, end: number): Word => ({
  forms: forms.some(({ length }) => length > maxWordLength) ? forms.map(cutWord) : forms,
  at: offset,
  end,
  isLetter: false,
  isJoined: false,
})

const cutWord = (word: string): string =>
  word.length > maxWordLength ? word.slice(0, maxWordLength).replace(/[\uD800-\uDBFF]$/, '') : word

/** Optional accents and points. Vowel signs of other scripts count as letters. */
const marks =
  /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}]/gu
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ς: 'σ',
}

/** Removes case and accents. Keeps a text that has only marks. */
export const fold = (run: string): string => {
  const lowerRun = run.toLowerCase()
  const bareRun = lowerRun.normalize('NFKD').replace(marks, '').normalize('NFC').toLowerCase()
  return bareRun.replace(/[ßæœøđðłıþħς]/g, (letter) => letters[letter] ?? letter)
}

const roundedForms: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** `Müller` is found by `muller` and by `Mueller`. */
const getSpellings = (run: string, foldedRun: string): readonly string[] => {
  const lowerRun = run.normalize('NFC').toLowerCase()
  const spelling = lowerRun.replace(/[äöüøå]/g, (letter) => roundedForms[letter] ?? letter)
  return spelling === lowerRun ? [foldedRun] : [foldedRun, fold(spelling)]
}
