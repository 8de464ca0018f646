/** A clock that stands still until it is moved. */
import type { Clock } from '../packages/kit/time/clock.ts'

export interface FakeClock extends Clock {
  /** Moves on, waking whoever waits on the way, and lets what follows from each waking happen. */
  advance(ms: number): Promise<void>
  /** Jumps, in either direction, without waking anybody on the way. */
  set(epoch: number): void
  /** The wall clock is put right, in either direction: who waits goes on waiting as long as before. */
  leap(ms: number): void
  /** Whoever waits now waits for ever, and nothing holds on to them. */
  halt(): void
}

interface Waiter {
  readonly at: number
  readonly wake: () => void
  readonly leave: () => void
}

/** `settle` lets happen what follows from a waking. */
export const createFakeClock = (
  start: number | string = '2026-11-23T10:15:00+01:00',
  zone = 'Europe/Berlin',
  settle: () => Promise<unknown> = aWhile,
): FakeClock => {
  let now = typeof start === 'string' ? Date.parse(start) : start
  /** How far the wall clock was put right. */
  let apart = 0
  const waiters = new Set<Waiter>()

  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const waiter = {
        at: now + Math.ceil(ms),
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
    now: () => now + apart,
    zone,
    wait,
    every: (ms, beat) => {
      const stop = new AbortController()
      const run = async () => {
        while (!stop.signal.aborted) {
          await wait(ms, stop.signal)
          if (!stop.signal.aborted) beat()
        }
      }
      void run()
      return () => stop.abort()
    },
    advance: async (ms) => {
      const end = now + ms
      for (;;) {
        const next = [...waiters].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        now = Math.max(now, next.at)
        next.wake()
        await settle()
      }
      now = end
      await settle()
    },
    set: (epoch) => {
      now = epoch - apart
    },
    halt: () => {
      for (const { leave } of waiters) leave()
      waiters.clear()
    },
    leap: (ms) => {
      apart += ms
    },
  }
}

/** Real time for what hangs on a disk: long enough for a few synced writes. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 15))

/** Where nothing is under way, time needs no more than this to go by. */
export const atOnce = async (): Promise<void> => {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve))
}
