/** Runs the nights of all personas one after another, because they share a model and a disk. */
import pLimit from 'p-limit'
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface NightQueue {
  /** Resolves or rejects with the result of `night`. */
  run(night: () => Promise<void>): Promise<void>
  /** Nights that are queued later wait for `work`, at most a minute. */
  waitFor(work: Promise<unknown>): void
}

const minute = 60_000
/** Time in ms after which the next night begins although the current one is still running. */
const maxNightMs = 15 * minute
const maxWorkMs = minute

export const createNightQueue = (clock: Pick<Clock, 'wait'>): NightQueue => {
  const oneAtATime = pLimit(1)
  /** Resolves when the work has succeeded or failed, or after `ms`. */
  const waitAtMost = async (ms: number, work: Promise<unknown>) => {
    const timeout = new AbortController()
    const settled = work.catch(() => undefined).finally(() => timeout.abort())
    await Promise.race([settled, clock.wait(ms, timeout.signal)])
  }
  return {
    run: (night) =>
      new Promise((resolve, reject) => {
        void oneAtATime(() => {
          const run = night()
          run.then(resolve, reject)
          return waitAtMost(maxNightMs, run)
        })
      }),
    waitFor: (work) => void oneAtATime(waitAtMost, maxWorkMs, work),
  }
}
