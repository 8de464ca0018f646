/** Rules that store facts about the user or revise the statement that a fact replaces. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { splitClauses } from './clauses.ts'
import { type Fact, isCorrection, maxStatementLength, readFact, removeCorrection } from './facts.ts'
import { significantWords } from './meaning-words.ts'
import { chat, type Rule, say, wish } from './reply.ts'
import { type Situation, wordsIn } from './situation.ts'
import { exists } from './wall-clock.ts'
import { type Words, wordsOf, wordTables } from './words.ts'

export const rememberPersonFact: Rule = (clause, situation) => {
  const words = wordsOf(situation)
  const fact = readFact(clause, words.facts) ?? correctedValue(clause, situation)
  if (!fact) return undefined
  if (!situation.tools.has('remember'))
    return say(
      words.facts.cannotKeep(
        words.toThem(removeCorrection(clause, words.facts)).replace(/(?<![.!])[.!]+$/, ''),
      ),
    )
  const noDay = missingDay(fact.text, words)
  if (noDay) return say(words.facts.noSuchDay(noDay))
  const old = replacedBy(fact, situation.statements)
  if (!old) return wish({ name: 'remember', input: { op: 'keep', ...fact } })
  if (isSame(old.text, fact.text)) return chat(words.facts.knownAlready)
  return wish({ name: 'remember', input: { op: 'revise', id: old.id, text: fact.text } })
}

/**
 * Returns a date that exists in no year, such as "31 February". Returns undefined if every date in the text
 * exists.
 */
const missingDay = (text: string, { facts }: Words): string | undefined =>
  facts.listDays(text).find(({ month, day }) => !exists({ year: 2028, month, day }))?.text
/** "No, it's Porto": returns a new value for the last statement. */
const correctedValue = (clause: string, situation: Situation): Fact | undefined => {
  const { facts } = wordsOf(situation)
  if (!isCorrection(clause, facts) && !facts.correctingStart.test(clause)) return undefined
  const x = facts.correctValue.exec(removeCorrection(clause, facts))?.groups?.x
  const last = justSaid(situation)
  const [, head, joint = '', oldValue = ''] = facts.valueInStatement.exec(last?.text ?? '') ?? []
  const newValue = x?.toLowerCase().startsWith(`${joint} `) ? x.slice(joint.length + 1) : x
  if (!newValue || !head || !last || newValue.split(' ').length > 6 || facts.noValue.test(newValue))
    return undefined
  const text = `${head} ${facts.toValue(newValue, /^\p{Ll}/u.test(oldValue))}.`
  return text.length > maxStatementLength ? undefined : { document: last.document, text }
}

/** Returns the statement that the persona's last message repeated. */
const justSaid = ({ statements, spoken }: Situation): KnownStatement | undefined => {
  const lastWords = new Set(significantWords(spoken.at(-1) ?? ''))
  if (lastWords.size === 0) return undefined
  return statements.findLast(({ text }) => {
    const words = significantWords(text)
    return words.length > 0 && words.every((word) => lastWords.has(word))
  })
}

/** Returns the statement from the user's previous message, or the one that the persona just repeated. */
export const lastTouched = (situation: Situation): KnownStatement | undefined => {
  const { statements, talk, name } = situation
  const previousWords = wordsIn(talk.filter(({ by }) => by === 'person').at(-2))
  const words = wordsOf(situation)
  const facts = splitClauses(previousWords, name, words.clauses).map((clause) =>
    readFact(clause, words.facts),
  )
  return (
    statements.findLast(({ text }) => facts.some((fact) => fact && isSame(fact.text, text))) ??
    justSaid(situation)
  )
}

const allSubjects = Object.values(wordTables).flatMap(({ facts }) => facts.subjects)

/**
 * Returns the subject of a statement. Two statements about the same subject exclude each other. Statements by
 * other models are recognized if their form is simple.
 */
export const getStatementSubject = (text: string): string | undefined => {
  const plainText = text.trim().replace(/\.$/, '').toLowerCase()
  for (const [form, subject] of allSubjects) {
    const match = form.exec(plainText)
    if (match)
      return subject.includes('*')
        ? subject.replace('*', significantWords(match[1] ?? '').join(' '))
        : subject
  }
  return undefined
}

/** Returns true for the user's name, home, health, work and family. */
export const isAlwaysNeeded = ({ document, text }: Pick<KnownStatement, 'document' | 'text'>): boolean =>
  document === 'person' &&
  (neededSubjects.has(getStatementSubject(text) ?? '') ||
    Object.values(wordTables).some(({ facts }) => facts.alwaysNeeded.test(text)))

const neededSubjects: ReadonlySet<string> = new Set(['name', 'called', 'home', 'birthday', 'work', 'is a'])
/** Returns the statement that the new fact replaces. */
export const replacedBy = (fact: Fact, statements: readonly KnownStatement[]): KnownStatement | undefined => {
  const subject = getStatementSubject(fact.text)
  return (
    statements.find(({ text }) => isSame(text, fact.text)) ??
    (subject ? statements.findLast(({ text }) => getStatementSubject(text) === subject) : undefined)
  )
}

/** Compares two texts without case, punctuation and repeated spaces. */
export const isSame = (a: string, b: string) => normalize(a) === normalize(b)
const normalize = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s.,;:!?"“”()-]+/g, ' ')
    .trim()

/** Returns true if the known statement already contains the content of the text, even in other words. */
export const isContained = (statement: string, text: string): boolean => {
  if (isSame(statement, text)) return true
  const subject = getStatementSubject(text)
  if (
    subject === undefined ||
    subject !== getStatementSubject(statement) ||
    denies(statement) !== denies(text)
  )
    return false
  const knownWords = new Set(significantWords(statement))
  return significantWords(text).every((word) => knownWords.has(word))
}
const denies = (text: string): boolean =>
  Object.values(wordTables).some(({ facts }) => facts.denial.test(text))
