/** Finds a persona by its id, or by its name if only one persona has it. */
import type { PersonaView } from '../../projections/view.ts'
import type { DaemonClient } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'

export const personasOf = async (daemon: DaemonClient): Promise<readonly PersonaView[]> =>
  (await daemon.get<{ readonly personas: readonly PersonaView[] }>('/api/personas')).personas

export const whose = async (daemon: DaemonClient, asked: string): Promise<PersonaView> => {
  const all = await personasOf(daemon)
  const byId = all.find(({ id }) => id === asked)
  if (byId) return byId
  const exactly = all.filter(({ name }) => name === asked)
  const named =
    exactly.length > 0 ? exactly : all.filter(({ name }) => name.toLowerCase() === asked.toLowerCase())
  const [one, ...others] = named
  if (!one) throw new CommandFailed(`there is no persona ${asked}${known(all)}`, exitCodes.unknown)
  if (others.length > 0)
    throw new CommandFailed(
      `${named.length} personas are called ${asked}: use an id\n${named.map(({ id }) => `  ${id}`).join('\n')}`,
      exitCodes.usage,
    )
  return one
}

const known = (all: readonly PersonaView[]): string =>
  all.length === 0
    ? '; there are none yet: `daimon create <name>`'
    : `; there is ${all.map(({ name }) => name).join(', ')}`

export const pathOf = ({ id }: Pick<PersonaView, 'id'>, route = ''): string =>
  `/api/persona/${encodeURIComponent(id)}${route && `/${route}`}`
