/** The parts of a message: whose words they are, and how all of it reads as one text. */

import type { MessagePart, WordsFrom } from '../journal/facts/fact-values.ts'
import type { EventIn, EventOf } from '../journal/facts/facts.ts'

type Parted = Pick<EventOf<'MessageHeard'>, 'parts'>

interface Kind {
  /** Words of others: what they say gives no permission, makes no statement and asks for nothing. */
  readonly others: boolean
  /** Stands above them, and each of their lines is a quotation. Null: they read as they are. */
  readonly mark: ((by: string | null) => string) | null
}

const kinds: Readonly<Record<WordsFrom, Kind>> = {
  person: { others: false, mark: null },
  persona: { others: false, mark: (by) => `in answer to ${by}` },
  daemon: { others: false, mark: null },
  program: { others: true, mark: null },
  forwarded: { others: true, mark: (by) => (by ? `forwarded from ${by}` : 'forwarded') },
  quoted: { others: true, mark: null },
  replied: { others: true, mark: (by) => `in answer to ${by || 'somebody'}` },
  embedded: { others: true, mark: (by) => (by ? `shown by ${by}` : 'a preview of a link') },
  shared: { others: true, mark: null },
  pasted: { others: true, mark: null },
}

export const isOfOthers = ({ from }: Pick<MessagePart, 'from'>): boolean => kinds[from].others

/**
 * The whole as one text: what the person wrote as they wrote it, other words behind a mark that says whose
 * they are.
 */
export const contentOf = (event: EventIn<'talk'>): string =>
  event.type === 'MessageSpoken' ? event.content : readableOf(event.parts)

/** What the daemon asks of the person in a chat: nobody's talk. */
export const isQuestion = (event: EventIn<'talk'>): boolean =>
  event.type === 'MessageSpoken' && event.asks !== null

export const readableOf = (parts: readonly MessagePart[]): string => parts.map(readable).join('\n')

const readable = ({ from, by, text }: MessagePart): string => {
  const { mark } = kinds[from]
  return mark === null ? text : `[${mark(by)}]\n${quoted(text)}`
}

export const quoted = (text: string): string => text.replace(/^/gm, '> ')

/** What the person themselves said with it; `''` where all of it is somebody else's. */
export const ownWordsOf = ({ parts }: Parted): string =>
  parts
    // Messages of before are one part, quotations included.
    .flatMap(({ from, text }) => (from === 'person' ? [text.replace(/^[ \t]*>.*$/gm, '')] : []))
    .join('\n')
    .trim()

/** Whether words of others came with it, or their recording. */
export const holdsOthers = ({ parts, media }: Pick<EventOf<'MessageHeard'>, 'parts' | 'media'>): boolean =>
  parts.some(isOfOthers) || (media !== null && isOfOthers(media))

/** The person speaking, as they spoke. */
export const isOwnVoice = ({ media }: Pick<EventOf<'MessageHeard'>, 'media'>): boolean =>
  media?.voice === true && !isOfOthers(media)

/**
 * More changes between own words and others' than anybody writes: from there on all of it counts as quoted.
 */
const mostParts = 200

/**
 * What somebody wrote, told apart: lines that begin with `>` are quoted, lines in a code fence pasted, the
 * rest is their own. `longQuotes`: `>>>` begins a quotation that goes on to the end. Joined by line ends the
 * parts are the text again.
 */
export const partsIn = (text: string, { longQuotes = false } = {}): readonly MessagePart[] => {
  if (text === '') return []
  if (!marked.test(text)) return [{ from: 'person', by: null, text }]
  const parts: { from: WordsFrom; lines: string[] }[] = []
  let fence: string | null = null
  let rest: WordsFrom | null = null
  for (const line of text.split('\n')) {
    const begins: string | null = fence === null ? fenceIn(line) : null
    const from: WordsFrom =
      rest ?? (fence !== null || begins !== null ? 'pasted' : quotation.test(line) ? 'quoted' : 'person')
    const last = parts.at(-1)
    if (last?.from === from) last.lines.push(line)
    else parts.push({ from, lines: [line] })
    if (begins !== null) fence = begins
    else if (fence !== null && closes(line, fence)) fence = null
    if (parts.length === mostParts || (longQuotes && from === 'quoted' && longQuotation.test(line)))
      rest = 'quoted'
  }
  return parts.map(({ from, lines }) => ({ from, by: null, text: lines.join('\n') }))
}

const marked = /^[ \t]*(?:>|`{3}|~{3})/m
const quotation = /^[ \t]*>/
const longQuotation = /^[ \t]*>>>/

/** The marks that a fence begins with (CommonMark 4.5); null for any other line. */
export const fenceIn = (line: string): string | null => {
  const [begin = '', marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
  if (marks === undefined) return null
  return marks.startsWith('`') && line.includes('`', begin.length) ? null : marks
}

export const closes = (line: string, fence: string): boolean => {
  const bare = line.trim()
  return bare.length >= fence.length && /^ {0,3}\S/.test(line) && [...bare].every((mark) => mark === fence[0])
}

/** The first of them that fit into so many UTF-16 units, what follows cut away. */
export const boundedTo = (parts: readonly MessagePart[], most: number): readonly MessagePart[] => {
  let room = most
  return parts.flatMap((part) => {
    const text = part.text.slice(0, Math.max(0, room)).toWellFormed()
    room -= part.text.length
    return text === '' ? [] : [{ ...part, text }]
  })
}
