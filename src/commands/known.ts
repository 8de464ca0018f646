import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Listed, Personas } from '../persona/personas.ts'
import { Refused } from '../persona/refusals.ts'

/** Throws Refused: persona_unknown. */
export const known = (personas: Pick<Personas, 'listed'>, id: PersonaId): Listed => {
  const listed = personas.listed(id)
  if (!listed) throw new Refused({ code: 'persona_unknown' })
  return listed
}
