/** Whether the persona a path names is there, whatever an answer failed for. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Personas } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'

/** One whose journal is there and could not be read is not unknown: the reason is told. */
export const orUnread = async <A>(
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

/** What is looked at may be deleted meanwhile: then it is not there, whatever failed for that. */
export const orGone = async <A>(
  personas: Pick<Personas, 'listed'>,
  id: PersonaId | undefined,
  answer: () => A,
): Promise<Awaited<A>> => {
  const isListed = () => id !== undefined && personas.listed(id) !== undefined
  const wasThere = isListed()
  try {
    return await answer()
  } catch (error) {
    throw wasThere && !isListed() ? new Refused({ code: 'persona_unknown' }) : error
  }
}
