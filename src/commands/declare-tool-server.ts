/** Declares and removes tool servers. */
import type { PersonaId, ToolServer } from '../../journal/facts/fact-values.ts'
import { serverAt } from '../../projections/declared-servers.ts'
import { Refused } from '../persona/refusals.ts'
import { declared } from '../tool-servers/kept-server.ts'
import { faultOf, type McpEntry } from '../tool-servers/mcp-entry.ts'
import { isServerName } from '../tool-servers/server-name.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { withSecrets } from './with-secrets.ts'

type Deps = Pick<CommandDeps, 'inTurn' | 'log' | 'personas' | 'serverTools'>

/** Throws Refused: persona_unknown, tool_server_invalid, tool_servers_full. */
export const declareToolServer = async (
  deps: Deps,
  id: PersonaId,
  name: string,
  entry: McpEntry,
): Promise<void> => {
  const fault = isServerName(name) ? faultOf(entry) : invalidName
  known(deps.personas, id)
  if (fault !== null) throw new Refused({ code: 'tool_server_invalid', reason: fault })
  await declareToolServers(deps, id, { [name]: entry })
}

/**
 * Declares all servers in one commit, or none. Throws Refused: persona_unknown, tool_server_invalid,
 * tool_servers_full.
 */
export const declareToolServers = async (
  deps: Deps,
  id: PersonaId,
  entries: Readonly<Record<string, McpEntry>>,
): Promise<void> => {
  const { inTurn, personas, serverTools } = deps
  known(personas, id)
  await inTurn(id, async () => {
    const { servers: before } = known(personas, id).self
    await withSecrets(deps, id, 'key', async (keep) => {
      const servers: { readonly name: string; readonly server: ToolServer }[] = []
      for (const [name, entry] of Object.entries(entries))
        servers.push({ name, server: await declared(entry, keep, serverAt(before, name)?.server) })
      await personas.execute(id, { type: 'SetToolServers', servers }, 'person')
    })
    for (const name of Object.keys(entries)) await serverTools.forget(id, name)
  })
}

const invalidName =
  'The name of a tool server has 1 to 32 letters, digits, hyphens and single underscores, and begins with a letter or digit.'

/** Throws Refused: persona_unknown, tool_server_unknown. */
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
