/**
 * Exported histories, for the daemon: each is read in its own process, which sends one part at a time on
 * request.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import { type Apart, startChildProcess } from '../kit/child-process.ts'
import { createSemaphore } from '../kit/flow/keyed-pool.ts'
import { createBegun, type Mark } from './begun.ts'
import type { Line, ReaderMessage, Task } from './history-reader.ts'
import type { Conversation } from './imported-conversation.ts'
import { type ReaderBounds, Unreadable, usualBounds } from './unreadable.ts'

export interface Asked {
  /** The persona that imports the file. */
  readonly id: PersonaId
  readonly path: string
  /** The name of the uploaded file. */
  readonly name?: string | undefined
  /** The recovery phrase of an encrypted file. */
  readonly phrase?: string | undefined
  /** The encoding of the file, if the client named it. */
  readonly charset?: string | undefined
  /** The name of the user in chats between people, if the file does not say it. */
  readonly me?: string | undefined
  /** SHA-256 of the file, by which crashes during its import are counted. */
  readonly sha256: string
  readonly as: 'conversations' | 'previews'
  readonly signal: AbortSignal
}

/**
 * A file that could be read to its end. Its methods reject with `Unreadable`, with errors of the disk, or
 * with the reason of the signal.
 */
export interface OpenHistory {
  readonly total: number
  /** Conversations that are too large or too deep. */
  readonly leftOut: number
  /** Sentences about the reading: guessed encodings, and a count of the parts that were left out. */
  readonly notes: readonly string[]
  /** Names in chats between people whose user is unknown. */
  readonly people: readonly string[]
  /** Yields its conversations in their order. Do not hold one after the next was requested. */
  conversations(): AsyncGenerator<Conversation>
  /** The lines of its preview. */
  lines(): AsyncGenerator<Line>
  /**
   * Call this once something of the file is stored: a later crash of the daemon does not count against the
   * file.
   */
  keptSome(): Promise<void>
  /** Ends the process. Must always be called. */
  close(): Promise<void>
}

export interface Histories {
  /**
   * Rejects like the methods of `OpenHistory`, and with `Unreadable` `ended_twice` if the daemon crashed on
   * this file twice.
   */
  open(request: Asked): Promise<OpenHistory>
  /** Closes all open histories. */
  close(): Promise<void>
}

interface Options {
  readonly home: string
  readonly bounds?: Partial<ReaderBounds>
}

/**
 * How many are read at the same time; the others wait. During an import most of the time is spent waiting for
 * the model.
 */
const atOnce = { conversations: 8, previews: 2 }

export const createHistories = ({ home, bounds }: Options): Histories => {
  const all = { ...usualBounds, ...bounds }
  const begunWork = createBegun(home)
  const reading = {
    conversations: createSemaphore(atOnce.conversations),
    previews: createSemaphore(atOnce.previews),
  }
  const ending = new AbortController()
  const openHistories = new Set<OpenHistory>()
  const pendingOpens = new Set<Promise<unknown>>()

  const open = async ({
    id,
    sha256,
    as,
    signal: closeSignal,
    path,
    name,
    phrase,
    charset,
    me,
  }: Asked): Promise<OpenHistory> => {
    const signal = AbortSignal.any([closeSignal, ending.signal])
    const release = await reading[as].acquire(signal)
    let reader: Apart<ReaderMessage> | undefined
    let mark: Mark | undefined
    const end = async () => {
      try {
        await reader?.end()
        await mark?.end()
      } finally {
        await release()
      }
    }
    try {
      signal.throwIfAborted()
      mark = await begunWork.begin(id, sha256)
      reader = await startChildProcess<ReaderMessage>({ file, memory: all.memory, signal })
      const stream = createStream(reader, all.silence)
      reader.say({ kind: 'read', file: { path, name, phrase, charset, me }, as, bounds: all } satisfies Task)
      const { total, leftOut, notes, people } = await stream.next('surveyed')
      let closePromise: Promise<void> | undefined
      const close = () => {
        openHistories.delete(history)
        closePromise ??= end()
        return closePromise
      }
      const history = { total, leftOut, notes, people, ...handedOver(stream), keptSome: mark.wentOn, close }
      openHistories.add(history)
      return history
    } catch (error) {
      await end()
      throw error
    }
  }
  return {
    open: (request) => {
      const openPromise = open(request)
      const completion: Promise<unknown> = openPromise.then(
        () => pendingOpens.delete(completion),
        () => pendingOpens.delete(completion),
      )
      pendingOpens.add(completion)
      return openPromise
    },
    close: async () => {
      ending.abort()
      await Promise.all(pendingOpens)
      await Promise.all([...openHistories].map((history) => history.close()))
    },
  }
}

/** The path of the built `history-reader.ts` relative to this file, set by the build. */
declare const HISTORY_READER: string | undefined
const file = new URL(
  typeof HISTORY_READER === 'string' ? HISTORY_READER : './history-reader.ts',
  import.meta.url,
)

type Kind = Exclude<ReaderMessage['kind'], 'busy' | 'unreadable' | 'failed'>
type Of<K extends Kind> = Extract<ReaderMessage, { kind: K }>

interface Stream {
  /** Returns the next message, which must be of one of these kinds. */
  next<K extends Kind>(...kinds: readonly K[]): Promise<Of<K>>
  more(): void
}

const createStream = (reader: Apart<ReaderMessage>, silence: number): Stream => ({
  more: () => reader.say({ kind: 'more' } satisfies Task),
  next: async <K extends Kind>(...kinds: readonly K[]) => {
    for (;;) {
      const message = await reader.next(silence)
      if (typeof message === 'string') throw new Unreadable(message)
      if (message.kind === 'unreadable') throw new Unreadable(message.reason)
      if (message.kind === 'failed')
        throw Object.assign(new Error(`the history could not be read (${message.code})`), {
          code: message.code,
        })
      if (message.kind === 'busy') continue
      const expectedKind = kinds.find((kind) => kind === message.kind)
      if (expectedKind === undefined) throw new Unreadable('lost')
      return message as Of<K>
    }
  },
})

const handedOver = (stream: Stream) => ({
  conversations: async function* (): AsyncGenerator<Conversation> {
    for (;;) {
      stream.more()
      const message = await stream.next('conversation', 'end')
      if (message.kind === 'end') return
      const messages = [...message.first]
      while (messages.length < message.messages) {
        stream.more()
        for (const message of (await stream.next('messages')).messages) messages.push(message)
      }
      yield { ...message.outline, messages }
    }
  },
  lines: async function* (): AsyncGenerator<Line> {
    for (;;) {
      stream.more()
      const message = await stream.next('lines', 'end')
      if (message.kind === 'end') return
      yield* message.lines
    }
  },
})
