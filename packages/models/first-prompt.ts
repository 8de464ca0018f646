/**
 * The prompt that shows whether a model serves turns: with a system text and a tool, as each turn sends them.
 * It is small, because it is paid for.
 */
import type { Prompt } from './mind.ts'

const words = 'Say one word.'

export const firstPrompt: Prompt = {
  system: 'You answer with one word.',
  messages: [{ role: 'user', content: words }],
  tools: [
    {
      name: 'note',
      description: 'Write a word down. Do not use it now.',
      parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    },
  ],
  data: () => ({ kind: 'question', words }),
}
