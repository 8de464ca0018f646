/** Reads one fact by position. */
import type { Seq } from '../facts/fact-values.ts'
import type { Entry, Journal } from './journal.ts'

/** Returns undefined if there is no record. Throws Damaged if it cannot be read. */
export const entryAt = async (journal: Pick<Journal, 'read'>, seq: Seq): Promise<Entry | undefined> => {
  for await (const entry of journal.read({ after: seq - 1, upTo: seq })) return entry
  return undefined
}
