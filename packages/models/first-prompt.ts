/**
 * The prompt that tests whether a model can run turns. Like every turn it has a system text and a tool. It is
 * small, because the user pays for it.
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
