/** Formats a talk for consolidation, line by line: the speaker's own words, then quoted words and files. */
import { type EventOf, isIn } from '../../../facts/facts.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { formatShortWall, localTimeAt, shortLocalTime } from '../../../packages/kit/time/local-time.ts'
import type { TalkLine } from '../../../packages/models/prompt-data.ts'
import {
  getContent,
  getOwnWords,
  isByDaemon,
  isOfOthers,
  isOwnVoice,
} from '../../../projections/message-parts.ts'
import type { Perceptions } from '../prompt/heard-files.ts'
import { encloseInTag, markedBy, removeMarkup, withoutMarks } from '../prompt/marked-data.ts'
import { cutToTokens, type ToldPart } from '../prompt/prompt-part.ts'
import { othersInFile, othersInParts, quoteRepeated } from '../prompt/talk-messages.ts'

interface LineContext {
  readonly perceptions: Perceptions
  readonly zone: string
}

/** Max tokens of one message, and of one file. */
export const maxMessageTokens = 1600
const maxFileTokens = 300

/** Returns the speaker's own words, cut to the limit. Null if the entry is not part of the talk. */
export const toTalkLine = (
  { seq, at, event }: Entry,
  { perceptions, zone }: LineContext,
): TalkLine | null => {
  if (!isIn('talk', event) || isByDaemon(event)) return null
  const speaker = event.type === 'MessageSpoken' ? 'persona' : event.channel ? 'person' : 'program'
  const voice = voiceIn({ seq, event }, perceptions)
  const words = [event.type === 'MessageHeard' ? saidAs(event) : event.content, voice]
    .filter(Boolean)
    .join('\n')
  return {
    seq,
    by: speaker,
    time: shortLocalTime(localTimeAt(at, zone)),
    alone: event.media === null || voice !== null,
    words: cutToTokens(speaker === 'person' ? withoutMarks(words) : removeMarkup(words), maxMessageTokens),
  }
}

const speakers: Readonly<Record<TalkLine['by'], string>> = {
  person: 'person',
  program: 'person, through a program',
  persona: 'you',
  other: 'the other',
}

/** Continuation lines are indented, so no message can imitate the start of a line. */
export const formatTalkLine = ({ seq, time, by, words }: TalkLine): string =>
  `[${seq}] ${time === null ? '' : `${formatShortWall(time)} `}${speakers[by]}: ${indent(words)}\n`

/** Returns one message with its quoted words and its file. */
export const toTalkLines = (entry: Entry, context: LineContext): readonly ToldPart[] => {
  const { seq, event } = entry
  const line = toTalkLine(entry, context)
  if (!line || !isIn('talk', event)) return []
  // The user's own words refer to the quoted words and the file in the same message.
  const place = line.by === 'person' && line.words !== '' ? 'brought' : 'earlier'
  const quotes =
    event.type === 'MessageHeard' ? othersInParts(event.parts, place) : quoteRepeated(event.borrowed ?? [])
  const lines: ToldPart[] = [{ text: formatTalkLine(line), from: seq, others: quotes }]
  if (event.type === 'MessageHeard')
    for (const [marks, text] of othersIn(event)) {
      const element = encloseInTag('words', marks, cutToTokens(text, maxFileTokens))
      lines.push({ text: `  ${indent(element)}\n`, from: seq, others: [] })
    }
  if (event.media && !line.alone) {
    const description = context.perceptions.get(seq)
    const content = description?.outcome === 'perceived' ? description.text : event.media.caption
    const marks = 'from' in event.media && isOfOthers(event.media) ? markedBy(event.media) : {}
    const element = encloseInTag(
      'file',
      { name: event.media.name, ...marks },
      cutToTokens(content, maxFileTokens),
    )
    // For a file that the persona made, `borrowed` lists the words of others.
    const fileQuotes = 'from' in event.media ? othersInFile(event.media, content, place) : []
    lines.push({ text: `  ${indent(element)}\n`, from: description?.seq ?? seq, others: fileQuotes })
  }
  return lines
}

/** Returns the transcript of the user's voice message, or null if there is none. */
const voiceIn = ({ seq, event }: Pick<Entry, 'seq' | 'event'>, perceptions: Perceptions): string | null => {
  if (event.type !== 'MessageHeard' || !isOwnVoice(event)) return null
  const description = perceptions.get(seq)
  return description?.outcome === 'perceived' ? description.text : null
}

/** For a message passed on by a program, returns the whole content. */
const saidAs = (event: EventOf<'MessageHeard'>): string =>
  event.channel === null ? getContent(event) : getOwnWords(event)

/** Returns the quoted words of others, grouped by speaker. */
const othersIn = ({
  channel,
  parts,
}: EventOf<'MessageHeard'>): Iterable<readonly [ReturnType<typeof markedBy>, string]> => {
  const bySpeaker = new Map<string, readonly [ReturnType<typeof markedBy>, string]>()
  for (const part of channel === null
    ? []
    : parts.filter((part) => isOfOthers(part) || part.from === 'persona')) {
    const marks = markedBy(part)
    const key = JSON.stringify(marks)
    const previousPart = bySpeaker.get(key)
    bySpeaker.set(key, [marks, previousPart ? `${previousPart[1]}\n${part.text}` : part.text])
  }
  return bySpeaker.values()
}

/** Indents all lines after the first. */
const indent = (text: string): string => text.split(/\r\n|[\n\r\u2028\u2029\v\f\u0085]/).join('\n  ')
