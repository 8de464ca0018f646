/**
 * Words of a step that come close behind one another leave as one frame: a write for each costs more than
 * making it, and no screen shows them sooner.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { SignOf } from './frames.ts'

type Words = SignOf<'delta'>

export interface WordsTogether {
  /** The first at once; those of the next eight milliseconds with them, and so on. */
  add(words: Words): void
  /** What waits leaves now, so that whatever is told next stands behind it. */
  flush(id: PersonaId): void
  /** Nothing leaves any more. */
  close(): void
}

/** Milliseconds: a screen draws every sixteen. */
const apart = 8

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
    }, apart).unref()
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

/** Not where the step begins anew, or another follows. */
const goesOn = (before: Words, { turn, step, offset }: Words): boolean =>
  before.turn === turn && before.step === step && before.offset + before.delta.length === offset
