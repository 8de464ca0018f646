/**
 * Merges deltas of a step that follow quickly. A write costs more than a frame, and screens are slower
 * anyway.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { SignOf } from './frames.ts'

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

export const createWordsTogether = (tell: (words: Words) => void): WordsTogether => {
  const waiting = new Map<PersonaId, { words: Words | null; readonly timer: NodeJS.Timeout }>()

  const flush = (id: PersonaId) => {
    const held = waiting.get(id)
    if (!held?.words) return
    const { words } = held
    held.words = null
    tell(words)
  }
  const open = (id: PersonaId) => {
    const timer = setTimeout(() => {
      if (waiting.get(id)?.words) {
        flush(id)
        timer.refresh()
      } else waiting.delete(id)
    }, intervalMs).unref()
    waiting.set(id, { words: null, timer })
  }

  return {
    add: (words) => {
      const held = waiting.get(words.id)
      if (!held) {
        open(words.id)
        return tell(words)
      }
      if (held.words && !goesOn(held.words, words)) flush(words.id)
      held.words = held.words ? { ...held.words, delta: held.words.delta + words.delta } : words
    },
    flush,
    close: () => {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}

/** Whether the delta continues the pending one. */
const goesOn = (before: Words, { turn, step, offset }: Words): boolean =>
  before.turn === turn && before.step === step && before.offset + before.delta.length === offset
