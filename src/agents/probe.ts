/**
 * Asks a Mind that is away for one word, again and again: neither one call that hangs nor a model that takes
 * long to load keeps its coming back from being seen.
 */
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import { MindError } from '../../packages/models/mind.ts'

/**
 * `reason` null: it said nothing. `lasting`: it will not get better by itself. `retryAfter` in milliseconds.
 */
export interface Trouble {
  readonly reason: string | null
  readonly lasting: boolean
  readonly retryAfter: number | undefined
}

/** Nothing is known. */
export const unasked: Trouble = { reason: null, lasting: false, retryAfter: undefined }

interface Deps {
  readonly stopwatch: Stopwatch
  /** One word of the Mind; rejects when it gives none. */
  readonly word: (signal: AbortSignal) => Promise<void>
  /** It answered after it had been given up: the next `ask` tells that at once. */
  readonly onLate: () => void
  readonly ending: AbortSignal
}

/** Milliseconds that whoever asks waits for the word. */
const quick = 4000

export interface Probe {
  /** Null once the Mind has given its word. Never rejects. */
  ask(): Promise<Trouble | null>
  /** Nobody asks any more. */
  end(): void
}

export const createProbe = ({ stopwatch, word, onLate, ending }: Deps): Probe => {
  /** A call that is left to take its time; those beside it are not. */
  let slow: AbortController | null = null
  let asking: AbortController | null = null
  let heard = false

  const call = (cut: AbortController): Promise<Trouble | null> => {
    const signal = AbortSignal.any([ending, cut.signal])
    return unlessAborted(word(signal), signal).then(() => null, troubleIn)
  }

  const askSlowly = async (cut: AbortController): Promise<Trouble | null> => {
    slow = cut
    const trouble = await call(cut)
    slow = null
    return trouble
  }

  return {
    ask: async () => {
      if (heard) {
        heard = false
        return null
      }
      const cut = new AbortController()
      asking = cut
      const mayTakeLong = slow === null
      const asked = mayTakeLong ? askSlowly(cut) : call(cut)
      const over = new AbortController()
      const late = stopwatch.wait(quick, over.signal).then(() => 'late' as const)
      const first = await Promise.race([asked, late])
      over.abort()
      if (first === null) {
        slow?.abort()
        return null
      }
      if (first !== 'late') return first
      if (!mayTakeLong) cut.abort()
      else
        void asked.then((trouble) => {
          heard = trouble === null && !ending.aborted
          if (heard) onLate()
        })
      return unasked
    },
    end: () => {
      slow?.abort()
      asking?.abort()
      heard = false
    },
  }
}

const troubleIn = (error: unknown): Trouble =>
  error instanceof MindError
    ? { reason: error.message, lasting: error.kind === 'barred', retryAfter: error.retryAfter }
    : unasked
