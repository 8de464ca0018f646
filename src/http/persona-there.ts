/** Maps errors of requests whose persona is unreadable or was deleted. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'

/** Replaces persona_unknown by the reason if the persona's journal exists but could not be read. */
export const mapUnreadPersona = async <A>(
  personas: Pick<Personas, 'unread'>,
  id: PersonaId | undefined,
  answer: () => A,
): Promise<Awaited<A>> => {
  try {
    return await answer()
  } catch (error) {
    const isUnknown = error instanceof Refused && error.refusal.code === 'persona_unknown'
    throw (isUnknown && id !== undefined && personas.unread(id)) || error
  }
}

/** Throws persona_unknown instead of any other error if the persona was deleted while the request ran. */
export const mapDeletedPersona = async <A>(
  personas: Pick<Personas, 'listed'>,
  id: PersonaId | undefined,
  answer: () => A,
): Promise<Awaited<A>> => {
  const isListed = () => id !== undefined && personas.listed(id) !== undefined
  const wasListed = isListed()
  try {
    return await answer()
  } catch (error) {
    throw wasListed && !isListed() ? new Refused({ code: 'persona_unknown' }) : error
  }
}
