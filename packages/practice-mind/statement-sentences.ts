/** Tells the user a statement about them. */
import { sentence } from './reply.ts'
import { type Words, wordTables } from './words.ts'

/** Returns the table of the language in which the practice mind wrote the statement, if it did. */
const getOwnTable = (statement: string): Words | undefined =>
  Object.values(wordTables).find(({ isOwnStatement }) => isOwnStatement(statement.trim()))

/** `words`: the language of a statement that another mind wrote. */
export const asClause = (statement: string, words: Words, document = 'person'): string =>
  (document === 'persona-trait' ? words : (getOwnTable(statement) ?? words)).asClause(statement, document)

export const asSentence = (statement: string, words: Words, document?: string): string =>
  sentence(asClause(statement, words, document))

export const isAboutUser = (statement: string): boolean => getOwnTable(statement) !== undefined

/**
 * Returns a statement about the user as a sentence to them, such as `Your name is Ana.` for `Their name is
 * Ana.` Returns null unless the result is certainly right: the statement must have a form that the practice
 * mind writes, and no other pronoun or clause whose meaning would have to be guessed.
 */
export const toSecondPerson = (statement: string): string | null => {
  const text = statement.trim()
  const table = getOwnTable(text)
  if (!table) return null
  const rest = text.replace(subject, '')
  return table === wordTables.en
    ? otherPronouns.en.test(rest)
      ? null
      : asSentence(text, table)
    : otherPronouns.de.test(rest) || otherClause.test(rest)
      ? null
      : asSentence(text, table)
}

/**
 * The pronoun for the user at the beginning of a statement, as in "They live in Porto." or "Ihr Name ist
 * Mia.". A German statement can begin with its verb and have none: "Wohnt in Porto."
 */
const subject = /^(?:They|Their|Ihre?[mnrs]?)(?!\p{L})/u

const otherPronouns = {
  en: /(?<!\p{L})(?:they|them|their|theirs|themselves|he|him|his|she|her|hers|it)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:sie|ihr|ihre[mnrs]?|ihnen|ihn|ihm|er|sich|sein|seine[mnrs]?)(?!\p{L})/iu,
}

/** A second verb would have to be conjugated, too. */
const otherClause = /,|(?<!\p{L})(?:und|oder|aber|dass|weil|wenn)(?!\p{L})/iu
