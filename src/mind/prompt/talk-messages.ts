/** Converts a message of the talk for the prompt, as text and as data. */
import type { HeardMedia, MessagePart, Seq, Via } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { Message, Shown } from '../../../packages/models/mind.ts'
import type { FileNote, Utterance } from '../../../packages/models/prompt-data.ts'
import { isOfOthers, isOwnVoice, isQuestion } from '../../../projections/message-parts.ts'
import type { Perceptions } from './heard-files.ts'
import {
  attribute,
  cutTo,
  encloseInTag,
  markedBy,
  removeMarkup,
  withoutMarks,
  withoutTokens,
} from './marked-data.ts'
import { type OthersWords, othersInAnswer, via } from './origin.ts'
import type { ToldPart } from './prompt-part.ts'
import type { Perception, TurnStep } from './recent-talk.ts'

/** `data`: null if another message already contains it. */
export interface TalkMessage {
  readonly message: Message
  readonly data: Utterance | null
  readonly parts: readonly ToldPart[]
}

export interface MessageContext {
  readonly perceptions: Perceptions
  readonly files: ReadonlyMap<Seq, Shown>
  /** True if the current turn answers this message. */
  readonly now: boolean
  /** Max UTF-16 units of the description of one file. */
  readonly maxTokens: number
  /** Max UTF-16 units of the text of one message. */
  readonly longest: number
}

export const maxPastTokens = 2000

export const toMessages = ({ seq, event }: Entry, context: MessageContext): readonly TalkMessage[] => {
  // Left out: the model would learn to ask for permission in text instead of calling the tool.
  if (event.type === 'MessageSpoken' && isQuestion(event)) return []
  if (event.type === 'MessageSpoken') return toOwnMessages(seq, event, context.longest)
  if (event.type !== 'MessageHeard') return []
  const { content, own } = formatParts(event.parts, context.longest)
  const place = context.now ? 'brought' : 'earlier'
  const words: ToldPart = { text: content, from: seq, others: othersInParts(event.parts, place) }
  const passedOn = event.parts.some((part) => !isPlain(part))
  if (!event.media)
    return [
      {
        message: { role: 'user', content },
        data: { by: 'person', words: own, files: [], passedOn },
        parts: [words],
      },
    ]
  const { note, file, voice } = toNote(event.media, seq, context)
  const shownFile = context.files.get(seq)
  const text = content ? `${content}\n\n${note.text}` : note.text
  return [
    {
      message: { role: 'user', content: text, ...(shownFile ? { files: [shownFile] } : {}) },
      data: {
        by: 'person',
        words: [own, voice].filter(Boolean).join('\n\n'),
        files: file ? [file] : [],
        passedOn,
      },
      parts: [words, note],
    },
  ]
}

/** Returns the words of others in a message, with their authors. */
export const othersInParts = (
  parts: readonly MessagePart[],
  place: OthersWords['place'],
): readonly OthersWords[] =>
  parts.flatMap(({ from, by, text }) =>
    from === 'person' || from === 'persona' || from === 'daemon'
      ? []
      : { text: `${text}\n${by ?? ''}`, via: via(from, by), place },
  )

/** Returns the description and the name of a file. Empty for a voice message of the user. */
export const othersInFile = (
  media: HeardMedia,
  perceivedText: string,
  place: OthersWords['place'],
): readonly OthersWords[] => {
  if (isOwnVoice({ media })) return []
  const { from, by, name } = media
  const origin = isOfOthers(media) && by !== null ? via(from as Via['from'], by) : via('file', name)
  return [{ text: `${name}\n${perceivedText}`, via: origin, place }]
}

/**
 * Formats the parts of a message. Words of others are enclosed in marks that name their author. If not all
 * parts fit, the user's come first. `own`: without words of others.
 */
const formatParts = (
  parts: readonly MessagePart[],
  longest: number,
): { readonly content: string; readonly own: string } => {
  let tokensLeft = longest
  const cut = (group: readonly MessagePart[]) =>
    new Map(
      group.map((part) => {
        const plain = part.from === 'person' ? withoutMarks(part.text) : removeMarkup(part.text)
        const text = cutTo(plain, Math.max(tokensLeft, 0))
        tokensLeft -= part.text.length
        return [part, isPlain(part) ? text : encloseInTag('words', markedBy(part), text)] as const
      }),
    )
  const texts = new Map([...cut(parts.filter((part) => !isOfOthers(part))), ...cut(parts.filter(isOfOthers))])
  const joinTexts = (group: readonly MessagePart[]) => group.map((part) => texts.get(part) ?? '').join('\n')
  return { content: joinTexts(parts), own: joinTexts(parts.filter(isPlain)) }
}

/** Text that a program passes on counts as said to the persona. */
const isPlain = ({ from }: MessagePart): boolean =>
  from === 'person' || from === 'daemon' || from === 'program'

/**
 * A file that the persona made is noted like a received file, not in its own message. Otherwise the model
 * would learn to write such a note instead of calling the tool.
 */
