/** What came from conversations with others. */
import * as z from 'zod'
import { fact } from './fact.ts'
import { Sha256 } from './fact-values.ts'

export const importFacts = {
  /**
   * A conversation of the person with another AI has been gone over: what it taught follows in the same
   * commit. `source` says which, `conversation` and `updated` (ISO 8601) are that other's own, null where it
   * gave none; `hash` is of all words. `summary` tells what it was about, in the persona's words.
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
      ...{ index: 'histories', search: 'history', outside: ['messages', 'updated'] },
      ...{ state: ['knowledge'], background: false, missed: true, changes: [], wish: 'none' },
      blank: { title: '', summary: '' },
    },
  ),
}
