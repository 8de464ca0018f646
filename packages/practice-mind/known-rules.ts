/** Rules that list, look up and forget statements about the user. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { hintAt, lookingFor } from './answers.ts'
import { removeSubject } from './forget-rules.ts'
import { quotedWords } from './kept-words.ts'
import { overlap, significantWords } from './meaning-words.ts'
import { getStatementSubject, lastTouched } from './person-facts.ts'
import { type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { guessSpelling } from './spelling.ts'
import { asSentence } from './statement-sentences.ts'
import { type Words, wordsOf } from './words.ts'

export const listKnown: Rule = (clause, situation) => {
  const words = wordsOf(situation)
  const { statements } = situation
  if (!words.known.listQuestion.test(clause)) return undefined
  if (statements.length === 0) return say(words.known.nothing)
  return say(
    `${words.known.listHead}\n${statements.map(({ text, document }) => `- ${asSentence(text, words, document)}`).join('\n')}`,
  )
}

export const lookUp: Rule = (clause, situation) => {
  const table = wordsOf(situation)
  const { known } = table
  if (!table.isQuestion(clause)) return undefined
  const { statements } = situation
  for (const [form, subjects, unknownReply] of known.subjectQuestions) {
    if (!form.test(clause)) continue
    const matches = subjects.flatMap((subject) =>
      statements.filter(({ text }) => getStatementSubject(text) === subject),
    )
    if (matches.length > 0) return say(tellThem(matches, table))
    const words = statements
      .flatMap(({ text }) => quotedWords(text) ?? [])
      .find((storedWords) => form.test(`${known.my} ${guessSpelling(storedWords, table.clauses.correction)}`))
    return say(words === undefined ? unknownReply : table.keptWords.told(words))
  }
  for (const [form, kind, unknownReply] of known.kinds) {
    if (!form.test(clause)) continue
    const matches = statements.filter(({ text, document }) =>
      typeof kind === 'string' ? document === kind : kind.test(text),
    )
    return say(matches.length > 0 ? tellThem(matches, table) : unknownReply)
  }
  if (!known.aboutUser.test(clause) || known.notAboutUser.test(clause.replace(known.questionPrefix, '')))
    return undefined
  const bestMatches = bestFor(clause, statements, table)
  if (bestMatches.length > 0) return say(tellThem(bestMatches, table))
  const hint = hintAt(clause, statements, table)
  if (hint !== undefined) return say(hint)
  const query = lookingFor(clause, table)
  if (!query) return undefined
  if (situation.tools.has('recall')) return wish({ name: 'recall', input: { query, limit: 20 } })
  return say(known.unknown)
}

const tellThem = (statements: readonly KnownStatement[], words: Words) =>
  statements
    .slice(0, 8)
    .map(({ text, document }) => asSentence(text, words, document))
    .join(' ')

/** Returns the statements that share the most words with the text, if they share at least half of them. */
const bestFor = (
  text: string,
  statements: readonly KnownStatement[],
  { known }: Words,
): readonly KnownStatement[] => {
  const query = significantWords(text)
    .map((word) => known.synonyms[word] ?? word)
    .join(' ')
  const scores = statements.map((statement) => [statement, overlap(query, statement.text)] as const)
  const bestScore = Math.max(0, ...scores.map(([, score]) => score))
  // The statement must contain the owner: a question about the user's mother is not answered with a fact
  // about the user.
  const owner = significantWords(known.owner.exec(text)?.[1] ?? '')
  const minScore = Math.max(1, Math.ceil(significantWords(query).length / 2))
  return bestScore >= minScore
    ? scores
        .filter(
          ([{ text: statement }, score]) =>
            score === bestScore && owner.every((word) => significantWords(statement).includes(word)),
        )
        .map(([statement]) => statement)
    : []
}
export const forget: Rule = (clause, situation) => {
  const { statements, tools } = situation
  const { forget: texts } = wordsOf(situation)
  const isAsked = situation.spoken.at(-1)?.includes(texts.confirmationHint)
  const isCertain = isAsked && texts.confirms.test(clause)
  const subject = getForgotten(clause, wordsOf(situation))
  if (isAsked && texts.declines.test(clause)) return say(texts.declined)
  if (!isCertain && subject === undefined) return undefined
  if (!tools.has('remember')) return say(texts.cannot)
  if (isCertain) return forgetStatements(statements)
  if (statements.length === 0) return say(texts.nothingKnown)
  if (texts.allOfIt.test(subject ?? '')) return say(`${texts.wouldBeAll} ${texts.confirmationHint}`)
  const matches = findMeant(subject ?? '', situation)
  const [onlyMatch, ...rest] = matches
  if (onlyMatch && rest.length === 0) return wish(removeSubject(onlyMatch, subject ?? ''))
  if (matches.length > 0) return forgetStatements(matches)
  return say(texts.that.test(subject ?? '') ? texts.aboutWhat : texts.notFound)
}

/** Returns what a clause asks to forget; undefined if it asks for nothing. */
export const getForgotten = (clause: string, { forget: texts }: Words): string | undefined =>
  texts.pattern.exec(clause)?.groups?.what?.trim()

const forgetStatements = (statements: readonly KnownStatement[]) =>
  wish(...statements.slice(0, 40).map(({ id }) => ({ name: 'remember', input: { op: 'forget', id } })))

const findMeant = (subject: string, situation: Situation): readonly KnownStatement[] => {
  const { statements } = situation
  const words = wordsOf(situation)
  if (words.forget.lastStatement.test(subject)) {
    const last = lastTouched(situation)
    return last ? [last] : []
  }
  const topic = subject.replace(words.forget.conjunction, '')
  for (const [form, subjects] of words.known.subjectQuestions) {
    if (!form.test(`${topic}`)) continue
    const matches = statements.filter(({ text }) =>
      subjects.slice(0, 1).includes(getStatementSubject(text) ?? ''),
    )
    if (matches.length > 0) return matches
  }
  return bestFor(topic, statements, words)
}
