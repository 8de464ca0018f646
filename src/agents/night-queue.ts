/** Runs the nights of all personas one after another, because they share a model and a disk. */
import pLimit from 'p-limit'
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface NightQueue {
  /** Resolves or rejects with the result of `night`. */
  run(night: () => Promise<void>): Promise<void>
  /** Nights that are queued later wait for `work`, at most a minute. */
  waitFor(work: Promise<unknown>): void
}

/** Time in ms after which the next night begins although the current one is still running. */
const maxQueuedNightMs = 15 * 60_000
const maxWorkMs = 60_000

export const createNightQueue = (clock: Pick<Clock, 'wait'>): NightQueue => {
  const oneAtATime = pLimit(1)
  /** Resolves when the work has succeeded or failed, or after `ms`. */
  const waitAtMost = async (ms: number, work: Promise<unknown>) => {
    const timeout = new AbortController()
    const task = work.catch(() => undefined).finally(() => timeout.abort())
    await Promise.race([task, clock.wait(ms, timeout.signal)])
  }
  return {
    run: (night) =>
      new Promise((resolve, reject) => {
        void oneAtATime(() => {
          const run = night()
          run.then(resolve, reject)
          return waitAtMost(maxQueuedNightMs, run)
        })
      }),
    waitFor: (work) => void oneAtATime(waitAtMost, maxWorkMs, work),
  }
}
