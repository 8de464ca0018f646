/**
 * Simulated models that answer with given texts at a given speed, behind the interface of every model, and
 * organs that create files.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Models } from '../../packages/models/models.ts'
import { chatOnlyModels, unknownUsage } from '../chat-only-models.ts'

export interface Talker {
  readonly answer?: () => string
  /** Milliseconds before each word. */
  readonly pause?: number
  /** The output of its Imagination and its Mouth, which `draw …` and `speak …` request. */
  readonly picture?: Uint8Array
  readonly sound?: Uint8Array
  /** The text that its Ear returns for every clip. */
  readonly transcript?: string
  /** Returns the tools to call in one batch for the last message. If there are none, it answers with text. */
  readonly calls?: (text: string) => readonly { readonly name: string; readonly input: unknown }[]
}

export const createTalker = ({
  answer = () => 'I hear you.',
  pause = 0,
  picture,
  sound,
  transcript,
  calls = () => [],
}: Talker = {}): Models => ({
  ...chatOnlyModels,
  ...(picture && {
    imagination: () => ({ draw: async () => ({ bytes: picture, mime: 'image/png', usage: unknownUsage }) }),
  }),
  ...(sound && {
    mouth: () => ({ speak: async () => ({ bytes: sound, mime: 'audio/wav', usage: unknownUsage }) }),
  }),
  ...(transcript && { ear: () => ({ hear: async () => ({ text: transcript, usage: unknownUsage }) }) }),
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
