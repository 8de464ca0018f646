/** Nights go one after another, whoever's they are: one costs a model and a disk that the others want too. */
import pLimit from 'p-limit'
import type { Clock } from '../../packages/kit/time/clock.ts'

export interface NightQueue {
  /** Resolves or rejects as the night does. */
  run(night: () => Promise<void>): Promise<void>
  /** What is queued from now on waits for this, for a minute at most. */
  waitFor(work: Promise<unknown>): void
}

const minute = 60_000
/** Milliseconds after which the next night begins beside one that goes on: it keeps nobody else awake. */
const longestNight = 15 * minute
const longestWork = minute

export const createNightQueue = (clock: Pick<Clock, 'wait'>): NightQueue => {
  const oneAtATime = pLimit(1)
  /** Resolves once the work has ended, however it ended, or the time is over. */
  const forAtMost = async (ms: number, work: Promise<unknown>) => {
    const over = new AbortController()
    const ended = work.catch(() => undefined).finally(() => over.abort())
    await Promise.race([ended, clock.wait(ms, over.signal)])
  }
  return {
    run: (night) =>
      new Promise((resolve, reject) => {
        void oneAtATime(() => {
          const going = night()
          going.then(resolve, reject)
          return forAtMost(longestNight, going)
        })
      }),
    waitFor: (work) => void oneAtATime(forAtMost, longestWork, work),
  }
}
