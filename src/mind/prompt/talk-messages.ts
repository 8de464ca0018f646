/** A message of its talk as its mind is told of it: in words, and as data. */
import type { HeardMedia, MessagePart, Seq, Via } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import type { Entry } from '../../../journal/log/journal.ts'
import type { Message, Shown } from '../../../packages/models/mind.ts'
import type { FileNote, Utterance } from '../../../packages/models/prompt-data.ts'
import { isOfOthers, isOwnVoice, isQuestion } from '../../../projections/message-parts.ts'
import type { Perceived } from './heard-files.ts'
import { attribute, cutTo, enclosed, markedBy, unmarked, withoutMarks, withoutTokens } from './marked-data.ts'
import { type OthersWords, othersInAnswer, via } from './origin.ts'
import type { ToldPart } from './prompt-part.ts'
import type { Seen, Stepped } from './recent-talk.ts'

/** `data`: null where another message stands for it. */
export interface TalkMessage {
  readonly message: Message
  readonly data: Utterance | null
  readonly parts: readonly ToldPart[]
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
  const place = beside.now ? 'brought' : 'earlier'
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

/** What others said in a message, each with who it was. */
export const othersInParts = (
  parts: readonly MessagePart[],
  place: OthersWords['place'],
): readonly OthersWords[] =>
  parts.flatMap(({ from, by, text }) =>
    from === 'person' || from === 'persona' || from === 'daemon'
      ? []
      : { text: `${text}\n${by ?? ''}`, via: via(from, by), place },
  )

/** What was perceived of a file, and its name; nothing of the user who speaks. */
export const othersInFile = (
  media: HeardMedia,
  perceived: string,
  place: OthersWords['place'],
): readonly OthersWords[] => {
  if (isOwnVoice({ media })) return []
  const { from, by, name } = media
  const whose = isOfOthers(media) && by !== null ? via(from as Via['from'], by) : via('file', name)
  return [{ text: `${name}\n${perceived}`, via: whose, place }]
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
        const told = part.from === 'person' ? withoutMarks(part.text) : unmarked(part.text)
        const text = cutTo(told, Math.max(left, 0))
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
  { content: whole, media, borrowed = [] }: EventOf<'MessageSpoken'>,
  longest: number,
): readonly TalkMessage[] => {
  const content = withoutTokens(cutTo(whole, longest))
  const others = repeated(borrowed)
  const files = media ? [fileNoted(media, null)] : []
  const data: Utterance = { by: 'persona', words: content, files, calls: [] }
  const said: TalkMessage = {
    message: { role: 'assistant', content, calls: [] },
    data,
    parts: [{ text: content, from: seq, others }],
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
    parts: [{ text: note, from: seq, others }],
  }
  return content ? [said, made] : [made]
}

/** Words of others that the persona repeats. */
export const repeated = (borrowed: readonly string[]): readonly OthersWords[] =>
  borrowed.length > 0 ? [{ text: borrowed.join('\n'), via: via('talk', null), place: 'earlier' }] : []

interface Noted {
  readonly note: ToldPart
  readonly file: FileNote | null
  /** What the person said aloud. */
  readonly voice: string
}

/** A file that came with a message, as it stands in its talk. */
const noteOf = (media: HeardMedia, seq: Seq, { perceived, files, now, most }: Beside): Noted => {
  const { filename, name } = media
  const seen = perceived.get(seq)
  const marks = { name, file: filename, ...(isOfOthers(media) ? markedBy(media) : {}) }
  const others = othersInFile(media, seen?.text ?? '', now ? 'brought' : 'earlier')
  const saying = (text: string): Noted => ({
    note: { text: enclosed('file', marks, text), from: seen?.seq ?? seq, others },
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
      note: { text: enclosed('voice', { file: filename }, voice), from: seen.seq, others },
      file: null,
      voice: unmarked(voice),
    }
  }
  const by = seen.organ === 'thinking' ? 'yourself' : (seen.organ ?? '')
  const text = beginningOf(seen, most)
  return {
    note: { text: enclosed('file', { ...marks, 'perceived-by': by }, text), from: seen.seq, others },
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

export const stepMessages = ({ seq, answer, opaque, results }: Stepped): readonly TalkMessage[] => [
  {
    message: {
      ...{ role: 'assistant', content: answer.text, calls: answer.calls },
      ...(opaque && { opaque: () => opaque }),
    },
    data: { by: 'persona', words: answer.text, files: [], calls: answer.calls },
    // What it says and asks for is made of what the same prompt holds.
    parts: [{ text: JSON.stringify(answer), from: seq, others: [] }],
  },
  ...results.map(({ seq: at, call, name, output }): TalkMessage => {
    const content = unmarked(JSON.stringify(output))
    const input = answer.calls.find(({ id }) => id === call)?.input
    return {
      message: { role: 'tool', call, name, content },
      data: { by: 'tool', call, name, output: JSON.parse(content) },
      parts: [{ text: content, from: at, others: othersInAnswer({ name, input, output }) }],
    }
  }),
]
