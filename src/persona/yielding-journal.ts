import type { Journal } from '../../facts/persona-journal.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'

/** Returns a journal whose reads let other work run every few milliseconds. */
export const yieldingJournal = (journal: Journal): Pick<Journal, 'head' | 'read'> => ({
  head: journal.head,
  read: (range) => yielding(journal.read(range)),
})
