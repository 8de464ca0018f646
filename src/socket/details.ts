/**
 * What a frame shows of a fact: secrets masked, long bodies cut, and for those outside the conversation
 * nothing that was said or thought.
 */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { fieldsOf } from '../masked.ts'
import { withoutOpenSecrets } from '../tool-servers/kept-server.ts'

export type Details = Readonly<Record<string, unknown>>

/** Every field of the fact but its type. */
export const detailsOf = (event: PersonaEvent): Details => {
  const { type: _, ...fields } =
    event.type === 'ToolServerSet' ? { ...event, server: withoutOpenSecrets(event.server) } : event
  return fieldsOf(fields)
}

/** Those of its fields that may be shown. */
export const outsideDetailsOf = (event: PersonaEvent, shown: readonly string[]): Details =>
  fieldsOf(Object.fromEntries(Object.entries(event).filter(([name]) => shown.includes(name))))
