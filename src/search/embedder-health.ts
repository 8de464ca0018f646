/** An embedder as search asks it: not while it fails, and no question waits for long. */
import { pauseAfter } from '../flow/backoff.ts'
import type { Log } from '../log.ts'
import type { Embedder } from '../models/embedder.ts'
import { MindError } from '../models/mind.ts'
import type { Clock } from '../time/clock.ts'

/** How long a question waits for its vector. */
const timeout = 3000
const backoff = { first: 2000, longest: 600_000 }
/** Questions that are known. */
const mostAsked = 64

type Health = ReturnType<typeof createHealth>

/** Whether its embedder answers: told once when it does not, and asked ever more seldom then. */
export const createHealth = (name: string, clock: Clock, log: Log) => {
  let failures = 0
  let until = 0
  let reason: string | null = null
  return {
    good: () => {
      if (failures > 0) log.info({}, `texts are embedded by ${name} again: search goes by meaning, too`)
      ;[failures, until, reason] = [0, 0, null]
    },
    bad: (err: unknown) => {
      if (failures === 0)
        log.warn({ err }, `nothing is embedded by ${name} for now: search goes by words alone`)
      failures++
      reason = err instanceof Error ? err.message : 'unknown'
      const wished = err instanceof MindError ? (err.retryAfter ?? 0) : 0
      until = clock.now() + Math.max(Math.min(wished, backoff.longest), pauseAfter(failures, backoff))
    },
    /** Milliseconds in which it is not asked. */
    rest: () => Math.max(0, Math.min(until - clock.now(), backoff.longest)),
    reason: () => reason,
  }
}

/** What a question means; undefined where that is not told in time. Never rejects. */
export const createAsked = (embedder: Embedder, signal: AbortSignal, clock: Clock, health: Health) => {
  const known = new Map<string, Promise<readonly number[] | undefined>>()
  /** That are waited for no more: while there are such, no other is asked. */
  let late = 0
  const ask = async (question: string): Promise<readonly number[] | undefined> => {
    try {
      const { vectors } = await embedder.embed([question], 'asked', signal)
      return vectors[0]
    } catch (err) {
      known.delete(question)
      if (!signal.aborted) health.bad(err)
      return undefined
    }
  }
  return async (question: string) => {
    if (late > 0 && !known.has(question)) return undefined
    const answer = known.get(question) ?? ask(question)
    known.delete(question)
    known.set(question, answer)
    const [oldest] = known.keys()
    if (known.size > mostAsked && oldest !== undefined) known.delete(oldest)
    const done = new AbortController()
    const tooLate = clock.wait(late > 0 ? 0 : timeout, done.signal).then(() => {
      if (done.signal.aborted) return
      late++
      void answer.finally(() => late--)
    })
    try {
      // What comes later is known the next time.
      return await Promise.race([answer, tooLate.then(() => undefined)])
    } finally {
      done.abort()
    }
  }
}
