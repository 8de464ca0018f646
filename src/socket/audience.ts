/** Live listeners per persona. Commits and signs are encoded once for all of them. */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { PersonaCommit, Sign } from '../bus.ts'
import type { Client } from './client.ts'
import {
  createFrames,
  deltaFrame,
  type Frame,
  type PersonaFrame,
  type SignOf,
  typingFrame,
} from './frames.ts'
import type { Step, Thoughts } from './thoughts.ts'

export interface Seat {
  /** Starts live delivery after `cursor`. `seen`: the last step that ended by then. */
  goLive(cursor: Seq | 0, lastStep: Step): void
  leave(): void
}

export interface Audience {
  join(id: PersonaId, client: Client): Seat
  publish(commit: PersonaCommit): void
  sign(sign: Sign): void
  /** Closes all sockets of a persona. */
  dismiss(id: PersonaId, code: number, reason: string): void
  /** Stops all delivery. */
  close(): void
}

interface Listener {
  readonly client: Client
  /** Null during the backfill. */
  cursor: Seq | 0 | null
}

/** The encoded frames of a fact. */
interface EntryFrames {
  readonly seq: Seq
  readonly frames: readonly Buffer[]
}

interface Deps {
  readonly thoughts: Thoughts
  readonly encode: (frame: Frame) => Buffer
  readonly stamp: () => string
}

export const createAudience = ({ thoughts, encode, stamp }: Deps): Audience => {
  const rooms = new Map<PersonaId, Set<Listener>>()
  const getLiveListeners = (id: PersonaId) =>
    [...(rooms.get(id) ?? [])].filter(({ cursor }) => cursor !== null)

  const toAll = (id: PersonaId, make: () => PersonaFrame) => {
    const listeners = getLiveListeners(id)
    if (listeners.length === 0) return
    const frames = [encode(make())]
    for (const { client } of listeners) client.send(frames)
  }
  const words = createWordsTogether((sign) => toAll(sign.id, () => deltaFrame(sign, stamp())))

  return {
    join: (id, client) => {
      const listener: Listener = { client, cursor: null }
      const room = rooms.get(id) ?? new Set()
      rooms.set(id, room.add(listener))
      return {
        goLive: (cursor, lastStep) => {
          // The new listener gets all text so far, so pending deltas go out first.
          words.flush(id)
          listener.cursor = cursor
          const frames = thoughts.soFar(id, lastStep, stamp())
          if (frames.length > 0) client.send(frames.map(encode))
        },
        leave: () => {
          room.delete(listener)
          if (room.size === 0 && rooms.get(id) === room) rooms.delete(id)
        },
      }
    },
    publish: ({ id, entries }) => {
      words.flush(id)
      const listeners = getLiveListeners(id)
      if (listeners.length === 0) return
      const framesByEntry = entries.map((entry) => toEntryFrames(id, entry, encode))
      const all = framesByEntry.flatMap(({ frames }) => frames)
      const first = entries[0]?.seq ?? 0
      for (const { client, cursor } of listeners)
        client.send((cursor ?? 0) < first ? all : skipHeard(framesByEntry, cursor ?? 0))
    },
    sign: (sign) => {
      if (sign.type === 'delta' && rooms.has(sign.id)) words.add(sign)
      if (sign.type !== 'typing') return
      words.flush(sign.id)
      toAll(sign.id, () => typingFrame(sign.id, sign.on, stamp()))
    },
    dismiss: (id, code, reason) => {
      words.flush(id)
      for (const { client } of rooms.get(id) ?? []) client.end(code, reason)
    },
    close: words.close,
  }
}

const toEntryFrames = (id: PersonaId, entry: Entry, encode: Deps['encode']): EntryFrames => ({
  seq: entry.seq,
  frames: createFrames(id, entry).map(encode),
})

/** A backfill may have sent a commit that is published only now. */
const skipHeard = (framesByEntry: readonly EntryFrames[], cursor: Seq | 0): readonly Buffer[] =>
  framesByEntry.filter(({ seq }) => seq > cursor).flatMap(({ frames }) => frames)

type Words = SignOf<'delta'>

export interface WordsTogether {
  /** Sends the first delta at once, then merges those of each 8 ms. */
  add(words: Words): void
  /** Sends the pending delta, to keep the order with other frames. */
  flush(id: PersonaId): void
  /** Drops pending deltas. */
  close(): void
}

/** A screen refreshes every 16 ms. */
const intervalMs = 8

const createWordsTogether = (send: (words: Words) => void): WordsTogether => {
  const batches = new Map<PersonaId, { words: Words | null; readonly timer: NodeJS.Timeout }>()

  const flush = (id: PersonaId) => {
    const batch = batches.get(id)
    if (!batch?.words) return
    const { words } = batch
    batch.words = null
    send(words)
  }
  const open = (id: PersonaId) => {
    const timer = setTimeout(() => {
      if (batches.get(id)?.words) {
        flush(id)
        timer.refresh()
      } else batches.delete(id)
    }, intervalMs).unref()
    batches.set(id, { words: null, timer })
  }

  return {
    add: (words) => {
      const batch = batches.get(words.id)
      if (!batch) {
        open(words.id)
        return send(words)
      }
      if (batch.words && !goesOn(batch.words, words)) flush(words.id)
      batch.words = batch.words ? { ...batch.words, delta: batch.words.delta + words.delta } : words
    },
    flush,
    close: () => {
      for (const { timer } of batches.values()) clearTimeout(timer)
      batches.clear()
    },
  }
}

/** Whether the delta continues the pending one. */
const goesOn = (previousWords: Words, { turn, step, offset }: Words): boolean =>
  previousWords.turn === turn &&
  previousWords.step === step &&
  previousWords.offset + previousWords.delta.length === offset
