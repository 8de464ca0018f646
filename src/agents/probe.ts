/**
 * Asks an unreachable model for one word. One call may take long, so that a slowly loading model is noticed.
 * Further calls time out quickly, so that a hanging call does not hide the recovery.
 */
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { unlessAborted } from '../../packages/kit/flow/unless-aborted.ts'
import { MindError } from '../../packages/models/mind.ts'

/**
 * `reason`: null if the model gave no answer in time. `lasting`: retries cannot help. `retryAfter`: in ms.
 */
export interface Trouble {
  readonly reason: string | null
  readonly lasting: boolean
  readonly retryAfter: number | undefined
}

/** The result of a probe that was not made or has not ended. */
export const noResult: Trouble = { reason: null, lasting: false, retryAfter: undefined }

interface Deps {
  readonly stopwatch: Stopwatch
  /** Asks the model for one word. Rejects if it gives none. */
  readonly word: (signal: AbortSignal) => Promise<void>
  /** Called if the model answers after the timeout. The next `ask` then returns null immediately. */
  readonly onLate: () => void
  readonly ending: AbortSignal
}

/** Time in ms after which `ask` returns. */
const timeoutMs = 4000

export interface Probe {
  /** Returns null if the model answers. Never rejects. */
  ask(): Promise<Trouble | null>
  /** Aborts all calls. */
  end(): void
}

export const createProbe = ({ stopwatch, word, onLate, ending }: Deps): Probe => {
  /** The one call without a timeout. */
  let slowCall: AbortController | null = null
  let currentCall: AbortController | null = null
  let hasLateAnswer = false

  const call = (cut: AbortController): Promise<Trouble | null> => {
    const signal = AbortSignal.any([ending, cut.signal])
    return unlessAborted(word(signal), signal).then(() => null, toTrouble)
  }

  const askSlowly = async (cut: AbortController): Promise<Trouble | null> => {
    slowCall = cut
    const trouble = await call(cut)
    slowCall = null
    return trouble
  }

  return {
    ask: async () => {
      if (hasLateAnswer) {
        hasLateAnswer = false
        return null
      }
      const cut = new AbortController()
      currentCall = cut
      const mayTakeLong = slowCall === null
      const pendingCall = mayTakeLong ? askSlowly(cut) : call(cut)
      const raceEnd = new AbortController()
      const timeout = stopwatch.wait(timeoutMs, raceEnd.signal).then(() => 'late' as const)
      const first = await Promise.race([pendingCall, timeout])
      raceEnd.abort()
      if (first === null) {
        slowCall?.abort()
        return null
      }
      if (first !== 'late') return first
      if (!mayTakeLong) cut.abort()
      else
        void pendingCall.then((trouble) => {
          hasLateAnswer = trouble === null && !ending.aborted
          if (hasLateAnswer) onLate()
        })
      return noResult
    },
    end: () => {
      slowCall?.abort()
      currentCall?.abort()
      hasLateAnswer = false
    },
  }
}

const toTrouble = (error: unknown): Trouble =>
  error instanceof MindError
    ? { reason: error.message, lasting: error.kind === 'barred', retryAfter: error.retryAfter }
    : noResult
