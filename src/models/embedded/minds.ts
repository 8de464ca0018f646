/** The models that are served inside the daemon, by the name they are given to an organ. */
import type { Mind } from '../mind.ts'

/** Loaded when it first thinks: the daemon starts without its rules. */
const lazily = (load: () => Promise<Mind>): (() => Mind) => {
  let loaded: Promise<Mind> | undefined
  return () => ({
    async *think(prompt, signal) {
      loaded ??= load()
      yield* (await loaded).think(prompt, signal)
    },
  })
}

export const embeddedMinds: Readonly<Record<string, () => Mind>> = {
  'embedded/practice': lazily(async () => (await import('./practice.ts')).createPractice()),
}
