/**
 * Minds that answer what a test wants, at its pace, behind the same interface as every model; and organs that
 * make files.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Models } from '../../packages/models/models.ts'
import { speechless, untold } from '../speechless.ts'

export interface Talker {
  readonly answer?: () => string
  /** Milliseconds before each word. */
  readonly pause?: number
  /** What its Imagination and its Mouth make; they are asked for by `draw …` and `speak …`. */
  readonly picture?: Uint8Array
  readonly sound?: Uint8Array
  /** What its Ear understands of every clip. */
  readonly heard?: string
  /** The tools it calls at once for what it is told last; words are its answer to none. */
  readonly calls?: (words: string) => readonly { readonly name: string; readonly input: unknown }[]
}

export const createTalker = ({
  answer = () => 'I hear you.',
  pause = 0,
  picture,
  sound,
  heard,
  calls = () => [],
}: Talker = {}): Models => ({
  ...speechless,
  ...(picture && {
    imagination: () => ({ draw: async () => ({ bytes: picture, mime: 'image/png', usage: untold }) }),
  }),
  ...(sound && {
    mouth: () => ({ speak: async () => ({ bytes: sound, mime: 'audio/wav', usage: untold }) }),
  }),
  ...(heard && { ear: () => ({ hear: async () => ({ text: heard, usage: untold }) }) }),
  prepare: async () => {},
  wrap: async () => {},
  unwrap: async () => {},
  probe: async () => {},
  names: async () => ['talker'],
  close: async () => {},
  mind: () => ({
    async *think({ messages }, signal) {
      const last = messages.at(-1)
      const [, tool, wish] = (last?.role === 'user' && /\b(draw|speak) (.+)$/m.exec(last.content)) || []
      if (tool && wish) {
        const input = tool === 'draw' ? { wish, caption: wish } : { text: wish }
        yield { type: 'call', call: { id: `call-${messages.length}`, name: tool, input } }
      } else if (last?.role === 'user' && calls(last.content).length > 0) {
        for (const [n, { name, input }] of calls(last.content).entries())
          yield { type: 'call', call: { id: `call-${messages.length}-${n}`, name, input } }
      } else {
        for (const text of answer().match(/\S+\s*/g) ?? []) {
          await wait(pause, undefined, { signal })
          yield { type: 'words', text }
        }
      }
      yield { type: 'end', usage: { input: null, output: null } }
    },
  }),
})