const toOwnMessages = (
  seq: Seq,
  { content: fullContent, media, borrowed = [] }: EventOf<'MessageSpoken'>,
  longest: number,
): readonly TalkMessage[] => {
  const content = withoutTokens(cutTo(fullContent, longest))
  const quotes = quoteRepeated(borrowed)
  const files = media ? [fileNoted(media, null)] : []
  const data: Utterance = { by: 'persona', words: content, files, calls: [] }
  const spokenMessage: TalkMessage = {
    message: { role: 'assistant', content, calls: [] },
    data,
    parts: [{ text: content, from: seq, others: quotes }],
  }
  if (!media) return [spokenMessage]
  const { name, filename, caption } = media
  const element = encloseInTag(
    'file',
    { name, file: filename },
    `You made this for the person. ${cutTo(caption, maxPastTokens)}`.trim(),
  )
  const fileMessage: TalkMessage = {
    message: { role: 'user', content: element },
    data: content ? null : data,
    parts: [{ text: element, from: seq, others: quotes }],
  }
  return content ? [spokenMessage, fileMessage] : [fileMessage]
}

/** Words of others that the persona repeated. */
export const quoteRepeated = (borrowedWords: readonly string[]): readonly OthersWords[] =>
  borrowedWords.length > 0
    ? [{ text: borrowedWords.join('\n'), via: via('talk', null), place: 'earlier' }]
    : []

interface NotedFile {
  readonly note: ToldPart
  readonly file: FileNote | null
  /** Transcript of the user's voice message. */
  readonly voice: string
}

/** Describes a file in the prompt. */
const toNote = (
  media: HeardMedia,
  seq: Seq,
  { perceptions, files, now, maxTokens }: MessageContext,
): NotedFile => {
  const { filename, name } = media
  const description = perceptions.get(seq)
  const marks = { name, file: filename, ...(isOfOthers(media) ? markedBy(media) : {}) }
  const quotes = othersInFile(media, description?.text ?? '', now ? 'brought' : 'earlier')
  const toNotedFile = (text: string): NotedFile => ({
    note: { text: encloseInTag('file', marks, text), from: description?.seq ?? seq, others: quotes },
    file: fileNoted(media, null),
    voice: '',
  })
  if (!description) return toNotedFile('Nobody has looked at it yet: look_again or read_document does.')
  // After the turn, the persona's own message in the talk contains the reason.
  if (description.outcome === 'refused')
    return toNotedFile(
      `It could not be perceived, ${now ? `and the person has been told so: ${description.text}` : 'and you said why.'}`,
    )
  if (description.outcome === 'shown')
    return toNotedFile(
      files.has(seq)
        ? 'It is before you: see for yourself.'
        : 'It was before you when it came. look_again or read_document shows it once more.',
    )
  if (isOwnVoice({ media })) {
    const voice = cutTo(description.text, maxTokens)
    return {
      note: { text: encloseInTag('voice', { file: filename }, voice), from: description.seq, others: quotes },
      file: null,
      voice: removeMarkup(voice),
    }
  }
  const by = description.organ === 'thinking' ? 'yourself' : (description.organ ?? '')
  const text = cutDescription(description, maxTokens)
  return {
    note: {
      text: encloseInTag('file', { ...marks, 'perceived-by': by }, text),
      from: description.seq,
      others: quotes,
    },
    file: fileNoted(media, description.organ && { by: description.organ, text: removeMarkup(text).trim() }),
    voice: '',
  }
}

const fileNoted = (
  { name, filename }: Pick<HeardMedia, 'name' | 'filename'>,
  perceivedText: FileNote['perceived'],
): FileNote => ({
  name: attribute(name),
  file: filename,
  perceived: perceivedText,
})

/**
 * A text that the Mind extracted itself can be continued with read_document. The description of another organ
 * cannot.
 */
const cutDescription = ({ organ, text }: Perception, maxUnits: number): string =>
  organ === 'thinking' && text.length > maxUnits
    ? `${text.slice(0, maxUnits).toWellFormed()}\n[It goes on: read_document reads on from ${maxUnits}.]`
    : cutTo(text, maxUnits)

export const stepMessages = ({ seq, answer, opaque, results }: TurnStep): readonly TalkMessage[] => [
  {
    message: {
      role: 'assistant',
      content: answer.text,
      calls: answer.calls,
      ...(opaque && { opaque: () => opaque }),
    },
    data: { by: 'persona', words: answer.text, files: [], calls: answer.calls },
    // An answer is derived from the rest of the same prompt, so it adds no new words of others.
    parts: [{ text: JSON.stringify(answer), from: seq, others: [] }],
  },
  ...results.map(({ seq: at, call, name, output }): TalkMessage => {
    const content = removeMarkup(JSON.stringify(output))
    const input = answer.calls.find(({ id }) => id === call)?.input
    return {
      message: { role: 'tool', call, name, content },
      data: { by: 'tool', call, name, output: JSON.parse(content) },
      parts: [{ text: content, from: at, others: othersInAnswer({ name, input, output }) }],
    }
  }),
]
