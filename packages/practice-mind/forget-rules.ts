/** Rule for facts that have ended: "I no longer live in Porto" removes the known statement. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { passingPattern, readFact } from './fact-forms.ts'
import { significantWords } from './meaning-words.ts'
import { getStatementSubject, isSame } from './person-facts.ts'
import { aboutThem } from './pronouns.ts'
import { list, type Rule, say, wish } from './reply.ts'

const endingWords =
  /\b(?:no longer|not .{0,80}\b(?:any ?more|any longer)|n't .{0,80}\b(?:any ?more|any longer))\b/i
const isPassing = new RegExp(`^i am (?:${passingPattern})\\b`, 'i')
const endingSuffix = /,? (?:any ?more|any longer|now|these days)$/i

/** Returns the clause without its negation. Returns undefined if it has none. */
const removeNegation = (clause: string): string | undefined => {
  const text = clause.replace(endingSuffix, '')
  const bareText = text
    .replace(/\bi(?:'m| am) (?:no longer|not) (?:an? )?/i, 'I am ')
    .replace(/\b(is|are|was|were)(?:n't| not| no longer)\b/i, '$1')
    .replace(/\b(i|we) (?:no longer|don't|do not|never) /i, '$1 ')
    .replace(/\b(my .{1,80}?) (?:no longer|doesn't|does not) /i, '$1 ')
  return bareText === text ? undefined : bareText
}

export const forgetEnded: Rule = (clause, { statements, tools }) => {
  const bareText =
    /^(?:i\b|we\b|my\b|our\b)/i.test(clause) && !clause.endsWith('?') ? removeNegation(clause) : undefined
  if (!bareText || !tools.has('remember')) return undefined
  const name = /^(?:[Mm]y name is|[Ii] am) (\p{Lu}[\p{L}' -]*)$/u.exec(bareText)?.[1]
  const oldName = name && statements.find(({ text }) => isSame(text, `Their name is ${name}`))
  if (oldName) return wish({ name: 'remember', input: { op: 'forget', id: oldName.id } })
  if (!endingWords.test(clause) && isPassing.test(bareText)) return undefined
  const denial = aboutThem(bareText)
  const old = statements.findLast((statement) => isDenied(statement, denial))
  const fact = readFact(clause)
  // The new fact replaces the old statement. Another rule handles likings.
  if (old && fact && removeSubject(old, denial).input.op === 'revise')
    return wish(removeSubject(old, denial), { name: 'remember', input: { op: 'keep', ...fact } })
  if (old && fact) return wish({ name: 'remember', input: { op: 'revise', id: old.id, text: fact.text } })
  if (old) return wish(removeSubject(old, denial))
  return endingWords.test(clause) && !fact
    ? say('I had not kept that, so there is nothing to put right.')
    : undefined
}

/** Returns true if the statement has the same subject and verb and contains every word that was denied. */
const isDenied = ({ text }: KnownStatement, denial: string): boolean => {
  const [subject, denialSubject] = [text, denial].map((sentence) => /^(?:They|Their)\b/.exec(sentence)?.[0])
  if (!subject || subject !== denialSubject || /\b(?:not|no|never|no longer)\b|n't\b/i.test(text))
    return false
  if (getVerb(text) !== getVerb(denial)) return false
  const statementWords = significantWords(text)
  const denialWords = significantWords(denial)
  return denialWords.length > 0 && denialWords.every((word) => statementWords.includes(word))
}

/** "They are from Germany" does not match "They live in Germany" or "They speak German". */
const getVerb = (text: string): string => {
  const verb = /^They (?:really |also |often |still )*(\w+)/.exec(text)?.[1] ?? ''
  return getStatementSubject(text) === 'origin' ? 'come' : (verbSynonyms[verb] ?? verb)
}
const verbSynonyms: Readonly<Record<string, string>> = {
  own: 'have',
  love: 'like',
  enjoy: 'like',
  adore: 'like',
  work: 'are',
}

/** Removes only the denied item from a statement that names several: "They like coffee and jazz." */
export const removeSubject = ({ id, text }: KnownStatement, subject: string) => {
  const words = new Set(significantWords(subject))
  const [, head = '', tail = ''] = listStatement.exec(text.trim()) ?? []
  const items = tail.split(/,? and |,? or |, /)
  const remainingItems = items.filter((item) => !significantWords(item).some((word) => words.has(word)))
  const isPlain = items.every((item) => item.split(' ').length <= 4)
  return items.length > 1 && isPlain && remainingItems.length > 0 && remainingItems.length < items.length
    ? { name: 'remember', input: { op: 'revise', id, text: `${head} ${list(remainingItems)}.` } }
    : { name: 'remember', input: { op: 'forget', id } }
}
const listStatement =
  /^(They(?: really| also| often)* (?:like|love|enjoy|adore|hate|dislike|prefer|play|speak|eat|drink|have|own|collect|are allergic to|are afraid of|are|want)(?: to)?) (.+?)\.?$/i
