/** Rule for facts that have ended: "I no longer live in Porto" removes the known statement. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { readFact } from './facts.ts'
import { significantWords } from './meaning-words.ts'
import { getStatementSubject, isSame } from './person-facts.ts'
import { list, type Rule, say, wish } from './reply.ts'
import { wordsOf, wordTables } from './words.ts'

export const forgetEnded: Rule = (clause, situation) => {
  const { statements, tools } = situation
  const { facts, ended, aboutThem } = wordsOf(situation)
  const bareText =
    ended.start.test(clause) && !clause.endsWith('?') ? ended.removeNegation(clause) : undefined
  if (!bareText || !tools.has('remember')) return undefined
  const name = ended.name.exec(bareText)?.[1]
  const oldName = name && statements.find(({ text }) => isSame(text, facts.toNameStatement(name)))
  if (oldName) return wish({ name: 'remember', input: { op: 'forget', id: oldName.id } })
  if (!ended.words.test(clause) && ended.isPassing.test(bareText)) return undefined
  const denial = aboutThem(bareText)
  const old = statements.findLast((statement) => isDenied(statement, denial))
  const fact = readFact(clause, facts)
  // The new fact replaces the old statement. Another rule handles likings.
  if (old && fact && removeSubject(old, denial).input.op === 'revise')
    return wish(removeSubject(old, denial), { name: 'remember', input: { op: 'keep', ...fact } })
  if (old && fact) return wish({ name: 'remember', input: { op: 'revise', id: old.id, text: fact.text } })
  if (old) return wish(removeSubject(old, denial))
  return ended.words.test(clause) && !fact ? say(ended.notKnown) : undefined
}

/** Returns true if the statement has the same subject and verb and contains every word that was denied. */
const isDenied = ({ text }: KnownStatement, denial: string): boolean => {
  if (isNegated(text) || getVerb(text) === undefined || getVerb(text) !== getVerb(denial)) return false
  const statementWords = significantWords(text)
  const denialWords = significantWords(denial)
  return denialWords.length > 0 && denialWords.every((word) => statementWords.includes(word))
}

const isNegated = (text: string) => Object.values(wordTables).some(({ ended }) => ended.negation.test(text))

/** "They are from Germany" does not match "They live in Germany". Undefined for statements of other minds. */
const getVerb = (text: string): string | undefined =>
  getStatementSubject(text) === 'origin'
    ? 'come'
    : Object.values(wordTables)
        .map(({ ended }) => ended.getVerb(text))
        .find(Boolean)

/** Removes only the denied item from a statement that names several: "They like coffee and jazz." */
export const removeSubject = ({ id, text }: KnownStatement, subject: string) => {
  const words = new Set(significantWords(subject))
  const { and, ended } = findTable(text)
  const [, head = '', tail = ''] = ended.listStatement.exec(text.trim()) ?? []
  const items = tail.split(/,? (?:and|und|or|oder) |, /)
  const remainingItems = items.filter((item) => !significantWords(item).some((word) => words.has(word)))
  const isPlain = items.every((item) => item.split(' ').length <= 4)
  return items.length > 1 && isPlain && remainingItems.length > 0 && remainingItems.length < items.length
    ? { name: 'remember', input: { op: 'revise', id, text: `${head} ${list(remainingItems, and)}.` } }
    : { name: 'remember', input: { op: 'forget', id } }
}

const findTable = (text: string) =>
  Object.values(wordTables).find(({ ended }) => ended.listStatement.test(text.trim())) ?? wordTables.en
