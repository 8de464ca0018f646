/** Rules that store facts about the user or revise the statement that a fact replaces. */

import type { KnownStatement } from '../models/prompt-data.ts'
import { splitClauses } from './clauses.ts'
import {
  type Fact,
  isCorrection,
  maxStatementLength,
  readFact,
  removeCorrection,
  value,
} from './fact-forms.ts'
import { significantWords } from './meaning-words.ts'
import { asName, toThem } from './pronouns.ts'
import { chat, type Rule, say, wish } from './reply.ts'
import { type Situation, wordsIn } from './situation.ts'
import { capital, exists, months } from './wall-clock.ts'

export const rememberPersonFact: Rule = (clause, situation) => {
  const fact = readFact(clause) ?? correctedValue(clause, situation)
  if (!fact) return undefined
  if (!situation.tools.has('remember'))
    return say(
      `I hear you: ${toThem(removeCorrection(clause)).replace(/(?<![.!])[.!]+$/, '')}. But I have no way to remember here, so I cannot keep it.`,
    )
  const noDay = missingDay(fact.text)
  if (noDay) return say(`There is no ${noDay}. Which day do you mean?`)
  const old = replacedBy(fact, situation.statements)
  if (!old) return wish({ name: 'remember', input: { op: 'keep', ...fact } })
  if (isSame(old.text, fact.text)) return chat('That I know already.')
  return wish({ name: 'remember', input: { op: 'revise', id: old.id, text: fact.text } })
}

/**
 * Returns a date that exists in no year, such as "31 February". Returns undefined if every date in the text
 * exists.
 */
const missingDay = (text: string): string | undefined => {
  for (const [, dayBefore, month = '', monthName = month, dayAfter = dayBefore] of text.matchAll(namedDays)) {
    const monthNumber = months.indexOf(monthName.toLowerCase()) + 1
    if (!exists({ year: 2028, month: monthNumber, day: Number(dayAfter) }))
      return `${Number(dayAfter)} ${capital(monthName.toLowerCase())}`
  }
  return undefined
}
const names = months.join('|')
const namedDays = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${names})|(${names}) (\\d{1,2})(?:st|nd|rd|th)?)\\b`,
  'gi',
)

/** "No, it's Porto": returns a new value for the last statement. */
const correctedValue = (clause: string, situation: Situation): Fact | undefined => {
  if (!isCorrection(clause) && !/^(?:it's|it is|not) /i.test(clause)) return undefined
  const x =
    /^(?:it's |it is |it should be |not .{1,80}?, (?:but )?|not .{1,80}? but )?(?<x>[^,?]+?)(?:, not .+)?$/is.exec(
      removeCorrection(clause),
    )?.groups?.x
  const last = justSaid(situation)
  const [, head, joint = '', oldValue = ''] =
    /^(.*?\b(is|are|in|called|on|as|at)) (.*)$/s.exec(last?.text ?? '') ?? []
  const newValue = x?.toLowerCase().startsWith(`${joint} `) ? x.slice(joint.length + 1) : x
  if (!newValue || !head || !last || newValue.split(' ').length > 6 || noValue.test(newValue))
    return undefined
  const text = `${head} ${/^\p{Ll}/u.test(oldValue) ? value(newValue) : asName(value(newValue))}.`
  return text.length > maxStatementLength ? undefined : { document: last.document, text }
}

/** "No, it's fine" corrects nothing. */
const noValue =
  /^(?:thanks?|thank you|please|way|problem|worries|need|more|fine|ok|okay|good|nice|great|bad|true|wrong|right|not|all|just|only|too|very|so|really|me|you|him|her|nothing|never|that|this|the|an?|i|we|he|she|they|what|why|how|cold|hot|late|early|enough|sorry|sure|yes|no|but|and|if|because|raining|over|done|for|about|hard|easy|one|idea|don't|do|can|let|at|in|on|by|to|with|from|tomorrow|today|tonight|noon|\d+:\d+)\b/i

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
  const facts = splitClauses(previousWords, name).map(readFact)
  return (
    statements.findLast(({ text }) => facts.some((fact) => fact && isSame(fact.text, text))) ??
    justSaid(situation)
  )
}

/**
 * Returns the subject of a statement. Two statements about the same subject exclude each other. Statements by
 * other models are recognized if their form is simple.
 */
export const getStatementSubject = (text: string): string | undefined => {
  const plainText = text.trim().replace(/\.$/, '').toLowerCase()
  for (const [form, subject] of subjects) {
    const match = form.exec(plainText)
    if (match)
      return subject.includes('*')
        ? subject.replace('*', significantWords(match[1] ?? '').join(' '))
        : subject
  }
  return undefined
}

const subjects: readonly (readonly [RegExp, string])[] = [
  [
    /^their (?:full |first |real )?name is\b|^the (?:person|user)(?:'s name is| is (?:called|named))\b/,
    'name',
  ],
  [/^they want to be called\b/, 'called'],
  [/^(?:they|the person|the user|\w+) lives? (?:in|at|near|on|with)\b|^they (?:have )?moved to\b/, 'home'],
  [/^they (?:come|are) from\b/, 'origin'],
  [/^they are \d+ years? old\b/, 'age'],
  [/^(?:they were born on|their birthday is)\b/, 'birthday'],
  [/^they work (?:as|at|for|in)\b|^their job is\b/, 'work'],
  [/^they are an? (?:nurse|\w+(?:er|or|ist|ian|ant|man|woman|chef|cook|ect|nt|ess|smith))\b/, 'is a'],
  [
    /^they (?:really |do not |don't |no longer )*(?:like|love|enjoy|adore|hate|dislike|detest|can't stand|cannot stand)(?: to)? (.+?)(?: any ?more)?$/,
    'likes *',
  ],
  [
    /^they (?:don't |no longer )?(?:have|own|have got) (?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|some|no|any) (?:\w+ )?(\w+?)(?:,? (?:called|named|who|that|and|with|whose|any ?more)\b.*)?$/,
    'has *',
  ],
  [/^their (.+?) is (?:called|named)\b/, 'their * name'],
  [/^their (.+?) (?:is|are|was)\b/, 'their *'],
  [/^(?:not )?allowed: (.+)$/, 'allowed *'],
]

/** Returns true for the user's name, home, health, work and family. */
export const isAlwaysNeeded = ({ document, text }: Pick<KnownStatement, 'document' | 'text'>): boolean =>
  document === 'person' &&
  (neededSubjects.has(getStatementSubject(text) ?? '') || familyWords.test(text) || healthWords.test(text))

const neededSubjects: ReadonlySet<string> = new Set(['name', 'called', 'home', 'birthday', 'work', 'is a'])
const familyWords =
  /\b(?:wife|husband|partner|sons?|daughters?|child(?:ren)?|kids?|mothers?|fathers?|brothers?|sisters?|baby)\b/i
const healthWords = /\b(?:allerg(?:y|ies|ic)|diabet(?:es|ic)|asthma|epilepsy|pregnant|intolerant)\b/i

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
  /\b(?:not|never|no|no longer|cannot|hates?|dislikes?|detests?)\b|n't\b/i.test(text)
