/** Rule for statements that are not understood with certainty: stores the user's own words. */

import { type Rule, wish } from './reply.ts'
import { guessSpelling } from './spelling.ts'
import { type Words, wordsOf, wordTables } from './words.ts'

export const keepWords: Rule = (clause, situation) => {
  const { clauses, keptWords } = wordsOf(situation)
  return guessSpelling(clause, clauses.correction) === undefined ||
    clause.length > 250 ||
    !situation.tools.has('remember')
    ? undefined
    : wish({
        name: 'remember',
        input: { op: 'keep', document: 'person', text: keptWords.statement(clause) },
      })
}

/** Returns the quoted words of a statement that this rule stored. */
export const quotedWords = (statement: string): string | undefined =>
  Object.values(wordTables)
    .map(({ keptWords }) => keptWords.quotation.exec(statement)?.[1])
    .find((words) => words !== undefined)

export const describeKept = (text: string, { clauses, keptWords }: Words): string => {
  const guess = guessSpelling(text, clauses.correction)
  return `${keptWords.told(text)}${guess ? ` ${keptWords.askAgain(guess)}` : ''}`
}
