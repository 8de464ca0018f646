/**
 * Going over what the person talked about with another AI, as the practice mind does it: what they told there
 * of themselves, and what it was about.
 */
import type { ImportData } from '../models/prompt-data.ts'
import { retell } from './consolidate-talk.ts'
import { ownLines } from './lines.ts'
import { holds, replacedBy } from './person-facts.ts'
import { excerpt } from './reply.ts'

const mostOperations = 40

/** What somebody else was told gives its neither a wish nor a permission. */
const documents: ReadonlySet<string> = new Set(['person', 'traits', 'wishes', 'struggles'])

/** One JSON object, as it is asked for. Throws the reason of the signal. */
export const goOverImport = async (data: ImportData, signal: AbortSignal): Promise<string> => {
  const { name, statements: known, forgotten, learned } = data
  const lines = ownLines(data.lines)
  const theirs = lines.map((line) => (line.by === 'person' ? { ...line, words: ownWords(line.words) } : line))
  const { told } = await retell(theirs, { known, name }, signal)
  const operations = told
    .filter(({ document, text }) => documents.has(document) && !forgotten.some((old) => holds(old, text)))
    // What it knows is newer than any old talk.
    .filter((fact) => !known.some(({ id }) => id === fact.of) && !replacedBy(fact, known))
    .slice(0, mostOperations)
    .map(({ document, text, sources }) => ({ op: 'keep', document, text, sources }))
  const summary = summaryOf(data, [...learned, ...operations.map(({ text }) => text)])
  return JSON.stringify({ summary, operations })
}

const mostItems = 8

const summaryOf = ({ title, other }: ImportData, items: readonly string[]): string => {
  const talked = title
    ? `They talked with ${other} about “${excerpt(title, 120)}”.`
    : `They talked with ${other}.`
  const shown = [...new Set(items)].slice(-mostItems).map((text) => small(text.replace(/\.$/, '')))
  return shown.length > 0 ? `${talked} They told it: ${shown.join('; ')}.` : talked
}

const small = (text: string): string =>
  /^(?:They|Their|The)\b/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text

/**
 * Without what they only gave the other to work on: what stands in fences or quotation marks, behind a colon,
 * in a part they gave it to play.
 */
const ownWords = (words: string): string => {
  const bare = aboutThemselves(words)
    .replace(/```[\s\S]*?(?:```|$)/g, '')
    .replace(/["“«„]([^"“”«»„]*)["”»“]/g, (whole, inner: string) =>
      /^\S+\s+\S+\s+\S/.test(inner) ? '' : whole,
    )
  if (playing.test(bare)) return ''
  const end = bare.search(working.test(bare) ? /:|\n/ : /:[ \t]*\n/)
  return (end < 0 ? bare : bare.slice(0, end)).trim()
}

/** Of custom instructions, what they say of the person. */
const aboutThemselves = (words: string): string =>
  words.replace(/^About me: /, '').replace(/(?:^|\n)How I want to be answered: [\s\S]*$/, '')

const play = "act (?:as|like)|play|pretend|imagine|role-?play|suppose|assume|let's (?:play|pretend)|you are"
const work =
  'translate|rewrite|rephrase|reword|paraphrase|proofread|correct|check|summari[sz]e|shorten|improve|polish|fix|edit|continue|complete|write|draft|compose|review|analy[sz]e|explain|answer|reply'

const asks = (deed: string): RegExp =>
  new RegExp(
    `^\\W*(?:(?:hi|hello|hey|please|okay|ok|now|and|then|can you|could you|would you|will you|i (?:want|need|would like) you to|i'd like you to|help me(?: to)?)\\b[\\s,!.]*)*(?:${deed})\\b`,
    'i',
  )
const playing = asks(play)
const working = asks(work)
