import type { PersonaId } from '../../facts/fact-values.ts'
import { Unknown } from './errors.ts'

// Lower case only, because some file systems treat `Ada` and `ada` as equal.
const id = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Returns whether a string is a valid persona id. Only valid ids become paths. */
export const isPersonaId = (text: string): text is PersonaId => id.test(text)

export const mustBePersonaId = (text: string): PersonaId => {
  if (!isPersonaId(text)) throw new Unknown('the persona does not exist')
  return text
}

/** Source of a regular expression. The daemon names personas, drafts and trash with UUIDs. */
export const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
