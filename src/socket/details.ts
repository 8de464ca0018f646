/** What a frame shows of a fact: secrets masked, long bodies cut, and for those outside the conversation nothing that was said or thought. */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { fieldsOf } from '../masked.ts'

export type Details = Readonly<Record<string, unknown>>

/**
 * The only fields that `/ws/system` shows: ids, positions, names, figures and the service's own reasons. A list of what may pass, not of
 * what may not, so that a fact added later keeps its words to itself until somebody decides otherwise.
 */
const wordless = new Set(
  `id name birthday idleTimeout seconds slot organ status reason life channel stimuli turn step provider model usage ms calls price kind cause call ok
  outcome message document sources origin wall zone recurrence anchor after upTo by began ended messages updated`.split(/\s+/),
)

/** Every field of the fact but its type. */
export const detailsOf = ({ type: _, ...fields }: PersonaEvent): Details => fieldsOf(fields)

/** Without anything in her words or the person's. */
export const wordlessDetailsOf = ({ type: _, ...fields }: PersonaEvent): Details =>
  fieldsOf(Object.fromEntries(Object.entries(fields).filter(([name]) => wordless.has(name))))
