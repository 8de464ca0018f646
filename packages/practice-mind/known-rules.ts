/** Rules that list, look up and forget statements about the user. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { hintAt, lookingFor } from './answers.ts'
import { isQuestion } from './clauses.ts'
import { removeSubject } from './forget-rules.ts'
import { overlap, significantWords } from './meaning-words.ts'
import { getStatementSubject, lastTouched } from './person-facts.ts'
import { asSentence } from './pronouns.ts'
import { quotedWords } from './quoted.ts'
import { type Rule, say, wish } from './reply.ts'
import type { Situation } from './situation.ts'
import { guessSpelling } from './spelling.ts'

const listQuestion =
  /^(?:so )?(?:(?:what|which things?|tell me what|how much) (?:do |did |have |all )?(?:you |do you )?(?:already |still |actually |really |all )?(?:know|learned|learnt|remember(?:ed)?|kept|noted|stored)(?: so far)?(?: about me| of me| about us)?(?: so far| now| already)?|what(?:'s| is) in your memory(?: about me)?|(?:do|did) you (?:know|remember)(?: anything| something| things)? (?:about )?me|(?:can you )?(?:tell me|say)(?: something| everything| anything| all)?(?: that)?(?: you know)? about (?:me|myself)|who am i|describe me|show (?:me )?(?:your|what) (?:memory|memories|you (?:know|remember)).*)\??$/i

export const listKnown: Rule = (clause, { statements }) => {
  if (!listQuestion.test(clause)) return undefined
  if (statements.length === 0)
    return say(
      'I know nothing about you yet. Tell me something, such as your name or where you live, and I will remember it.',
    )
  return say(
    `Here is what I know about you:\n${statements.map(({ text, document }) => `- ${asSentence(text, document)}`).join('\n')}`,
  )
}

const questionPrefix =
  /^(?:and |so )?(?:(?:what |where |when |who )?(?:do|can|did) you (?:still |even |already )?(?:know|remember|recall|tell me|have)(?: of| about)?)\b/i

const subjectQuestions: readonly (readonly [RegExp, readonly string[], string])[] = [
  [
    /\bmy (?:full |first )?name\b(?!.{0,80}'s)|\bwhat (?:am i called|do you call me|should you call me)\b|\bwho i am\b/i,
    ['name', 'called'],
    'I do not know your name yet. What shall I call you?',
  ],
  [
    /\bwhere (?:do i|i|am i|is my home)\b.{0,80}\bliv(?:e|ing)\b|\bwhere (?:is|'s) my home\b|\bmy (?:address|home ?town|city)\b|\bwhere i live\b/i,
    ['home'],
    'I do not know where you live yet. Tell me, and I will remember it.',
  ],
  [/\bwhere (?:am i|i am|do i come) from\b/i, ['origin', 'home'], 'I do not know where you come from yet.'],
  [/\bhow old (?:am i|i am)\b|\bmy age\b/i, ['age', 'birthday'], 'I do not know how old you are yet.'],
  [
    /\bmy birthday\b|\bwhen (?:was i|i was) born\b/i,
    ['birthday', 'their birthday'],
    'I do not know your birthday yet. Tell me, and I will remember it.',
  ],
  [
    /\bmy (?:job|work|profession|occupation)\b|\bwhat (?:do i do|i do)\b(?! (?:today|tomorrow))|\bwhere (?:do i|i) work\b|\bwork as\b/i,
    ['work', 'their job', 'is a'],
    'I do not know what you do for a living yet.',
  ],
]

const kinds: readonly (readonly [RegExp, string | RegExp, string])[] = [
  [
    /\bwhat (?:do i|i|things do i|stuff do i)(?: really)? (?:like|love|enjoy)\b/i,
    /^They (?:really |also )?(?:like|love|enjoy|adore|prefer)\b/,
    'I do not know what you like yet.',
  ],
  [
    /\bwhat (?:do i|i)(?: really)? (?:hate|dislike|not like)\b|\bwhat don't i like\b/i,
    /^They (?:really )?(?:hate|dislike|don't like|can't stand)\b/,
    'I do not know what you dislike yet.',
  ],
  [
    /\bmy (?:wishes|dreams?|goals?)\b|\bwhat (?:do i|i) (?:want|wish|dream|hope)\b/i,
    'wishes',
    'I do not know your wishes yet.',
  ],
  [
    /\bmy (?:struggles|problems|worries|fears)\b|\bwhat (?:do i|am i|i) (?:struggle|struggling|afraid|worried)\b/i,
    'struggles',
    'I do not know of anything you struggle with.',
  ],
  [
    /\bwhat (?:may|can|are) you (?:do|allowed)\b.{0,80}\bpermission|\bwhat (?:are you allowed|may you)\b|\b(?:my|your) permissions\b/i,
    'permissions',
    'You have not given me any permission of its own yet.',
  ],
]

export const lookUp: Rule = (clause, situation) => {
  if (!isQuestion(clause)) return undefined
  const { statements } = situation
  for (const [form, subjects, unknownReply] of subjectQuestions) {
    if (!form.test(clause)) continue
    const matches = subjects.flatMap((subject) =>
      statements.filter(({ text }) => getStatementSubject(text) === subject),
    )
    if (matches.length > 0) return say(tellThem(matches))
    const words = statements
      .flatMap(({ text }) => quotedWords(text) ?? [])
      .find((storedWords) => form.test(`my ${guessSpelling(storedWords)}`))
    return say(words === undefined ? unknownReply : `I kept your words: “${words}”.`)
  }
  for (const [form, kind, unknownReply] of kinds) {
    if (!form.test(clause)) continue
    const matches = statements.filter(({ text, document }) =>
      typeof kind === 'string' ? document === kind : kind.test(text),
    )
    return matches.length > 0 ? say(tellThem(matches)) : say(unknownReply)
  }
  if (
    !/\b(?:my|i|me|mine)\b/i.test(clause) ||
    /\b(?:you|your|should|can|could|will)\b/i.test(clause.replace(questionPrefix, ''))
  )
    return undefined
  const bestMatches = bestFor(clause, statements)
  if (bestMatches.length > 0) return say(tellThem(bestMatches))
  const hint = hintAt(clause, statements)
  if (hint !== undefined) return say(hint)
  const query = lookingFor(clause)
  if (!query) return undefined
  if (situation.tools.has('recall')) return wish({ name: 'recall', input: { query, limit: 20 } })
  return say('I do not know that yet. Tell me, and I will remember it.')
}

const tellThem = (statements: readonly KnownStatement[]) =>
  statements
    .slice(0, 8)
    .map(({ text, document }) => asSentence(text, document))
    .join(' ')

/** Returns the statements that share the most words with the text, if they share at least half of them. */
const bestFor = (text: string, statements: readonly KnownStatement[]): readonly KnownStatement[] => {
  const query = significantWords(text)
    .map((word) => synonyms[word] ?? word)
    .join(' ')
  const scores = statements.map((statement) => [statement, overlap(query, statement.text)] as const)
  const bestScore = Math.max(0, ...scores.map(([, score]) => score))
  // The statement must contain the owner: a question about the user's mother is not answered with a fact
  // about the user.
  const owner = significantWords(/\b(?:my|our) ([\p{L}-]+)/iu.exec(text)?.[1] ?? '')
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
const synonyms: Readonly<Record<string, string>> = {
  born: 'birthday',
  live: 'live',
  living: 'live',
  job: 'work',
  called: 'name',
  named: 'name',
}

const forgetPattern =
  /^(?:(?:please|can you|could you|would you|i want you to|i'd like you to|you (?:can|should|may)) )*(?:forget|erase|wipe|delete|remove|drop|unlearn|(?:don't|do not|stop) remember(?:ing)?)\b(?: about| from your memory)?\s*(?<what>.*?)(?: from your memory| again| please)?\??$/is
const allOfIt =
  /^(?:everything|all|it all|all of it|all (?:that )?you know|whatever you know)(?: (?:that )?(?:you (?:know|remember|have)|i (?:said|told you)))?(?: about me| of me)?$/i
export const confirmationHint = 'If you are sure, say “Yes, forget everything”.'
const confirmation = `That would be all I know about you. ${confirmationHint}`

export const forget: Rule = (clause, situation) => {
  const { statements, tools } = situation
  const isCertain =
    /^(?:yes\b.*|(?:please )?forget (?:everything|it all|all of it).*)$/i.test(clause) &&
    situation.spoken.at(-1)?.includes(confirmationHint)
  const subject = forgetPattern.exec(clause)?.groups?.what?.trim()
  if (
    /^(?:no|nope|nah|rather not|don't|better not)\b/i.test(clause) &&
    situation.spoken.at(-1)?.includes(confirmationHint)
  )
    return say('Then I keep what I know.')
  if (!isCertain && subject === undefined) return undefined
  if (!tools.has('remember')) return say('I have no way to forget anything here.')
  if (isCertain) return forgetStatements(statements)
  if (statements.length === 0) return say('I know nothing about you that I could forget.')
  if (allOfIt.test(subject ?? '')) return say(confirmation)
  const matches = findMeant(subject ?? '', situation)
  const [onlyMatch, ...rest] = matches
  if (onlyMatch && rest.length === 0) return wish(removeSubject(onlyMatch, subject ?? ''))
  if (matches.length > 0) return forgetStatements(matches)
  return /^(?:it|that|this)?$/i.test(subject ?? '')
    ? say('All right. If I should forget something I know, tell me what it is about.')
    : say('I find nothing about that in what I know, so there is nothing to forget.')
}

export const asksToForget = (clause: string): boolean => forgetPattern.test(clause)

const forgetStatements = (statements: readonly KnownStatement[]) =>
  wish(...statements.slice(0, 40).map(({ id }) => ({ name: 'remember', input: { op: 'forget', id } })))

const findMeant = (subject: string, situation: Situation): readonly KnownStatement[] => {
  const { statements } = situation
  if (
    /^(?:it|that|this|what i (?:just )?(?:said|told you)|the last (?:thing|one)|that again|about (?:it|that))?$/i.test(
      subject,
    )
  ) {
    const last = lastTouched(situation)
    return last ? [last] : []
  }
  const topic = /^(?:that |what |the fact that )/i.test(subject)
    ? subject.replace(/^(?:that |the fact that )/i, '')
    : subject
  for (const [form, subjects] of subjectQuestions) {
    if (!form.test(`${topic}`)) continue
    const matches = statements.filter(({ text }) =>
      subjects.slice(0, 1).includes(getStatementSubject(text) ?? ''),
    )
    if (matches.length > 0) return matches
  }
  return bestFor(topic, statements)
}
