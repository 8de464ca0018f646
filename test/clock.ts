/** A clock that only a test advances. */
import type { Clock } from '../packages/kit/time/clock.ts'

export interface FakeClock extends Clock {
  /** Advances the time, runs the timers that expire on the way, and waits for their effects. */
  advance(ms: number): Promise<void>
  /** Sets the time in either direction, without running timers. */
  setTime(epoch: number): void
  /** Changes the wall clock in either direction. Pending timers keep their remaining time. */
  leap(ms: number): void
  /** Stops all pending timers permanently, and releases them. */
  halt(): void
}

interface Waiter {
  readonly at: number
  readonly wake: () => void
  readonly leave: () => void
}

/** `settle` waits for the effects of a timer. */
export const createFakeClock = (
  start: number | string = '2026-11-23T10:15:00+01:00',
  zone = 'Europe/Berlin',
  settle: () => Promise<unknown> = aWhile,
): FakeClock => {
  let nowEpoch = typeof start === 'string' ? Date.parse(start) : start
  /** Offset of the wall clock in ms. */
  let offsetMs = 0
  const waiters = new Set<Waiter>()

  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const waiter = {
        at: nowEpoch + Math.ceil(ms),
        wake: () => {
          waiters.delete(waiter)
          waiter.leave()
          resolve()
        },
        leave: () => signal?.removeEventListener('abort', waiter.wake),
      }
      waiters.add(waiter)
      signal?.addEventListener('abort', waiter.wake, { once: true })
    })

  return {
    now: () => nowEpoch + offsetMs,
    zone,
    wait,
    every: (ms, beat) => {
      const stop = new AbortController()
      const runTasks = async () => {
        while (!stop.signal.aborted) {
          await wait(ms, stop.signal)
          if (!stop.signal.aborted) beat()
        }
      }
      void runTasks()
      return () => stop.abort()
    },
    advance: async (ms) => {
      const end = nowEpoch + ms
      for (;;) {
        const next = [...waiters].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        nowEpoch = Math.max(nowEpoch, next.at)
        next.wake()
        await settle()
      }
      nowEpoch = end
      await settle()
    },
    setTime: (epoch) => {
      nowEpoch = epoch - offsetMs
    },
    halt: () => {
      for (const { leave } of waiters) leave()
      waiters.clear()
    },
    leap: (ms) => {
      offsetMs += ms
    },
  }
}

/** Real time for work that depends on a disk: enough for a few synced writes. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 15))

/** Enough if no disk access is pending. */
export const drainQueue = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}
