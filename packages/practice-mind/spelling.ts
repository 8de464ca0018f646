/** Corrects typing errors in the few words that the rules depend on, if the correction is certain. */

export interface SpellingWords {
  /** Misspellings that are not words of the language and have only one correction, at any position. */
  readonly corrections: ReadonlyMap<string, string>
  /** Words that rules look for before the user's own content: "my name is", "I live in". */
  readonly ruleWords: readonly string[]
  /** Words of time. They may come first or last in a clause. */
  readonly timeWords: readonly string[]
  /** Correct words, including those that differ from a rule word by one error. */
  readonly knownWords: ReadonlySet<string>
  /**
   * After one of these words the user's own content follows: a name, a place or a task. It is not corrected.
   */
  readonly contentPrefixes: ReadonlySet<string>
  /** The word that begins a clause with words of the rules again, such as "that". */
  readonly that: string
  readonly asksForTime: RegExp
  readonly questionStart: RegExp
  /** The word after "my", captured. */
  readonly guessed: RegExp
  readonly guessable: readonly string[]
}

/**
 * Returns true for one missing or extra letter, two swapped letters, or one wrong letter in a word of 6 or
 * more.
 */
const isSlip = (word: string, key: string): boolean => {
  const lengthDifference = word.length - key.length
  if (Math.abs(lengthDifference) > 1 || word.length < 3) return false
  let index = 0
  while (index < word.length && word[index] === key[index]) index++
  if (lengthDifference !== 0)
    return (
      index > 0 &&
      word.slice(lengthDifference > 0 ? index + 1 : index) ===
        key.slice(lengthDifference > 0 ? index : index + 1)
    )
  const isSwap =
    word[index] === key[index + 1] &&
    word[index + 1] === key[index] &&
    word.slice(index + 2) === key.slice(index + 2)
  return isSwap || (index > 0 && key.length >= 6 && word.slice(index + 1) === key.slice(index + 1))
}

/** Returns undefined if the word is correct or has several possible corrections. */
const correct = (
  word: string,
  keys: readonly string[],
  { knownWords }: SpellingWords,
): string | undefined => {
  if (knownWords.has(word)) return undefined
  const [onlyMatch, ...rest] = keys.filter((key) => isSlip(word, key))
  return rest.length > 0 ? undefined : onlyMatch
}

/** Corrects certain typing errors in a clause. Does not change text in quotation marks or in capitals. */
export const fixSpelling = (clause: string, words: SpellingWords): string => {
  let open = true
  const correctedPieces = pieces(clause).map((piece) => {
    if (!/^[\p{L}\d-]+$/u.test(piece)) {
      if (/^["“„:]/.test(piece.trim())) open = false
      return piece
    }
    const lowerPiece = piece.toLowerCase()
    const right =
      words.corrections.get(lowerPiece) ??
      (open && piece !== lowerPiece.toUpperCase() && isSmall(piece, clause)
        ? correct(lowerPiece, words.ruleWords, words)
        : undefined)
    if (right === words.that || lowerPiece === words.that) open = true
    else if (words.contentPrefixes.has(right ?? lowerPiece)) open = false
    return right ? matchCase(piece, right) : piece
  })
  const text = correctedPieces.join('')
  if (words.questionStart.test(text)) return correctAll(text, words.ruleWords, clause, words)
  return words.asksForTime.test(text) ? correctAll(text, words.timeWords, clause, words) : text
}

/**
 * Corrects every word. Used for questions, which have no content of the user's own, and for words of time in
 * requests to plan.
 */
const correctAll = (text: string, keys: readonly string[], clause: string, words: SpellingWords): string =>
  pieces(text)
    .map((piece) => (isSmall(piece, clause) ? (correct(piece, keys, words) ?? piece) : piece))
    .join('')

const pieces = (text: string): readonly string[] => text.split(/([^\p{L}\d-]+)/u)

/** Returns true for lowercase words, and for the first word of the clause. */
const isSmall = (piece: string, clause: string): boolean =>
  piece === piece.toLowerCase() ||
  (clause.startsWith(piece) && piece.slice(1) === piece.slice(1).toLowerCase())

const matchCase = (piece: string, right: string): string =>
  piece === piece.toLowerCase()
    ? right
    : piece === piece.toUpperCase()
      ? right.toUpperCase()
      : right.slice(0, 1).toUpperCase() + right.slice(1)

/** Guesses the word after "my" if it is too different for a certain correction. */
export const guessSpelling = (
  clause: string,
  { guessed, guessable, knownWords }: SpellingWords,
): string | undefined => {
  const word = guessed.exec(clause)?.[1]?.toLowerCase()
  if (word === undefined || knownWords.has(word) || guessable.includes(word)) return undefined
  return guessable.find((key) => word !== `${key}s` && isNear(word, key))
}

/**
 * Returns true if two errors separate the words: the same letters in another order, or at most two edits in a
 * word of 6 or more.
 */
const isNear = (word: string, key: string): boolean => {
  if (word[0] !== key[0] && word[1] !== key[0]) return false
  const sortLetters = (text: string) => [...text].sort().join('')
  if (sortLetters(word) === sortLetters(key)) return true
  return key.length >= 6 && distance(word, key) <= 2
}

/** Levenshtein distance between short words. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, otherLetter] of [...b].entries())
      next.push(
        Math.min((row[j] ?? 0) + (letter === otherLetter ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
