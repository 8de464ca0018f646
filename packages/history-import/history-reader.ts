/**
 * A process that reads one exported history: all of it once, and then again, a conversation or some lines of
 * a preview per request.
 */
import { outlive, watch } from '../kit/memory-watch.ts'
import { readHistory } from './exported-history.ts'
import type { GivenFile } from './history-sources.ts'
import { type Conversation, type Message, type Preview, toPreview } from './imported-conversation.ts'
import { createLeftOutCounts, describeLeftOut } from './left-out.ts'
import { type ReaderBounds, Unreadable, type UnreadableReason } from './unreadable.ts'

/** `more`: sent each time the daemon can take the next part. */
export type Task =
  | {
      readonly kind: 'read'
      readonly file: GivenFile
      readonly as: 'conversations' | 'previews'
      readonly bounds: ReaderBounds
    }
  | { readonly kind: 'more' }

/** A conversation without its messages. */
export type Outline = Omit<Conversation, 'messages'>

/** One line of a preview, and the fields that identify the conversation when it comes again. */
export type Line = Preview & Pick<Conversation, 'id' | 'updated' | 'hash'>

export type ReaderMessage =
  /** Reading continues, and there is no result yet. */
  | { readonly kind: 'busy' }
  /** It could be read to its end. */
  | {
      readonly kind: 'surveyed'
      readonly total: number
      readonly leftOut: number
      readonly notes: readonly string[]
      /** Names in chats between people whose user is unknown. */
      readonly people: readonly string[]
    }
  /** `first` of so many messages; the others follow until the next one is told. */
  | {
      readonly kind: 'conversation'
      readonly outline: Outline
      readonly messages: number
      readonly first: readonly Message[]
    }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason }
  /** The disk refused. */
  | { readonly kind: 'failed'; readonly code: string }

/** Milliseconds between two `busy` messages. */
const betweenSigns = 1000
/** Characters of messages in one message between the processes. */
const atOnce = 1024 * 1024
const linesAtOnce = 200

const { signal } = new AbortController()
const tell = (message: ReaderMessage): void => void process.send?.(message)

const work = async ({ file, as, bounds }: Extract<Task, { kind: 'read' }>): Promise<void> => {
  watch({ memory: bounds.memory })
  setInterval(() => !isWaiting && tell({ kind: 'busy' }), betweenSigns)
  try {
    await survey(file, as)
    await (as === 'previews' ? tellLines(file) : tellConversations(file))
    tell({ kind: 'end' })
  } catch (error) {
    if (error instanceof Unreadable) return tell({ kind: 'unreadable', reason: error.reason })
    const { code } = error as { readonly code?: unknown }
    tell(typeof code === 'string' ? { kind: 'failed', code } : { kind: 'unreadable', reason: 'damaged' })
  }
}

/** Reads the whole file once, so that damage is reported before the first conversation. */
const survey = async (
  { path, ...file }: GivenFile,
  form: Extract<Task, { kind: 'read' }>['as'],
): Promise<void> => {
  let total = 0
  const { counts, onLeftOut } = createLeftOutCounts()
  const notes = new Set<string>()
  const onNote = (note: string) => void notes.add(note)
  let people: readonly string[] = []
  const onPeople = (names: readonly string[]) => {
    people = names
  }
  for await (const _ of readHistory(path, { ...file, onNote, onPeople, signal, onLeftOut })) total++
  // Each export has such files and notices: only a preview names them.
  const note = describeLeftOut(form === 'previews' ? counts : { ...counts, notice: 0, other_file: 0 })
  if (note) notes.add(note)
  tell({ kind: 'surveyed', total, leftOut: counts.too_large + counts.too_deep, notes: [...notes], people })
  await waitForRequest()
}

const tellConversations = async ({ path, ...file }: GivenFile): Promise<void> => {
  for await (const { messages, ...outline } of readHistory(path, { ...file, signal })) {
    const [first = [], ...otherRuns] = splitRuns(messages)
    tell({ kind: 'conversation', outline, messages: messages.length, first })
    for (const run of otherRuns) {
      await waitForRequest()
      tell({ kind: 'messages', messages: run })
    }
    await waitForRequest()
  }
}

const splitRuns = function* (messages: readonly Message[]): Generator<readonly Message[]> {
  let run: Message[] = []
  let size = 0
  for (const message of messages) {
    run.push(message)
    size += message.content.length
    if (size < atOnce) continue
    yield run
    run = []
    size = 0
  }
  if (run.length > 0) yield run
}

const tellLines = async ({ path, ...file }: GivenFile): Promise<void> => {
  let lines: Line[] = []
  const flush = async () => {
    tell({ kind: 'lines', lines })
    lines = []
    await waitForRequest()
  }
  for await (const conversation of readHistory(path, { ...file, signal })) {
    const { id, updated, hash } = conversation
    lines.push({ ...toPreview(conversation), id, updated, hash })
    if (lines.length === linesAtOnce) await flush()
  }
  if (lines.length > 0) await flush()
}

let pieceCount = 0
let isWaiting = false
let wake = () => {}

/** Resolves when the next part is requested. */
const waitForRequest = async (): Promise<void> => {
  isWaiting = true
  while (pieceCount === 0)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  isWaiting = false
  pieceCount--
}

outlive()
process.on('message', (message) => {
  const task = message as Task
  if (task.kind === 'read') return void work(task)
  pieceCount++
  wake()
})
