/**
 * Writes the two texts of a consolidation: the carried context and the summary of the day. Both use only text
 * from the conversation.
 */

import type { TalkLine } from '../models/prompt-data.ts'
import type { Retold, RetoldFact } from './consolidate-talk.ts'
import { overlap } from './meaning-words.ts'
import { questions } from './moment.ts'
import { getStatementSubject, isContained, isSame } from './person-facts.ts'
import { lowerFirst, lowerSubject } from './pronouns.ts'
import { excerpt, list } from './reply.ts'

interface DayInput extends Retold {
  readonly lines: readonly TalkLine[]
  /** Forgotten statements. They must not appear in the texts. */
  readonly hidden: readonly string[]
  /** The previous text, or an empty string. */
  readonly before: string
}

const standInNote = 'They know that the practice mind is a stand-in.'

/**
 * Returns the carried context: the user's last topic, the persona's open question, and whether the user knows
 * about the stand-in.
 */
export const buildCarry = ({ lines, last, hidden, before }: DayInput): string => {
  const isTellable = (text: string) =>
    !/\bforget\b/i.test(text) && !hidden.some((old) => overlap(old, text) > 0)
  const lastWords = last && isTellable(last.words) ? `They last said: “${excerpt(last.words, 160)}”` : ''
  const open = lines.at(-1)?.by === 'persona' ? openQuestion(lines.at(-1)?.words ?? '') : undefined
  const news = lastWords && open ? `${lastWords}, and I asked: “${open}”` : lastWords
  // Keep the earlier context if the new messages are only greetings.
  const earlierText = toOneLine(before.replace(standInNote, ''))
  const context = news ? `${news}.` : isTellable(earlierText) ? excerpt(earlierText, 1000) : ''
  const isIntroduced =
    before.includes('stand-in') ||
    lines.some(({ by, words }) => by === 'persona' && words.includes('stand-in'))
  return [context, ...(isIntroduced && !context.includes(standInNote) ? [standInNote] : [])]
    .filter(Boolean)
    .join(' ')
}

const openQuestion = (words: string) => Object.values(questions).find((question) => words.includes(question))

const maxItems = 8

/** Continues its own summary of the day. A summary by another model stays in front. */
export const buildDaySummary = ({ lines, toldFacts, languages, hidden, before }: DayInput): string => {
  const { intro, userCount, personaCount, earlierLanguages, items } = parseOwnSummary(before)
  const countBy = (speaker: TalkLine['by']) => lines.filter(({ by }) => by === speaker).length
  const all = removeReplaced([...items, ...toldFacts.map(toClause)]).filter(
    (item) => !hidden.some((old) => isAbout(item, old)),
  )
  const otherLanguages = [...new Set([...earlierLanguages, ...languages])]
  const opener = `They wrote ${formatCount(userCount + countBy('person'))}${otherLanguages.length > 0 ? ` (some in ${list(otherLanguages)}, which I do not understand)` : ''}`
  const visibleItems = all.slice(-maxItems)
  const omission = visibleItems.length < all.length ? ', among other things' : ''
  return [
    ...(intro ? [intro] : []),
    `${opener} and I wrote ${formatCount(personaCount + countBy('persona'))}.`,
    ...(visibleItems.length > 0 ? [`They told me${omission}: ${visibleItems.join('; ')}.`] : []),
  ].join(' ')
}

/** Collapses the text to one line and removes Markdown heading marks. */
const toOneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[# ]+/, '')
    .trim()

const formatCount = (n: number): string => `${n} ${n === 1 ? 'message' : 'messages'}`

const ownSummary =
  /(?:^| )They wrote (\d+) messages?(?: \(some in ([^()]+), which I do not understand\))? and I wrote (\d+) messages?\.(?: They told me(?:, among other things)?: (.+))?$/s

const parseOwnSummary = (previousSummary: string) => {
  const summaryLine = toOneLine(previousSummary)
  const match = ownSummary.exec(summaryLine)
  const [, userCount = '0', languages = '', personaCount = '0', items = ''] = match ?? []
  return {
    intro: firstSentence(match ? summaryLine.slice(0, match.index) : summaryLine),
    userCount: Number(userCount),
    personaCount: Number(personaCount),
    earlierLanguages: languages.split(/, | and /).filter(Boolean),
    items: items.replace(/\.$/, '').split('; ').filter(Boolean),
  }
}

const firstSentence = (text: string): string => excerpt(/^.+?[.!?…](?= |$)/.exec(text)?.[0] ?? text, 400)

/** Keeps the later of two items with the same subject. */
const removeReplaced = (items: readonly string[]): readonly string[] =>
  items.filter(
    (item, n) =>
      !items.slice(n + 1).some((newerItem) => isSame(newerItem, item) || aboutSame(newerItem, item)),
  )
const aboutSame = (a: string, b: string): boolean => {
  const subject = getStatementSubject(a)
  return subject !== undefined && subject === getStatementSubject(b)
}

/** Turns a statement into a clause. */
const toClause = ({ text, document }: Pick<RetoldFact, 'text' | 'document'>): string => {
  const plainText = text.trim().replace(/\.$/, '').replaceAll('; ', ', ')
  if (document === 'persona-trait') return `they want me to ${lowerFirst(plainText)}`
  const [, negation, allowedAction] = /^(Not a|A)llowed: (.+)$/.exec(plainText) ?? []
  if (allowedAction) return `I may ${negation === 'Not a' ? 'not ' : ''}${allowedAction}`
  return excerpt(lowerSubject(plainText), 120)
}

const isAbout = (item: string, hiddenText: string): boolean =>
  isContained(hiddenText, item) ||
  ['person', 'persona-trait'].some((document) => isSame(toClause({ text: hiddenText, document }), item))
