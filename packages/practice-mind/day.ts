/**
 * Writes the two texts of a consolidation: the carried context and the summary of the day. Both use only text
 * from the conversation.
 */

import type { TalkLine } from '../models/prompt-data.ts'
import type { Retold, RetoldFact } from './consolidate-talk.ts'
import { overlap } from './meaning-words.ts'
import { getStatementSubject, isContained, isSame } from './person-facts.ts'
import { excerpt, list } from './reply.ts'
import { type Words, wordTables } from './words.ts'

interface DayInput extends Retold {
  readonly lines: readonly TalkLine[]
  /** Forgotten statements. They must not appear in the texts. */
  readonly hidden: readonly string[]
  /** The previous text, or an empty string. */
  readonly before: string
}

/**
 * Returns the carried context: the user's last topic, the persona's open question, and whether the user knows
 * about the stand-in.
 */
export const buildCarry = ({ lines, last, hidden, before, language }: DayInput): string => {
  const words = wordTables[language]
  const { day } = words
  const notes = Object.values(wordTables).map((table) => table.day.standInNote)
  const isTellable = (text: string) =>
    !words.changes.forgetWords.test(text) && !hidden.some((old) => overlap(old, text) > 0)
  const lastWords = last && isTellable(last.words) ? day.lastSaid(excerpt(last.words, 160)) : ''
  const open = lines.at(-1)?.by === 'persona' ? openQuestion(lines.at(-1)?.words ?? '', words) : undefined
  const news = lastWords && open ? `${lastWords}${day.andAsked(open)}` : lastWords
  // Keep the earlier context if the new messages are only greetings.
  const earlierText = toOneLine(notes.reduce((text, note) => text.replace(note, ''), before))
  const context = news ? `${news}.` : isTellable(earlierText) ? excerpt(earlierText, 1000) : ''
  const isIntroduced =
    mentionsStandIn(before) || lines.some((line) => line.by === 'persona' && introducesItself(line.words))
  return [context, ...(isIntroduced ? [day.standInNote] : [])].filter(Boolean).join(' ')
}

const openQuestion = (text: string, { questions }: Words) =>
  Object.values(questions).find((question) => text.includes(question))

/** Returns true if the message says that the persona is a stand-in. */
export const introducesItself = (message: string): boolean =>
  Object.values(wordTables).some(({ standIn }) => message.includes(standIn))

/** Returns true if the carried context says that the user knows it. */
export const mentionsStandIn = (text: string): boolean =>
  Object.values(wordTables).some(({ standInWord }) => text.includes(standInWord))

const maxItems = 8

/** Continues its own summary of the day. A summary by another model stays in front. */
export const buildDaySummary = ({
  lines,
  toldFacts,
  languages,
  language,
  hidden,
  before,
}: DayInput): string => {
  const words = wordTables[language]
  const { day } = words
  const { intro, userCount, personaCount, earlierLanguages, items } = parseOwnSummary(before)
  const countBy = (speaker: TalkLine['by']) => lines.filter(({ by }) => by === speaker).length
  const all = removeReplaced([...items, ...toldFacts.map((fact) => toClause(fact, words))]).filter(
    (item) => !hidden.some((old) => isAbout(item, old, words)),
  )
  const otherLanguages = [...new Set([...earlierLanguages, ...languages])]
  const visibleItems = all.slice(-maxItems)
  return [
    ...(intro ? [intro] : []),
    day.wrote(
      userCount + countBy('person'),
      personaCount + countBy('persona'),
      otherLanguages.length > 0 ? list(otherLanguages, words.and) : '',
    ),
    ...(visibleItems.length > 0 ? [day.told(visibleItems.join('; '), visibleItems.length < all.length)] : []),
  ].join(' ')
}

/** Collapses the text to one line and removes Markdown heading marks. */
const toOneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[# ]+/, '')
    .trim()

const parseOwnSummary = (previousSummary: string) => {
  const summaryLine = toOneLine(previousSummary)
  const match = Object.values(wordTables)
    .map(({ day }) => day.ownSummary.exec(summaryLine))
    .find(Boolean)
  const [, userCount = '0', languages = '', personaCount = '0', items = ''] = match ?? []
  return {
    intro: firstSentence(match ? summaryLine.slice(0, match.index) : summaryLine),
    userCount: Number(userCount),
    personaCount: Number(personaCount),
    earlierLanguages: languages.split(/, | (?:and|und) /).filter(Boolean),
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

/** Turns a statement into a clause about the user. */
const toClause = ({ text, document }: Pick<RetoldFact, 'text' | 'document'>, words: Words): string => {
  const plainText = text.trim().replace(/\.$/, '').replaceAll('; ', ', ')
  const { day } = Object.values(wordTables).find((table) => table.isOwnStatement(plainText)) ?? words
  return excerpt(day.toClause(plainText, document), 120)
}

const isAbout = (item: string, hiddenText: string, words: Words): boolean =>
  isContained(hiddenText, item) ||
  ['person', 'persona-trait'].some((document) =>
    isSame(toClause({ text: hiddenText, document }, words), item),
  )
