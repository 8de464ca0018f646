/** A message of its talk as its mind is told of it: in words, and as data. */
import type { HeardMedia, MessagePart, Seq } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import { isOfOthers, isOwnVoice, isQuestion } from '../../../projections/message-parts.ts'
import type { Message, Shown } from '../../models/mind.ts'
import type { FileNote, Utterance } from '../../models/prompt-data.ts'
import type { Perceived } from './heard-files.ts'
import { attribute, cutTo, enclosed, markedBy, unmarked } from './marked-data.ts'
import type { PromptPart } from './prompt-part.ts'
import type { Seen, Stepped } from './recent-talk.ts'

/** `data`: null where another message stands for it. */
export interface TalkMessage {
  readonly message: Message
  readonly data: Utterance | null
  readonly parts: readonly PromptPart[]
}

export interface Beside {
  readonly perceived: Perceived
  readonly files: ReadonlyMap<Seq, Shown>
  /** Whether the turn that tells it is the one that took it. */
  readonly now: boolean
  /** UTF-16 units of what was perceived of one file. */
  readonly most: number
  /** Of the words of one message. */
  readonly longest: number
}

export const mostOfPast = 2000

export const messagesOf = ({ seq, event }: Entry, beside: Beside): readonly TalkMessage[] => {
  // Told of it, it would learn to ask instead of doing it.
  if (event.type === 'MessageSpoken' && isQuestion(event)) return []
  if (event.type === 'MessageSpoken') return spokenOf(seq, event, beside.longest)
  if (event.type !== 'MessageHeard') return []
  const { content, own } = wordsTold(event.parts, beside.longest)
  const words: PromptPart = { text: content, from: seq }
  const passedOn = event.parts.some((part) => !isPlain(part))
  if (!event.media)
    return [
      {
        message: { role: 'user', content },
        data: { by: 'person', words: own, files: [], passedOn },
        parts: [words],
      },
    ]
  const { note, file, voice } = noteOf(event.media, seq, beside)
  const shown = beside.files.get(seq)
  const both = content ? `${content}\n\n${note.text}` : note.text
  return [
    {
      message: { role: 'user', content: both, ...(shown ? { files: [shown] } : {}) },
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

/**
 * Of the person as they are, of everybody else between marks that say whose they are; where there is not room
 * for all, the person's come first. `own`: without those of others.
 */
const wordsTold = (
  parts: readonly MessagePart[],
  longest: number,
): { readonly content: string; readonly own: string } => {
  let left = longest
  const cut = (of: readonly MessagePart[]) =>
    new Map(
      of.map((part) => {
        const text = cutTo(unmarked(part.text), Math.max(left, 0))
        left -= part.text.length
        return [part, isPlain(part) ? text : enclosed('words', markedBy(part), text)] as const
      }),
    )
  const told = new Map([...cut(parts.filter((part) => !isOfOthers(part))), ...cut(parts.filter(isOfOthers))])
  const joined = (some: readonly MessagePart[]) => some.map((part) => told.get(part) ?? '').join('\n')
  return { content: joined(parts), own: joined(parts.filter(isPlain)) }
}

/** What a program passes on stands in the talk as words to it, as it always did. */
const isPlain = ({ from }: MessagePart): boolean =>
  from === 'person' || from === 'daemon' || from === 'program'

/**
 * What it made is told to it like any file, and not as words of its own: it would learn to say it instead of
 * doing it.
 */
const spokenOf = (
  seq: Seq,
  { content: whole, media }: EventOf<'MessageSpoken'>,
  longest: number,
): readonly TalkMessage[] => {
  const content = cutTo(whole, longest)
  const files = media ? [fileNoted(media, null)] : []
  const data: Utterance = { by: 'persona', words: content, files, calls: [] }
  const said: TalkMessage = {
    message: { role: 'assistant', content, calls: [] },
    data,
    parts: [{ text: content, from: seq }],
  }
  if (!media) return [said]
  const { name, filename, caption } = media
  const note = enclosed(
    'file',
    { name, file: filename },
    `You made this for the person. ${cutTo(caption, mostOfPast)}`.trim(),
  )
  const made: TalkMessage = {
    message: { role: 'user', content: note },
    data: content ? null : data,
    parts: [{ text: note, from: seq }],
  }
  return content ? [said, made] : [made]
}

interface Noted {
  readonly note: PromptPart
  readonly file: FileNote | null
  /** What the person said aloud. */
  readonly voice: string
}

/** A file that came with a message, as it stands in its talk. */
const noteOf = (media: HeardMedia, seq: Seq, { perceived, files, now, most }: Beside): Noted => {
  const { filename, name } = media
  const seen = perceived.get(seq)
  const marks = { name, file: filename, ...(isOfOthers(media) ? markedBy(media) : {}) }
  const saying = (text: string): Noted => ({
    note: { text: enclosed('file', marks, text), from: seen?.seq ?? seq },
    file: fileNoted(media, null),
    voice: '',
  })
  if (!seen) return saying('Nobody has looked at it yet: look_again or read_document does.')
  // Once the turn is over, the words themselves stand in the talk.
  if (seen.outcome === 'refused')
    return saying(
      `It could not be perceived, ${now ? `and the person has been told so: ${seen.text}` : 'and you said why.'}`,
    )
  if (seen.outcome === 'shown')
    return saying(
      files.has(seq)
        ? 'It is before you: see for yourself.'
        : 'It was before you when it came. look_again or read_document shows it once more.',
    )
  if (isOwnVoice({ media })) {
    const voice = cutTo(seen.text, most)
    return {
      note: { text: enclosed('voice', { file: filename }, voice), from: seen.seq },
      file: null,
      voice: unmarked(voice),
    }
  }
  const by = seen.organ === 'thinking' ? 'yourself' : (seen.organ ?? '')
  const text = beginningOf(seen, most)
  return {
    note: { text: enclosed('file', { ...marks, 'perceived-by': by }, text), from: seen.seq },
    file: fileNoted(media, seen.organ && { by: seen.organ, text: unmarked(text).trim() }),
    voice: '',
  }
}

const fileNoted = (
  { name, filename }: Pick<HeardMedia, 'name' | 'filename'>,
  perceived: FileNote['perceived'],
): FileNote => ({
  ...{ name: attribute(name), file: filename },
  perceived,
})

/** What it reads itself can be read on where it is cut off; of what an organ told there is no more. */
const beginningOf = ({ organ, text }: Seen, most: number): string =>
  organ === 'thinking' && text.length > most
    ? `${text.slice(0, most).toWellFormed()}\n[It goes on: read_document reads on from ${most}.]`
    : cutTo(text, most)

export const stepMessages = ({ seq, answer, results }: Stepped): readonly TalkMessage[] => [
  {
    message: { role: 'assistant', content: answer.text, calls: answer.calls },
    data: { by: 'persona', words: answer.text, files: [], calls: answer.calls },
    parts: [{ text: JSON.stringify(answer), from: seq }],
  },
  ...results.map(({ seq: at, call, name, output }): TalkMessage => {
    const content = unmarked(JSON.stringify(output))
    return {
      message: { role: 'tool', call, name, content },
      data: { by: 'tool', call, name, output: JSON.parse(content) },
      parts: [{ text: content, from: at }],
    }
  }),
]
