/** The heartbeat: each minute, on the minute; whoever is slow at one is told of the next once it is done. */
import type { Clock } from '../../packages/kit/time/clock.ts'

/** Milliseconds between two. */
export const heartbeat = 60_000

/** Resolves after the signal. `beat` must not throw. */
export const everyMinute = async (clock: Clock, closing: AbortSignal, beat: () => void): Promise<void> => {
  while (!closing.aborted) {
    await clock.wait(heartbeat - (clock.now() % heartbeat), closing)
    if (!closing.aborted) beat()
  }
}

export interface Beats {
  /** However often it is asked while one goes on, one more follows. */
  beat(): void
  /** Resolves when none goes on. */
  ended(): Promise<void>
}

/** `once` must not reject. */
export const createBeats = (once: () => Promise<void>, ending: AbortSignal): Beats => {
  let going: Promise<void> | null = null
  let asked = false
  const run = async () => {
    while (asked && !ending.aborted) {
      asked = false
      await once()
    }
  }
  return {
    beat: () => {
      asked = true
      going ??= run().finally(() => {
        going = null
      })
    },
    ended: async () => {
      await going
    },
  }
}
