/**
 * The details of a fact in a frame: secrets masked, long texts cut, and outside of the conversation no text.
 */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { fieldsOf } from '../../packages/kit/masked.ts'
import { withoutOpenSecrets } from '../tool-servers/kept-server.ts'

export type Details = Readonly<Record<string, unknown>>

/** All fields of the fact except its type. */
export const detailsOf = (event: PersonaEvent): Details => {
  const { type: _, ...fields } =
    event.type === 'ToolServerSet' ? { ...event, server: withoutOpenSecrets(event.server) } : event
  return fieldsOf(fields)
}

/** The fields that may be shown. */
export const outsideDetailsOf = (event: PersonaEvent, shown: readonly string[]): Details =>
  fieldsOf(Object.fromEntries(Object.entries(event).filter(([name]) => shown.includes(name))))
