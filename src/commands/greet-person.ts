/** Greets: the persona speaks first in an empty conversation. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { served } from './running.ts'

type Deps = Pick<CommandDeps, 'agents' | 'personas' | 'web'>

/** Returns whether it will greet. Throws Refused: not_active, web_closed. */
export const greetPerson = async (
  { agents, personas, web }: Deps,
  id: PersonaId,
  may: boolean,
): Promise<boolean> => {
  await served(agents, id)
  if (!web.isOpen(id)) throw new Refused({ code: 'web_closed' })
  if (!may) return false
  const { entries } = await personas.execute(id, { type: 'Greet' }, 'person')
  return entries.length > 0
}
