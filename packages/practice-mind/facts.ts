/** Reads facts about the user from their sentences, with the forms of a language. */

export interface Fact {
  readonly document: string
  readonly text: string
}

/** A sentence in which users describe themselves, and the statement that it produces. */
export type FactForm = readonly [
  RegExp,
  (groups: Readonly<Record<string, string>>, clause: string) => Fact | undefined,
]

export interface FactWords {
  /** The first match wins. */
  readonly forms: readonly FactForm[]
  /** Brings a statement into the order of words that the forms read. */
  readonly reorder: (clause: string) => string
  /** Words before a statement, such as "remember that". */
  readonly preamble: RegExp
  /** Returns the statement after "remember that …", in any form. */
  readonly readNote: (clause: string) => string | undefined
  /** Words that only announce a correction. */
  readonly correction: RegExp
  /** Words between these and the correct sentence. */
  readonly correctionStart: RegExp
}

/** Max UTF-16 units per statement. */
export const maxStatementLength = 300

export const readFact = (clause: string, words: FactWords): Fact | undefined => {
  const bareClause = words.reorder(removeCorrection(clause, words).replace(words.preamble, ''))
  if (bareClause.endsWith('?') || bareClause.length > 400) return undefined
  for (const [form, make] of words.forms) {
    const match = form.exec(bareClause)
    const fact = match && make(match.groups ?? {}, bareClause)
    if (fact) return { ...fact, text: shorten(fact.text) }
  }
  const note = words.readNote(clause)
  return note === undefined ? undefined : { document: 'person', text: shorten(note) }
}

const shorten = (text: string): string =>
  text.length > maxStatementLength ? text.slice(0, maxStatementLength).replace(/[\uD800-\uDBFF]$/, '') : text

/** Removes words that only announce a correction. */
export const removeCorrection = (clause: string, { correction, correctionStart }: FactWords): string =>
  clause.replace(correction, '').replace(correctionStart, '').trim()

export const isCorrection = (clause: string, { correction }: FactWords): boolean => correction.test(clause)
