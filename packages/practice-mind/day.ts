/**
 * What the practice mind says of a talk that is over: what it carries on of it, and what the day was like.
 * Nothing is in it that was not said.
 */

import type { TalkLine } from '../models/prompt-data.ts'
import type { Retold, RetoldFact } from './consolidate-talk.ts'
import { overlap } from './meaning-words.ts'
import { questions } from './moment.ts'
import { holds, same, subjectOf } from './person-facts.ts'
import { excerpt, list } from './reply.ts'

interface Over extends Retold {
  readonly lines: readonly TalkLine[]
  /** What was forgotten is told nowhere. */
  readonly hidden: readonly string[]
  /** What stood there before; empty where nothing did. */
  readonly before: string
}

const knowsOfStandIn = 'They know that the practice mind is a stand-in.'

/**
 * The last thing they talked of, a question of its own that is open, and that they know what they talk with.
 */
export const carryOf = ({ lines, last, hidden, before }: Over): string => {
  const tellable = (text: string) =>
    !/\bforget\b/i.test(text) && !hidden.some((old) => overlap(old, text) > 0)
  const said = last && tellable(last.words) ? `They last said: “${excerpt(last.words, 160)}”` : ''
  const open = lines.at(-1)?.by === 'persona' ? openQuestion(lines.at(-1)?.words ?? '') : undefined
  const news = said && open ? `${said}, and I asked: “${open}”` : said
  // A greeting takes nothing from what it had in mind.
  const held = plain(before.replace(knowsOfStandIn, ''))
  const kept = news ? `${news}.` : tellable(held) ? excerpt(held, 1000) : ''
  const introduced =
    before.includes('stand-in') ||
    lines.some(({ by, words }) => by === 'persona' && words.includes('stand-in'))
  return [kept, ...(introduced && !kept.includes(knowsOfStandIn) ? [knowsOfStandIn] : [])]
    .filter(Boolean)
    .join(' ')
}

const openQuestion = (words: string) => Object.values(questions).find((question) => words.includes(question))

const mostItems = 8

/** Goes on with what it has written of the day itself; what another mind has written stays in front. */
export const summaryOf = ({ lines, told, languages, hidden, before }: Over): string => {
  const { begin, theirs, hers, tongues, items } = readOwn(before)
  const spokenBy = (who: TalkLine['by']) => lines.filter(({ by }) => by === who).length
  const all = joined([...items, ...told.map(reported)]).filter(
    (item) => !hidden.some((old) => isOf(item, old)),
  )
  const foreign = [...new Set([...tongues, ...languages])]
  const written = `They wrote ${counted(theirs + spokenBy('person'))}${foreign.length > 0 ? ` (some in ${list(foreign)}, which I do not understand)` : ''}`
  const shown = all.slice(-mostItems)
  const among = shown.length < all.length ? ', among other things' : ''
  return [
    ...(begin ? [begin] : []),
    `${written} and I wrote ${counted(hers + spokenBy('persona'))}.`,
    ...(shown.length > 0 ? [`They told me${among}: ${shown.join('; ')}.`] : []),
  ].join(' ')
}

/** On one line that is no title. */
const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[# ]+/, '')
    .trim()

const counted = (n: number): string => `${n} ${n === 1 ? 'message' : 'messages'}`

const own =
  /(?:^| )They wrote (\d+) messages?(?: \(some in ([^()]+), which I do not understand\))? and I wrote (\d+) messages?\.(?: They told me(?:, among other things)?: (.+))?$/s

const readOwn = (before: string) => {
  const flat = plain(before)
  const match = own.exec(flat)
  const [, theirs = '0', tongues = '', hers = '0', items = ''] = match ?? []
  return {
    begin: firstSentence(match ? flat.slice(0, match.index) : flat),
    theirs: Number(theirs),
    hers: Number(hers),
    tongues: tongues.split(/, | and /).filter(Boolean),
    items: items.replace(/\.$/, '').split('; ').filter(Boolean),
  }
}

const firstSentence = (text: string): string => excerpt(/^.+?[.!?…](?= |$)/.exec(text)?.[0] ?? text, 400)

/** Of two about the same the later counts. */
const joined = (items: readonly string[]): readonly string[] =>
  items.filter((item, n) => !items.slice(n + 1).some((later) => same(later, item) || aboutSame(later, item)))
const aboutSame = (one: string, other: string): boolean => {
  const subject = subjectOf(one)
  return subject !== undefined && subject === subjectOf(other)
}

/** A statement as a part of a sentence. */
const reported = ({ text, document }: Pick<RetoldFact, 'text' | 'document'>): string => {
  const plain = text.trim().replace(/\.$/, '').replaceAll('; ', ', ')
  if (document === 'persona-trait') return `they want me to ${small(plain)}`
  const [, no, allowed] = /^(Not a|A)llowed: (.+)$/.exec(plain) ?? []
  if (allowed) return `I may ${no === 'Not a' ? 'not ' : ''}${allowed}`
  return excerpt(/^(?:They|Their|The)\b/.test(plain) ? small(plain) : plain, 120)
}
const small = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

const isOf = (item: string, hidden: string): boolean =>
  holds(hidden, item) ||
  ['person', 'persona-trait'].some((document) => same(reported({ text: hidden, document }), item))
