/** Facts about imported conversations. */
import * as z from 'zod'
import { fact } from './fact.ts'
import { Sha256 } from './fact-values.ts'

export const importFacts = {
  /**
   * The persona has read a conversation of the user with another AI. The facts that it learned follow in the
   * same commit. `conversation` and `updated` (ISO 8601) come from the source, null if it gave none. `hash`
   * covers the whole text. `summary` is in the persona's words.
   */
  HistoryFed: fact(
    {
      source: z.string(),
      conversation: z.string().nullable(),
      title: z.string(),
      updated: z.string().nullable(),
      hash: Sha256,
      messages: z.int(),
      summary: z.string(),
    },
    {
      index: 'histories',
      leads: true,
      search: 'history',
      outside: ['messages', 'updated'],
      state: ['knowledge'],
      background: false,
      missed: true,
      changes: [],
      wish: 'none',
      blank: { title: '', summary: '' },
    },
  ),
}
