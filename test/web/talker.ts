/** Minds that answer what a test wants, at its pace, behind the same interface as every model. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Models } from '../../src/models/models.ts'

export interface Talker {
  readonly answer?: () => string
  /** Milliseconds before each word. */
  readonly pause?: number
}

export const createTalker = ({ answer = () => 'I hear you.', pause = 0 }: Talker = {}): Models => ({
  prepare: async () => {},
  wrap: async () => {},
  unwrap: async () => {},
  knock: async () => {},
  names: async () => ['talker'],
  close: async () => {},
  mind: () => ({
    async *think(_prompt, signal) {
      for (const text of answer().match(/\S+\s*/g) ?? []) {
        await wait(pause, undefined, { signal })
        yield { type: 'words', text }
      }
      yield { type: 'end', usage: { input: null, output: null } }
    },
  }),
})
