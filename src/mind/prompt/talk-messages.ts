/** Converts a message of the talk for the prompt, as text and as data. */
import type { Call, HeardMedia, MessagePart, Seq, Via } from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import type { Message, Shown } from '../../../packages/models/mind.ts'
import type { FileNote, Utterance } from '../../../packages/models/prompt-data.ts'
import { getOwnWords, isOfOthers, isOwnVoice } from '../../../projections/message-parts.ts'
import type { Perceptions } from './heard-files.ts'
import {
  attribute,
  countFullUnits,
  cutTo,
  cutWhole,
  encloseInTag,
  markedBy,
  removeMarkup,
  withoutMarks,
  withoutTokens,
} from './marked-data.ts'
import { type OthersWords, othersInAnswer, via } from './origin.ts'
import { fitUnits, ownText, type ToldPart } from './prompt-part.ts'
import type { Perception } from './recent-talk.ts'
import type { ToolOutput, TurnStep } from './talk-items.ts'

/** `data`: null if another message already contains it. */
export interface TalkMessage {
  readonly message: Message
  readonly data: Utterance | null
  readonly parts: readonly ToldPart[]
}

/** What the conversion of a message depends on. `time`: the line about its time, or an empty string. */
export interface MessageContext {
  readonly perceptions: Perceptions
  readonly files: ReadonlyMap<Seq, Shown>
  /** Returns the entries of the lorebook for a message; null for none. */
  readonly attachLore: (words: string) => ToldPart | null
  readonly place: OthersWords['place']
  readonly time: string
  /** Statements that are shown with the message. */
  readonly known?: readonly ToldPart[]
  /** Max UTF-16 units of the description of one file. */
  readonly maxFileUnits: number
  /** Max UTF-16 units of the text of one message. */
  readonly maxTextUnits: number
}

/** Converts a message of the user. */
export const toUserMessage = ({ seq, event }: Entry, context: MessageContext): readonly TalkMessage[] => {
  if (event.type !== 'MessageHeard') return []
  const { place, time, known = [] } = context
  const { content, own } = formatParts(event.parts, context.maxTextUnits)
  const words: ToldPart = {
    text: joinLines(time, content),
    from: seq,
    others: othersInParts(event.parts, place),
  }
  const spokenText = joinLines(...known.map(({ text }) => text), words.text)
  const passedOn = event.parts.some((part) => !isPlain(part))
  const lore = context.attachLore(getOwnWords(event))
  const loreParts = lore ? [lore] : []
  const loreTexts = loreParts.map(({ text }) => text)
  if (!event.media)
    return [
      {
        message: { role: 'user', content: joinParagraphs(spokenText, ...loreTexts) },
        data: { by: 'person', words: own, files: [], passedOn },
        parts: [...known, words, ...loreParts],
      },
    ]
  const { note, file, voice } = toNote(event.media, seq, context)
  const shownFile = context.files.get(seq)
  const text = joinParagraphs(spokenText, note.text, ...loreTexts)
  return [
    {
      message: { role: 'user', content: text, ...(shownFile ? { files: [shownFile] } : {}) },
      data: {
        by: 'person',
        words: [own, voice].filter(Boolean).join('\n\n'),
        files: file ? [file] : [],
        passedOn,
      },
      parts: [...known, words, note, ...loreParts],
    },
  ]
}

const joinParagraphs = (...texts: readonly string[]): string =>
  texts.filter((text) => text !== '').join('\n\n')

export const joinLines = (...lines: readonly string[]): string =>
  lines.filter((line) => line !== '').join('\n')

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
  maxTokens: number,
): { readonly content: string; readonly own: string } => {
  let tokensLeft = maxTokens
  const cutParts = (group: readonly MessagePart[]) =>
    new Map(
      group.map((part) => {
        const plain = part.from === 'person' ? withoutMarks(part.text) : removeMarkup(part.text)
        const text = cutTo(plain, Math.max(tokensLeft, 0))
        tokensLeft -= part.text.length
        return [part, isPlain(part) ? text : encloseInTag('words', markedBy(part), text)] as const
      }),
    )
  const texts = new Map([
    ...cutParts(parts.filter((part) => !isOfOthers(part))),
    ...cutParts(parts.filter(isOfOthers)),
  ])
  const joinTexts = (group: readonly MessagePart[]) => group.map((part) => texts.get(part) ?? '').join('\n')
  return { content: joinTexts(parts), own: joinTexts(parts.filter(isPlain)) }
}

