/** Declare a server whose tools a persona may use, or declare it otherwise. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { serverAt } from '../../projections/declared-servers.ts'
import { Refused } from '../persona/refusals.ts'
import { declared } from '../tool-servers/kept-server.ts'
import { faultOf, isServerName, type McpEntry } from '../tool-servers/mcp-entry.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { withSecrets } from './with-secrets.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'log' | 'personas' | 'serverTools'>

/** Refused: persona_unknown, tool_server_invalid, tool_servers_full. */
export const declareToolServer = async (
  deps: Deps,
  id: PersonaId,
  name: string,
  entry: McpEntry,
): Promise<void> => {
  const { inTurn, personas, serverTools } = deps
  known(personas, id)
  const fault = isServerName(name) ? faultOf(entry) : badName
  if (fault !== null) throw new Refused({ code: 'tool_server_invalid', reason: fault })
  await inTurn(id, async () => {
    const before = serverAt(known(personas, id).self.servers, name)?.server
    await withSecrets(deps, id, 'key', async (keep) => {
      const server = await declared(entry, keep, before)
      await personas.execute(id, { type: 'SetToolServer', name, server }, 'person')
    })
    await serverTools.forget(id, name)
  })
}

const badName =
  'The name of a tool server has 1 to 32 letters, digits, hyphens and single underscores, and begins with a letter or digit.'

/** As a name is made of one from elsewhere, where that can be. */
export const asServerName = (given: string): string =>
  given
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[-_]+/, '')
    .slice(0, 32)

/** Refused: persona_unknown, tool_server_unknown. */
export const removeToolServer = async (
  { inTurn, personas, serverTools }: Deps,
  id: PersonaId,
  name: string,
): Promise<void> => {
  known(personas, id)
  await inTurn(id, async () => {
    await personas.execute(id, { type: 'RemoveToolServer', name }, 'person')
    await serverTools.forget(id, name)
  })
}
