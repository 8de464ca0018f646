/** Finds a persona by its id, or by its name if only one persona has it. */
import type { PersonaView } from '../../projections/view.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'

export const listPersonas = async (daemon: DaemonClient): Promise<readonly PersonaView[]> =>
  (await daemon.get<{ readonly personas: readonly PersonaView[] }>('/api/personas')).personas

export const findPersona = async (daemon: DaemonClient, nameOrId: string): Promise<PersonaView> => {
  const all = await listPersonas(daemon)
  const byId = all.find(({ id }) => id === nameOrId)
  if (byId) return byId
  const exactMatches = all.filter(({ name }) => name === nameOrId)
  const matches =
    exactMatches.length > 0
      ? exactMatches
      : all.filter(({ name }) => name.toLowerCase() === nameOrId.toLowerCase())
  const [match, ...otherMatches] = matches
  if (!match) throw new CommandFailed(`there is no persona ${nameOrId}${listKnown(all)}`, exitCodes.unknown)
  if (otherMatches.length > 0)
    throw new CommandFailed(
      `${matches.length} personas are called ${nameOrId}: use an id\n${matches.map(({ id }) => `  ${id}`).join('\n')}`,
      exitCodes.usage,
    )
  return match
}

const listKnown = (all: readonly PersonaView[]): string =>
  all.length === 0
    ? '; there are none yet: `daimon create <name>`'
    : `; there is ${all.map(({ name }) => name).join(', ')}`

export const personaPath = ({ id }: Pick<PersonaView, 'id'>, route = ''): string =>
  `/api/persona/${encodeURIComponent(id)}${route && `/${route}`}`
