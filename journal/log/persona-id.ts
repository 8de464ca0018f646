/** What names a persona. */
import type { PersonaId } from '../facts/fact-values.ts'
import { Unknown } from './errors.ts'

// Lower case only: some file systems take `Ada` and `ada` for one.
const id = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Whether a string could name a persona; what could not is unknown, and never becomes a path. */
export const isPersonaId = (text: string): text is PersonaId => id.test(text)

export const mustBePersonaId = (text: string): PersonaId => {
  if (!isPersonaId(text)) throw new Unknown('there is no such persona')
  return text
}

/** The source of a regular expression: the daemon names personas, drafts and what it throws away so. */
export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
