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
