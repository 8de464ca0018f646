import { Unknown } from './errors.ts'
import type { JournalId } from './head.ts'

// Lower case only, because some file systems treat `Ada` and `ada` as equal.
const id = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Returns whether a string is a valid id. Only valid ids become paths. */
export const isJournalId = (text: string): text is JournalId => id.test(text)

export const mustBeJournalId = (text: string): JournalId => {
  if (!isJournalId(text)) throw new Unknown('the journal does not exist')
  return text
}

/** Source of a regular expression. Names in the trash end with UUIDs. */
export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
