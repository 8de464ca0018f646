/**
 * Rules for questions that no other rule takes. They match the question's words against the known statements,
 * and otherwise search the conversation.
 */

import type { KnownStatement } from '../models/prompt-data.ts'
import { isQuestion } from './clauses.ts'
import { significantWords } from './meaning-words.ts'
import { asSentence, toThem } from './pronouns.ts'
import { type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'

/** Matches the prefix "Do you know …". The subject of the question follows it. */
const knowPrefix =
  /^(?:do|did|can|could|would|will) you (?:please )?(?:still |even |already )?(?:know|remember|recall|tell me|say|find|look up)\b(?: again)?(?: of| about| out)? ?/i
const tellPrefix = /^(?:please )?(?:tell|show) me (?:again )?(?:about )?(?=\S)/i
const aboutPersona = /\b(?:you|your|yours|yourself)\b/i

/**
 * Returns the subject of a question without the asking words. Returns undefined if the question is about the
 * persona itself.
 */
export const answerTo = (clause: string): string | undefined => {
  const statement = clause.replace(knowPrefix, '')
  const rest = statement.replace(tellPrefix, '')
  const hasQuestion =
    isQuestion(clause) ||
    statement !== clause ||
    (rest !== clause && /^(?:my|our|the|what|where|when|who|which|how)\b/i.test(rest))
  return hasQuestion && rest && !aboutPersona.test(rest) ? rest : undefined
}

/** Words that are too common to search for. */
const commonWords: ReadonlySet<string> = new Set(
  `go get got make use used want need have own like love hate good best old new live work eat drink day time date today tomorrow tonight now week month year thing stuff people person way kind
  allowed permitted name called favourite much many long often ago back there sure right really idea still already currently exactly say go am pm`.split(
    /\s+/,
  ),
)
const outOfScope = /\b(?:weather|forecast|news|joke|poem|story|song|\d+ ?[-+*/x×÷=] ?\d+)\b/i

const getKeys = (text: string) =>
  [...new Set(significantWords(text))].filter((word) => !commonWords.has(word))

/** Treats short and long forms as the same word: the statements may contain either. */
const isIn = (word: string, words: ReadonlySet<string>) =>
  words.has(word) || (synonyms[word] ?? []).some((synonym) => words.has(synonym))
const synonyms: Readonly<Record<string, readonly string[]>> = {
  mum: ['mom', 'mother'],
  mom: ['mum', 'mother'],
  mother: ['mum', 'mom'],
  dad: ['father'],
  father: ['dad'],
  passcode: ['password', 'code'],
  password: ['passcode', 'pin'],
  pin: ['password', 'code'],
  phone: ['mobile', 'number'],
  wlan: ['wifi'],
  job: ['work'],
  bday: ['birthday'],
  kid: ['child', 'children', 'son', 'daughter'],
  flat: ['apartment'],
  apartment: ['flat'],
  spouse: ['wife', 'husband'],
  partner: ['wife', 'husband', 'girlfriend', 'boyfriend'],
  parked: ['park', 'parking'],
  park: ['parked', 'parking'],
}

const countShared = (keys: readonly string[], text: string): number => {
  const words = new Set(significantWords(text))
  return keys.filter((word) => isIn(word, words)).length
}

/** Returns the statements that share the most keys, if they share at least `least`. */
const findBest = (
  keys: readonly string[],
  statements: readonly KnownStatement[],
  minShared: number,
): readonly KnownStatement[] => {
  const scores = statements.map((statement) => [statement, countShared(keys, statement.text)] as const)
  const bestCount = Math.max(minShared, ...scores.map(([, count]) => count))
  return scores.filter(([, count]) => count === bestCount).map(([statement]) => statement)
}

const tellThem = (statements: readonly KnownStatement[]) =>
  statements
    .slice(0, 8)
    .map(({ text, document }) => asSentence(text, document))
    .join(' ')

/**
 * Answers "What is the wifi password?" or "wifi?" if a statement contains most of the question's words.
 * Questions about permission are left to other rules.
 */
export const answerKnown: Rule = (clause, { statements }) => {
  const subject = answerTo(clause)
  if (
    subject === undefined ||
    outOfScope.test(subject) ||
    /^(?:can|could|may|should|must|would|will|shall|why|how)\b/i.test(subject)
  )
    return undefined
  const keys = getKeys(subject)
  // Another rule answers questions that contain "my" or "our".
  if (keys.length === 0 || /\b(?:my|our|i|me|mine|we)\b/i.test(subject)) return undefined
  const matches = findBest(keys, statements, Math.ceil((keys.length + 1) / 2))
  return matches.length > 0 ? say(tellThem(matches)) : undefined
}

const aboutPattern =
  /^(?:(?:so|and) )?(?:(?:what|anything|something|which things) )?(?:else )?(?:do|did|can) you (?:still |already )?(?:know|remember|recall)(?: anything| something)? (?:about|of|regarding) (?<what>[^?]{1,100})\??$/i

/** Answers "What do you know about Lea?". */
export const answerAbout: Rule = (clause, { statements, tools }) => {
  const subject = aboutPattern.exec(clause)?.groups?.what?.trim()
  const keys =
    subject === undefined || /\b(?:me|myself|you|yourself|us)\b/i.test(subject) ? [] : getKeys(subject)
  if (subject === undefined || keys.length === 0) return undefined
  const matches = statements.filter(({ text }) => countShared(keys, text) === keys.length)
  if (matches.length > 0)
    return say(
      `This I know about ${toThem(subject)}:\n${matches.map(({ text, document }) => `- ${asSentence(text, document)}`).join('\n')}`,
    )
  return tools.has('recall')
    ? wish({ name: 'recall', input: { query: lookingFor(subject), limit: 20 } })
    : undefined
}

/**
 * Returns related statements if there is no certain answer. Returns undefined if there are none, or more than
 * 8.
 */
export const hintAt = (clause: string, statements: readonly KnownStatement[]): string | undefined => {
  const matches = findBest(getKeys(answerTo(clause) ?? clause), statements, 1)
  return matches.length > 0 && matches.length <= 8
    ? `I cannot answer that for certain. This I know: ${tellThem(matches)}`
    : undefined
}

/** Returns the meaningful words of a question, as typed, as a search query for the conversation. */
export const lookingFor = (clause: string): string =>
  (answerTo(clause) ?? clause)
    .split(/[^\p{L}\p{N}'-]+/u)
    .filter((word) => getKeys(word).length > 0)
    .slice(0, 8)
    .join(' ')

/** Fallback for questions that no other rule answers. */
export const answerFromStatements: Rule = (clause, { statements, tools }: Situation) => {
  const subject = answerTo(clause)
  if (subject === undefined || outOfScope.test(subject) || /^why\b/i.test(subject)) return undefined
  const hint = hintAt(clause, statements)
  if (hint !== undefined) return say(hint)
  const query = lookingFor(clause)
  return query && tools.has('recall') ? wish({ name: 'recall', input: { query, limit: 20 } }) : undefined
}
