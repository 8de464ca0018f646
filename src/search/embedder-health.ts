/** Wraps an embedder: backs off while it fails and limits the wait of a question. */
import { pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Embedder } from '../../packages/models/embedder.ts'
import { MindError } from '../../packages/models/mind.ts'

/** Max wait of a question for its vector. */
const timeoutMs = 3000
const backoff = { first: 2000, longest: 600_000 }
/** Cached questions. */
const maxQuestions = 64

type Health = ReturnType<typeof createHealth>

/** Tracks failures. Logs the first one and backs off. */
export const createHealth = (name: string, clock: Clock, log: Log) => {
  let failures = 0
  let retryAt = 0
  let reason: string | null = null
  return {
    good: () => {
      if (failures > 0) log.info({}, `${name} embeds texts again: search by meaning is back`)
      failures = 0
      retryAt = 0
      reason = null
    },
    bad: (err: unknown) => {
      if (failures === 0) log.warn({ err }, `${name} fails to embed texts: searching by words alone`)
      failures++
      reason = err instanceof Error ? err.message : 'unknown'
      const requestedMs = err instanceof MindError ? (err.retryAfter ?? 0) : 0
      retryAt = clock.now() + Math.max(Math.min(requestedMs, backoff.longest), pauseAfter(failures, backoff))
    },
    /** Milliseconds until the next attempt. */
    rest: () => Math.max(0, Math.min(retryAt - clock.now(), backoff.longest)),
    reason: () => reason,
  }
}

/** Returns a function that embeds a question; undefined on a timeout or failure. Never rejects. */
export const createAsked = (embedder: Embedder, signal: AbortSignal, clock: Clock, health: Health) => {
  const answersByQuestion = new Map<string, Promise<readonly number[] | undefined>>()
  /** Number of timed out calls that are still running. Meanwhile no other is sent. */
  let timeoutCount = 0
  const ask = async (question: string): Promise<readonly number[] | undefined> => {
    try {
      const { vectors } = await embedder.embed([question], 'asked', signal)
      return vectors[0]
    } catch (err) {
      answersByQuestion.delete(question)
      if (!signal.aborted) health.bad(err)
      return undefined
    }
  }
  return async (question: string) => {
    if (timeoutCount > 0 && !answersByQuestion.has(question)) return undefined
    const answer = answersByQuestion.get(question) ?? ask(question)
    answersByQuestion.delete(question)
    answersByQuestion.set(question, answer)
    const [oldestQuestion] = answersByQuestion.keys()
    if (answersByQuestion.size > maxQuestions && oldestQuestion !== undefined)
      answersByQuestion.delete(oldestQuestion)
    const doneController = new AbortController()
    const tooLate = clock.wait(timeoutCount > 0 ? 0 : timeoutMs, doneController.signal).then(() => {
      if (doneController.signal.aborted) return
      timeoutCount++
      void answer.finally(() => timeoutCount--)
    })
    try {
      // A late result is cached for the next time.
      return await Promise.race([answer, tooLate.then(() => undefined)])
    } finally {
      doneController.abort()
    }
  }
}