/** Text that a program passes on counts as said to the persona. */
const isPlain = ({ from }: MessagePart): boolean =>
  from === 'person' || from === 'daemon' || from === 'program'

/** Max UTF-16 units of a caption. */
const maxCaptionUnits = 2000

/**
 * Converts a message of the persona that no step contains. A file that it made is noted like a received file,
 * not in its own message. Otherwise the model would learn to write such a note instead of calling the tool.
 * `time`: the line about the time of a message that the persona wrote by itself.
 */
export const toOwnMessages = (entry: Entry, maxTextUnits: number, time: string): readonly TalkMessage[] => {
  const { seq, event } = entry
  if (event.type !== 'MessageSpoken') return []
  const { initiative, ...answer } = event
  if (initiative !== undefined) {
    const note = joinLines(time, '[note] The user had not written. You wrote to them by yourself:')
    return [
      { message: { role: 'user', content: note }, data: null, parts: [ownText(note)] },
      ...toOwnMessages({ ...entry, event: answer }, maxTextUnits, ''),
    ]
  }
  const { media, borrowed = [] } = event
  const content = withoutTokens(cutTo(event.content, maxTextUnits))
  const quotedOthers = quoteRepeated(borrowed)
  const files = media ? [fileNoted(media, null)] : []
  const data: Utterance = { by: 'persona', words: content, files, calls: [] }
  const spokenMessage: TalkMessage = {
    message: { role: 'assistant', content, calls: [] },
    data,
    parts: [{ text: content, from: seq, others: quotedOthers }],
  }
  if (!media) return [spokenMessage]
  const { name, filename, caption } = media
  const element = encloseInTag(
    'file',
    { name, file: filename },
    `You made this for the user. ${cutTo(caption, maxCaptionUnits)}`.trim(),
  )
  const fileMessage: TalkMessage = {
    message: { role: 'user', content: element },
    data: content ? null : data,
    parts: [{ text: element, from: seq, others: quotedOthers }],
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
  { perceptions, files, place, maxFileUnits }: MessageContext,
): NotedFile => {
  const { filename, name } = media
  const description = perceptions.get(seq)
  const marks = { name, file: filename, ...(isOfOthers(media) ? markedBy(media) : {}) }
  const quotedOthers = othersInFile(media, description?.text ?? '', place)
  const createNote = (text: string): NotedFile => ({
    note: { text: encloseInTag('file', marks, text), from: description?.seq ?? seq, others: quotedOthers },
    file: fileNoted(media, null),
    voice: '',
  })
  if (!description) return createNote('Not opened yet: look_again or read_document opens it.')
  if (description.outcome === 'refused')
    return createNote(`It could not be opened, and the user has been told so: ${description.text}`)
  if (description.outcome === 'shown')
    return createNote(
      files.has(seq)
        ? 'It is attached to this message.'
        : 'It was attached to this message. look_again or read_document shows it again.',
    )
  if (isOwnVoice({ media })) {
    const voice = cutTo(description.text, maxFileUnits)
    return {
      note: {
        text: encloseInTag('voice', { file: filename }, voice),
        from: description.seq,
        others: quotedOthers,
      },
      file: null,
      voice: removeMarkup(voice),
    }
  }
  const perceiver = description.organ === 'thinking' ? 'yourself' : (description.organ ?? '')
  const text = cutDescription(description, maxFileUnits)
  return {
    note: {
      text: encloseInTag('file', { ...marks, 'perceived-by': perceiver }, text),
      from: description.seq,
      others: quotedOthers,
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
 * The text of a document can be continued with read_document. The description of another organ cannot.
 */
const cutDescription = ({ organ, text }: Perception, maxUnits: number): string => {
  const units = fitUnits(text, maxUnits)
  if (organ !== 'thinking' || text.length <= units) return cutTo(text, units)
  const next = units - countNoteUnits(text)
  const omittedUnits = countFullUnits(text) - units
  return `${cutWhole(text, units)}\n[${omittedUnits} more characters are left out. Read on with read_document, from: ${next}.]`
}

/** `read_document` counts without the note in front of the text. A first line like a note is read twice. */
const countNoteUnits = (text: string): number => /^\[[^\n]*\]\n/.exec(text)?.[0].length ?? 0

interface StepContext {
  /** Why calls without a result have none; null if all have one. */
  readonly unanswered: 'waits' | 'ended' | null
  /** `result` in the current turn. */
  readonly place: OthersWords['place']
  /** Max UTF-16 units of the text, and of each result. */
  readonly maxTextUnits: number
}

export const toStepMessages = (
  { seq, answer, opaque, results, borrowed = [] }: TurnStep,
  { unanswered, place, maxTextUnits }: StepContext,
): readonly TalkMessage[] => {
  const messages: TalkMessage[] = [
    {
      message: {
        role: 'assistant',
        content: cutTo(withoutTokens(answer.text), maxTextUnits),
        calls: answer.calls,
        ...(opaque && { opaque: () => opaque }),
      },
      data: { by: 'persona', words: answer.text, files: [], calls: answer.calls },
      // In its own turn, the prompt still contains all that the answer is derived from.
      parts: [
        {
          text: JSON.stringify(answer),
          from: seq,
          others: place === 'result' ? [] : quoteRepeated(borrowed),
        },
      ],
    },
    ...results.map((result) =>
      toResultMessage(result, answer.calls.find(({ id }) => id === result.call)?.input, {
        place,
        maxTextUnits,
      }),
    ),
  ]
  if (unanswered === null) return messages
  const missingCalls = answer.calls.filter(({ id }) => !results.some(({ call }) => call === id))
  return [
    ...messages,
    ...missingCalls.map(({ id, name }): TalkMessage => {
      const content = JSON.stringify({ note: noResult[unanswered] })
      return {
        message: { role: 'tool', call: id, name, content },
        data: { by: 'tool', call: id, name, output: JSON.parse(content) },
        parts: [ownText(content)],
      }
    }),
  ]
}

/** For calls without a result. Providers require one for every call. */
const noResult = {
  waits: 'This waits for the approval of the user. The result follows when they have answered.',
  ended: 'The turn ended before this ran.',
} as const

/** Results that arrive after other turns: the call is repeated with another id, because ids are unique. */
export const toLateMessages = (
  call: Call,
  result: ToolOutput,
  { borrowed, ...context }: Omit<StepContext, 'unanswered'> & { readonly borrowed: readonly string[] },
): readonly TalkMessage[] => {
  const id = `${call.id}-later`
  const repeatedCall = { ...call, id }
  return [
    {
      message: { role: 'assistant', content: '', calls: [repeatedCall] },
      data: null,
      parts: [{ text: JSON.stringify(repeatedCall), from: result.seq, others: quoteRepeated(borrowed) }],
    },
    toResultMessage({ ...result, call: id }, call.input, context),
  ]
}

const toResultMessage = (
  { seq, call, name, output }: ToolOutput,
  input: unknown,
  { place, maxTextUnits }: Omit<StepContext, 'unanswered'>,
): TalkMessage => {
  const json = removeMarkup(JSON.stringify(output))
  // A page of a document must be whole for the turn that reads it.
  const content = place === 'result' ? json : cutTo(json, maxTextUnits)
  const quotedOthers = othersInAnswer({ name, input, output }).map((words) =>
    words.place === 'result' ? { ...words, place } : words,
  )
  return {
    message: { role: 'tool', call, name, content },
    data: { by: 'tool', call, name, output: JSON.parse(json) },
    parts: [{ text: content, from: seq, others: quotedOthers }],
  }
}
