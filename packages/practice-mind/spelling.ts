/** Corrects typing errors in the few words that the rules depend on, if the correction is certain. */

/** Misspellings that are not English words and have only one correction, at any position. */
const corrections: ReadonlyMap<string, string> = new Map(
  `teh the|hte the|thier their|adn and|taht that|tath that|thta that|waht what|wat what|whta what|wut what|wehre where|whre where|wher where|wich which|wiht with|hwo how|becuase because
  becasue because|rember remember|remeber remember|remmeber remember|rememeber remember|remembr remember|rimind remind|remaind remind|tommorow tomorrow|tommorrow tomorrow|tomorow tomorrow
  tomorro tomorrow|tmrw tomorrow|tmrrw tomorrow|tmr tomorrow|2moro tomorrow|2morrow tomorrow|wensday wednesday|wedensday wednesday|wendsday wednesday|thrusday thursday|freind friend|recieve receive
  favrite favourite|favorit favorite|favourit favourite|brithday birthday|bday birthday|b-day birthday|apointment appointment|appoinment appointment|appt appointment|mintues minutes|mins minutes
  calender calendar|pasword password|passwrod password|passwort password|adress address|alergic allergic|vegeterian vegetarian|vegitarian vegetarian|definately definitely`
    .split(/[|\n]\s*/)
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Words that rules look for before the user's own content: "my name is", "I live in". */
const ruleWords =
  'name live work like love hate have remind remember forget delete cancel birthday born called what where when which know about password number sister brother mother father husband daughter friend favourite favorite address allergic planned reminder appointment meeting calendar moved'.split(
    ' ',
  )
/** Words of time. They may come first or last in a clause. */
const timeWords =
  'tomorrow today tonight morning afternoon evening monday tuesday wednesday thursday friday saturday sunday january february april august september october november december minute minutes hours weeks months'.split(
    ' ',
  )

/** English words that differ from those by one error but are correct. */
const similarWords: ReadonlySet<string> = new Set(
  `names named lie lied lies lived liver lives liven wok works worked liked liken likes loved lover loves clove hat hated hates hater haven haves halve reminds remand rewind rebind remembers
  forgets forge forgot forged forger deleted deletes deplete cancer cancels canceled birthdays borne bone bon caller calls culled calmed wheat were wheres whence hen then known knows abut abouts
  passwords numbers numbed sisters sifter bother brothers broth mothers other feather farther fathers fatter husbands daughters friends fried fiend favourites favorites addresses planed planner planted
  reminders remainder appointments meetings melting meting calendars mooed movie mover moves mused moped toady todays mourning mornings evenings mondays fridays sundays sundry sundae minuets ours hour
  move whats whens sitter callee bjorn reminded deleter weeks week month moth moths months minute minutes horus mouths`.split(
    /\s+/,
  ),
)
const knownWords: ReadonlySet<string> = new Set([...ruleWords, ...timeWords, ...similarWords])

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
const correct = (word: string, keys: readonly string[]): string | undefined => {
  if (knownWords.has(word)) return undefined
  const [onlyMatch, ...rest] = keys.filter((key) => isSlip(word, key))
  return rest.length > 0 ? undefined : onlyMatch
}

/**
 * After one of these words the user's own content follows: a name, a place or a task. It is not corrected.
 */
const contentPrefixes: ReadonlySet<string> = new Set(
  'is are was were in at as to from called named on like likes love loves hate hates have has want need prefer me about for'.split(
    ' ',
  ),
)
const asksForTime = /\b(?:remind|reminder|alarm|timer|schedule|appointment|meeting|calendar|planned|wake)\b/i
const questionStart = /^(?:tell me|what|where|when|who|which|how|do|does|did|is|are|am)\b/i

/** Corrects certain typing errors in a clause. Does not change text in quotation marks or in capitals. */
export const fixSpelling = (clause: string): string => {
  let open = true
  const correctedPieces = pieces(clause).map((piece) => {
    if (!/^[\p{L}\d-]+$/u.test(piece)) {
      if (/^["“„:]/.test(piece.trim())) open = false
      return piece
    }
    const lowerPiece = piece.toLowerCase()
    const right =
      corrections.get(lowerPiece) ??
      (open && piece !== lowerPiece.toUpperCase() && isSmall(piece, clause)
        ? correct(lowerPiece, ruleWords)
        : undefined)
    if (right === 'that' || lowerPiece === 'that') open = true
    else if (contentPrefixes.has(right ?? lowerPiece)) open = false
    return right ? matchCase(piece, right) : piece
  })
  const text = correctedPieces.join('')
  if (questionStart.test(text)) return correctAll(text, ruleWords, clause)
  return asksForTime.test(text) ? correctAll(text, timeWords, clause) : text
}

/**
 * Corrects every word. Used for questions, which have no content of the user's own, and for words of time in
 * requests to plan.
 */
const correctAll = (text: string, keys: readonly string[], clause: string): string =>
  pieces(text)
    .map((piece) => (isSmall(piece, clause) ? (correct(piece, keys) ?? piece) : piece))
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

const guessable =
  'name birthday address brother sister mother father husband daughter friend favourite password number appointment'.split(
    ' ',
  )

/** Guesses the word after "my" if it is too different for a certain correction. */
export const guessSpelling = (clause: string): string | undefined => {
  const word = /^my ([a-z]{3,20}) (?:is|are)\b/i.exec(clause)?.[1]?.toLowerCase()
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
