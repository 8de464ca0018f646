/**
 * Consolidates an imported conversation between the user and another AI: facts about the user, and a summary.
 */
import type { ImportData } from '../models/prompt-data.ts'
import { consolidateTalk } from './consolidate-talk.ts'
import { lowerSubject } from './english/clause-grammar.ts'
import { ownLines } from './lines.ts'
import { isContained, replacedBy } from './person-facts.ts'
import { excerpt } from './reply.ts'

const maxOperations = 40

/** Text that was addressed to another AI does not create permissions or traits of this persona. */
const documents: ReadonlySet<string> = new Set(['person', 'traits', 'wishes', 'struggles'])

/** Returns the JSON object that the prompt asks for. Throws the signal's reason if it is aborted. */
export const goOverImport = async (data: ImportData, signal: AbortSignal): Promise<string> => {
  const { name, statements, forgotten, learned } = data
  const lines = ownLines(data.lines)
  const personLines = lines.map((line) =>
    line.by === 'person' ? { ...line, words: ownWords(line.words) } : line,
  )
  const { toldFacts } = await consolidateTalk(personLines, { known: statements, name }, signal)
  const operations = toldFacts
    .filter(
      ({ document, text }) => documents.has(document) && !forgotten.some((old) => isContained(old, text)),
    )
    // Known statements are newer than any imported conversation.
    .filter((fact) => !statements.some(({ id }) => id === fact.of) && !replacedBy(fact, statements))
    .slice(0, maxOperations)
    .map(({ document, text, sources }) => ({ op: 'keep', document, text, sources }))
  const summary = summarize(data, [...learned, ...operations.map(({ text }) => text)])
  return JSON.stringify({ summary, operations })
}

const maxItems = 8

const summarize = ({ title, other }: ImportData, items: readonly string[]): string => {
  const topic = title
    ? `They talked with ${other} about “${excerpt(title, 120)}”.`
    : `They talked with ${other}.`
  const visibleItems = [...new Set(items)]
    .slice(-maxItems)
    .map((text) => lowerSubject(text.replace(/\.$/, '')))
  return visibleItems.length > 0 ? `${topic} They told it: ${visibleItems.join('; ')}.` : topic
}

/**
 * Removes material that the user gave to the other AI to work on: fenced or quoted text, text after a colon,
 * and role play.
 */
const ownWords = (words: string): string => {
  const bareWords = aboutThemselves(words)
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .replace(/["“«„]([^"“”«»„]*)["”»“]/g, (quotation, inner: string) =>
      /^\S+\s+\S+\s+\S/.test(inner) ? '' : quotation,
    )
  if (playRequest.test(bareWords)) return ''
  const end = bareWords.search(workRequest.test(bareWords) ? /:|\n/ : /:[ \t]*\n/)
  return (end < 0 ? bareWords : bareWords.slice(0, end)).trim()
}

/** Returns the part of custom instructions that describes the user. */
const aboutThemselves = (words: string): string =>
  words.replace(/^About me: /, '').replace(/(?:^|\n)How I want to be answered: [\s\S]*$/, '')

const playVerbs =
  "act (?:as|like)|play|pretend|imagine|role-?play|suppose|assume|let's (?:play|pretend)|you are"
const workVerbs =
  'translate|rewrite|rephrase|reword|paraphrase|proofread|correct|check|summari[sz]e|shorten|improve|polish|fix|edit|continue|complete|write|draft|compose|review|analy[sz]e|explain|answer|reply'

const toRequestPattern = (request: string): RegExp =>
  new RegExp(
    `^\\W*(?:(?:hi|hello|hey|please|okay|ok|now|and|then|can you|could you|would you|will you|i (?:want|need|would like) you to|i'd like you to|help me(?: to)?)\\b[\\s,!.]*)*(?:${request})\\b`,
    'i',
  )
const playRequest = toRequestPattern(playVerbs)
const workRequest = toRequestPattern(workVerbs)
