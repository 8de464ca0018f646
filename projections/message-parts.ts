/** The parts of a message by source, and their conversion from and to one text. */

import type { MessagePart, WordsFrom } from '../facts/fact-values.ts'
import type { EventIn, EventOf } from '../facts/facts.ts'

type Parted = Pick<EventOf<'MessageHeard'>, 'parts'>

interface Kind {
  /** Third-party text. It gives no permissions, makes no statements of the user, and requests nothing. */
  readonly others: boolean
  /** Heading above the text, whose lines are then quoted. Null: the text is shown unchanged. */
  readonly mark: ((name: string | null) => string) | null
}

const kinds: Readonly<Record<WordsFrom, Kind>> = {
  person: { others: false, mark: null },
  persona: { others: false, mark: (name) => `in answer to ${name}` },
  daemon: { others: false, mark: null },
  program: { others: true, mark: null },
  forwarded: { others: true, mark: (name) => (name ? `forwarded from ${name}` : 'forwarded') },
  quoted: { others: true, mark: null },
  replied: { others: true, mark: (name) => `in answer to ${name || 'somebody'}` },
  embedded: { others: true, mark: (name) => (name ? `shown by ${name}` : 'a preview of a link') },
  shared: { others: true, mark: null },
  pasted: { others: true, mark: null },
}

export const isOfOthers = ({ from }: Pick<MessagePart, 'from'>): boolean => kinds[from].others

/**
 * Returns the message as one text: the user's own text unchanged, other parts under a heading that names
 * their source.
 */
export const getContent = (event: EventIn<'talk'>): string =>
  event.type === 'MessageSpoken' ? event.content : toReadable(event.parts)

/** Returns whether the daemon wrote the message: an approval request or a notice. */
export const isByDaemon = (event: EventIn<'talk'>): boolean => isQuestion(event) || isNotice(event)

/** Returns whether the message asks in a chat to approve a tool call. */
export const isQuestion = (event: EventIn<'talk'>): boolean =>
  event.type === 'MessageSpoken' &&
  (event.asks !== null || (event.turn === null && event.step === null && questionToPage.test(event.content)))

/** A question that is too long to be answered in a chat names no call. */
const questionToPage = /^May I use `[^`\n]+` of `[^`\n]+` with this\?\n/

/** Returns whether the message is a notice of the daemon about itself or a model. */
export const isNotice = (event: EventIn<'talk'>): boolean =>
  event.type === 'MessageSpoken' &&
  (event.notice === true ||
    (event.step === null && event.channel !== null && event.asks === null && oldNotice.test(event.content)))

/** Older notices have no mark. */
const oldNotice =
  /^(?:I cannot think right now: |I cannot answer this: |I could not answer this[:,] |I looked for words and found none: |My mind asked for |I have used up my tokens for today: |The daemon that runs me ended twice )/

/** Appended to an answer that was truncated at the model's limit. */
export const cutMark = ' …\n\n(My answer was cut off here: my mind had reached its limit. Ask me to go on.)'

/** Begins a notice where its form cannot show that the persona did not write it. */
const noticeMark = '⚠ '

/** Returns the text for a channel that shows text only. */
export const toMarkedText = (text: string, isNotice: boolean): string =>
  isNotice && text !== '' ? `${noticeMark}${text}` : text

export const toReadable = (parts: readonly MessagePart[]): string => parts.map(formatPart).join('\n')

const formatPart = ({ from, by, text }: MessagePart): string => {
  const { mark } = kinds[from]
  return mark === null ? text : `[${mark(by)}]\n${quoteLines(text)}`
}

export const quoteLines = (text: string): string => text.replace(/^/gm, '> ')

/** Returns the user's own text; `''` if there is none. */
export const getOwnWords = ({ parts }: Parted): string =>
  parts
    // Older messages have one part that includes quotations.
    .flatMap(({ from, text }) => (from === 'person' ? [text.replace(/^[ \t]*>.*$/gm, '')] : []))
    .join('\n')
    .trim()

/** Returns whether the message contains third-party text or a third-party file. */
export const holdsOthers = ({ parts, media }: Pick<EventOf<'MessageHeard'>, 'parts' | 'media'>): boolean =>
  parts.some(isOfOthers) || (media !== null && isOfOthers(media))

/** Returns whether the message is a voice recording of the user. */
export const isOwnVoice = ({ media }: Pick<EventOf<'MessageHeard'>, 'media'>): boolean =>
  media?.voice === true && !isOfOthers(media)

/** More alternations between own and quoted text than a human writes. The rest then counts as quoted. */
const maxParts = 200

/**
 * Splits a text by source: lines with `>` are quoted, lines in a code fence pasted, all others the user's
 * own. `longQuotes`: `>>>` begins a quotation up to the end of the text. Joining the parts with line breaks
 * returns the text.
 */
export const partsIn = (text: string, { longQuotes = false } = {}): readonly MessagePart[] => {
  if (text === '') return []
  if (!mayHaveMarks.test(text)) return [{ from: 'person', by: null, text }]
  const parts: { from: WordsFrom; lines: string[] }[] = []
  let fence: string | null = null
  let rest: WordsFrom | null = null
  for (const line of text.split('\n')) {
    const openingFence: string | null = fence === null ? fenceIn(line) : null
    const from: WordsFrom =
      rest ??
      (fence !== null || openingFence !== null ? 'pasted' : quotation.test(line) ? 'quoted' : 'person')
    const last = parts.at(-1)
    if (last?.from === from) last.lines.push(line)
    else parts.push({ from, lines: [line] })
    if (openingFence !== null) fence = openingFence
    else if (fence !== null && closes(line, fence)) fence = null
    if (parts.length === maxParts || (longQuotes && from === 'quoted' && longQuotation.test(line)))
      rest = 'quoted'
  }
  return parts.map(({ from, lines }) => ({ from, by: null, text: lines.join('\n') }))
}

const mayHaveMarks = /^[ \t]*(?:>|`{3}|~{3})/m
const quotation = /^[ \t]*>/
const longQuotation = /^[ \t]*>>>/

/** Returns the marks that open a code fence (CommonMark 4.5); null for any other line. */
export const fenceIn = (line: string): string | null => {
  const [fenceStart = '', marks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
  if (marks === undefined) return null
  return marks.startsWith('`') && line.includes('`', fenceStart.length) ? null : marks
}

export const closes = (line: string, fence: string): boolean => {
  const trimmedLine = line.trim()
  return (
    trimmedLine.length >= fence.length &&
    /^ {0,3}\S/.test(line) &&
    [...trimmedLine].every((mark) => mark === fence[0])
  )
}

/** Truncates the parts to a total of `most` UTF-16 units. */
export const boundedTo = (parts: readonly MessagePart[], maxLength: number): readonly MessagePart[] => {
  let room = maxLength
  return parts.flatMap((part) => {
    const text = part.text.slice(0, Math.max(0, room)).toWellFormed()
    room -= part.text.length
    return text === '' ? [] : [{ ...part, text }]
  })
}
