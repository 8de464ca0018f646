/** The tools of MCP servers. The client is loaded when the first server is used. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { ToolDefinition, ToolServers } from '../../packages/mcp-client/server-config.ts'
import { serverAt } from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { createServerRefs } from './server-refs.ts'
import { type ServerShown, shownServer } from './shown-server.ts'

export interface ServerTools {
  /** Returns the tools for the model. Never rejects. */
  of(persona: Persona): Promise<readonly Tool[]>
  /**
   * Returns all servers with the permissions of their tools, from what is known already. Sends no requests.
   */
  shown(id: PersonaId): Promise<readonly ServerShown[]>
  /** Reconnects to a server, if it is declared. */
  probe(id: PersonaId, name: string, signal: AbortSignal): Promise<void>
  /** Returns the current definition of a tool, or null if unknown. */
  definition(self: Self, server: string, tool: string): Promise<ToolDefinition | null>
  /**
   * Closes the connection of a server and clears its cached data. For a server whose declaration was changed
   * or removed.
   */
  forget(id: PersonaId, name: string): Promise<void>
  /** Closes all connections of a persona. Never rejects. */
  rest(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'secret' | 'replaceSecret' | 'read'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
  readonly open: () => Promise<ToolServers>
}

export const createServerTools = ({ personas, env, log, open }: Deps): ServerTools => {
  const refs = createServerRefs({ personas, env })
  let serversTask: Promise<ToolServers> | undefined
  const servers = () => {
    serversTask ??= open().catch((err: unknown) => {
      serversTask = undefined
      log.error({ err }, 'the client for tool servers could not be loaded')
      throw err
    })
    return serversTask
  }
  /** Undefined if the client was not used yet, or could not be loaded. */
  const getRunning = async () => serversTask?.catch(() => undefined)

  const showServers = (id: PersonaId) =>
    personas.read(id, async ({ persona: { self }, journal }) => {
      const declarations = Object.entries(self.servers)
      if (declarations.length === 0) return []
      const { view } = await servers()
      const all = declarations.map(([name, declaration]) =>
        shownServer(name, declaration, view(id, refs.of(id, name, declaration.server)), journal),
      )
      return Promise.all(all)
    })

  return {
    of: async (persona) => {
      if (Object.keys(persona.self.servers).length === 0) return []
      const { outsideTools } = await import('./outside-tools.ts')
      const client = await servers().catch(() => null)
      return client ? outsideTools(persona, { servers: client, refs }) : []
    },
    shown: showServers,
    probe: async (id, name, signal) => {
      const server = await personas.read(id, async ({ persona }) => serverAt(persona.self.servers, name))
      if (server) await (await servers()).probe(id, refs.of(id, name, server.server), signal)
    },
    definition: async ({ id, servers: all }, server, tool) => {
      const declaredServer = serverAt(all, server)
      if (!declaredServer) return null
      const { tools } = (await servers()).view(id, refs.of(id, server, declaredServer.server))
      return tools.find(({ name }) => name === tool) ?? null
    },
    forget: async (id, name) => (await servers()).forget(id, name),
    rest: async (id) => (await getRunning())?.forgetAll(id),
    close: async () => (await getRunning())?.close(),
  }
}
