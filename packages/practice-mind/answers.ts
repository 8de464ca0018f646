/**
 * Rules for questions that no other rule takes. They match the question's words against the known statements,
 * and otherwise search the conversation.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { significantWords } from './meaning-words.ts'
import { type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { asSentence } from './statement-sentences.ts'
import { type Words, wordsOf } from './words.ts'

/**
 * Returns the subject of a question without the asking words. Returns undefined if the question is about the
 * persona itself.
 */
export const answerTo = (clause: string, { answers, isQuestion }: Words): string | undefined => {
  const statement = clause.replace(answers.knowPrefix, '')
  const rest = statement.replace(answers.tellPrefix, '')
  const hasQuestion =
    isQuestion(clause) || statement !== clause || (rest !== clause && answers.questionSubject.test(rest))
  return hasQuestion && rest && !answers.aboutPersona.test(rest) ? rest : undefined
}

const getKeys = (text: string, { answers }: Words) =>
  [...new Set(significantWords(text))].filter((word) => !answers.commonWords.has(word))

/** Treats short and long forms as the same word: the statements may contain either. */
const isIn = (word: string, words: ReadonlySet<string>, { answers }: Words) =>
  words.has(word) || (answers.synonyms[word] ?? []).some((synonym) => words.has(synonym))
const countShared = (keys: readonly string[], text: string, table: Words): number => {
  const words = new Set(significantWords(text))
  return keys.filter((word) => isIn(word, words, table)).length
}

/** Returns the statements that share the most keys, if they share at least `least`. */
const findBest = (
  keys: readonly string[],
  statements: readonly KnownStatement[],
  minShared: number,
  words: Words,
): readonly KnownStatement[] => {
  const scores = statements.map((statement) => [statement, countShared(keys, statement.text, words)] as const)
  const bestCount = Math.max(minShared, ...scores.map(([, count]) => count))
  return scores.filter(([, count]) => count === bestCount).map(([statement]) => statement)
}

const tellThem = (statements: readonly KnownStatement[], words: Words) =>
  statements
    .slice(0, 8)
    .map(({ text, document }) => asSentence(text, words, document))
    .join(' ')

/**
 * Answers "What is the wifi password?" or "wifi?" if a statement contains most of the question's words.
 * Questions about permission are left to other rules.
 */
export const answerKnown: Rule = (clause, situation) => {
  const words = wordsOf(situation)
  const subject = answerTo(clause, words)
  if (
    subject === undefined ||
    words.answers.outOfScope.test(subject) ||
    words.answers.otherQuestion.test(subject)
  )
    return undefined
  const keys = getKeys(subject, words)
  // Another rule answers questions that contain "my" or "our".
  if (keys.length === 0 || words.answers.ownedByUser.test(subject)) return undefined
  const matches = findBest(keys, situation.statements, Math.ceil((keys.length + 1) / 2), words)
  return matches.length > 0 ? say(tellThem(matches, words)) : undefined
}

/** Answers "What do you know about Lea?". */
export const answerAbout: Rule = (clause, situation) => {
  const { statements, tools } = situation
  const words = wordsOf(situation)
  const subject = words.answers.about.exec(clause)?.groups?.what?.trim()
  const keys = subject === undefined || words.answers.aboutUs.test(subject) ? [] : getKeys(subject, words)
  if (subject === undefined || keys.length === 0) return undefined
  const matches = statements.filter(({ text }) => countShared(keys, text, words) === keys.length)
  if (matches.length > 0)
    return say(
      `${words.answers.knownAbout(words.toThem(subject))}\n${matches.map(({ text, document }) => `- ${asSentence(text, words, document)}`).join('\n')}`,
    )
  return tools.has('recall')
    ? wish({ name: 'recall', input: { query: lookingFor(subject, words), limit: 20 } })
    : undefined
}

/**
 * Returns related statements if there is no certain answer. Returns undefined if there are none, or more than
 * 8.
 */
export const hintAt = (
  clause: string,
  statements: readonly KnownStatement[],
  words: Words,
): string | undefined => {
  const matches = findBest(getKeys(answerTo(clause, words) ?? clause, words), statements, 1, words)
  return matches.length > 0 && matches.length <= 8
    ? `${words.answers.uncertain} ${tellThem(matches, words)}`
    : undefined
}

/** Returns the meaningful words of a question, as typed, as a search query for the conversation. */
export const lookingFor = (clause: string, words: Words): string => {
  const text = answerTo(clause, words) ?? clause
  const keys = getKeys(text, words)
  return text
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => getKeys(word, words).some((key) => keys.includes(key)))
    .slice(0, 8)
    .join(' ')
}

/** Fallback for questions that no other rule answers. */
export const answerFromStatements: Rule = (clause, situation: Situation) => {
  const words = wordsOf(situation)
  const subject = answerTo(clause, words)
  if (subject === undefined || words.answers.outOfScope.test(subject) || words.answers.why.test(subject))
    return undefined
  const hint = hintAt(clause, situation.statements, words)
  if (hint !== undefined) return say(hint)
  const query = lookingFor(clause, words)
  return query && situation.tools.has('recall')
    ? wish({ name: 'recall', input: { query, limit: 20 } })
    : undefined
}
