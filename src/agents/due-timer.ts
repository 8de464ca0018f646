/** Rings when the first of what is planned comes, where that is before the next heartbeat. */
import type { Clock } from '../../packages/kit/time/clock.ts'
import { heartbeat } from './heartbeat.ts'

export interface DueTimer {
  /** Sets it anew: what is planned may have changed. */
  set(): void
  /** Resolves when nothing of it goes on any more, after the signal. */
  ended(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  /** Instants of all that is planned, epoch milliseconds. */
  readonly planned: () => readonly number[]
  /** Must not throw. */
  readonly ring: () => void
}

/**
 * Milliseconds. A timer stands still while the machine sleeps and knows nothing of a clock that was put
 * right: none is long.
 */
const longestWait = 5000

export const createDueTimer = ({ clock, planned, ring }: Deps, ending: AbortSignal): DueTimer => {
  let timer = new AbortController()
  let waiting: Promise<void> = Promise.resolve()
  ending.addEventListener('abort', () => timer.abort(), { once: true })

  const set = () => {
    timer.abort()
    if (ending.aborted) return
    const now = clock.now()
    // What is overdue and could not be written waits for the heartbeat, or it would be tried without a pause.
    const left = planned().reduce(
      (least, at) => (at > now ? Math.min(least, at - now) : least),
      Number.POSITIVE_INFINITY,
    )
    // Each heartbeat looks anyway, whatever became of a wait.
    if (left > heartbeat) return
    timer = new AbortController()
    const { signal } = timer
    waiting = clock.wait(Math.min(left, longestWait), signal).then(() => {
      if (signal.aborted) return
      // As the clock shows it now: it may have been put right, or the machine have slept.
      if (now + left <= clock.now()) ring()
      else set()
    })
  }

  return { set, ended: () => waiting }
}
