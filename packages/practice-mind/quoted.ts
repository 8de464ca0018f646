/** Rule for statements that are not understood with certainty: stores the user's own words. */

import { type Rule, wish } from './reply.ts'
import { guessSpelling } from './spelling.ts'

export const keepWords: Rule = (clause, { tools }) =>
  guessSpelling(clause) === undefined || clause.length > 250 || !tools.has('remember')
    ? undefined
    : wish({ name: 'remember', input: { op: 'keep', document: 'person', text: `They said: “${clause}”.` } })

const storedWords = /^They said: “(.+)”\.$/

/** Returns the quoted words of a statement that this rule stored. */
export const quotedWords = (statement: string): string | undefined => storedWords.exec(statement)?.[1]

export const describeKept = (words: string): string => {
  const guess = guessSpelling(words)
  return `I kept your words: “${words}”.${guess ? ` If you meant your ${guess}, tell me once more.` : ''}`
}
