/** Calls `ring` when the first planned entry is due, if that is before the next heartbeat. */
import type { Clock } from '../../packages/kit/time/clock.ts'
import { heartbeat } from './heartbeat.ts'

export interface DueTimer {
  /** Restarts the timer for the current plans. */
  set(): void
  /** Resolves when no wait is left after the signal. */
  ended(): Promise<void>
}

interface Deps {
  readonly clock: Clock
  /** Returns the due times of all plans as epoch ms. */
  readonly planned: () => readonly number[]
  /** Must not throw. */
  readonly ring: () => void
}

/**
 * Max length of a wait in ms. Timers pause while the machine sleeps and ignore clock changes, so they are
 * short.
 */
const maxWaitMs = 5000

export const createDueTimer = ({ clock, planned, ring }: Deps, ending: AbortSignal): DueTimer => {
  let timer = new AbortController()
  let waiting: Promise<void> = Promise.resolve()
  ending.addEventListener('abort', () => timer.abort(), { once: true })

  const set = () => {
    timer.abort()
    if (ending.aborted) return
    const now = clock.now()
    // An overdue entry whose write failed waits for the heartbeat, or it would be retried without a pause.
    const leftMs = planned().reduce(
      (shortest, at) => (at > now ? Math.min(shortest, at - now) : shortest),
      Number.POSITIVE_INFINITY,
    )
    // The heartbeat checks these.
    if (leftMs > heartbeat) return
    timer = new AbortController()
    const { signal } = timer
    waiting = clock.wait(Math.min(leftMs, maxWaitMs), signal).then(() => {
      if (signal.aborted) return
      // Compares with the current time: the clock may have been set or the machine may have slept.
      if (now + leftMs <= clock.now()) ring()
      else set()
    })
  }

  return { set, ended: () => waiting }
}
