/**
 * The tools of servers of others, for whoever asks: nothing of it is loaded before the first server is there.
 */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { serverAt } from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Self } from '../../projections/self.ts'
import type { ToolDefinition, ToolServers } from '../mcp/client/server-config.ts'
import type { Tool } from '../mind/tools/tool.ts'
import type { Personas } from '../persona/personas.ts'
import { createServerRefs } from './server-refs.ts'
import { type ServerShown, shownServer } from './shown-server.ts'

export interface ServerTools {
  /** As its Mind may call them. Never rejects. */
  of(persona: Persona): Promise<readonly Tool[]>
  /** Every server it has, with what may be done with its tools; nobody is asked for it. */
  shown(id: PersonaId): Promise<readonly ServerShown[]>
  /** One of them, reached anew. `tool_server_unknown` where there is none. */
  probe(id: PersonaId, name: string, signal: AbortSignal): Promise<ServerShown | null>
  /** A tool as it is described now, where that is known. */
  definition(self: Self, server: string, tool: string): Promise<ToolDefinition | null>
  /**
   * What runs of a server ends, and what was known of it is forgotten: it is declared otherwise, or no more.
   */
  forget(id: PersonaId, name: string): Promise<void>
  /** What runs for a persona ends. */
  rest(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<Personas, 'secret' | 'replaceSecret' | 'read'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly open: () => Promise<ToolServers>
}

export const createServerTools = ({ personas, env, open }: Deps): ServerTools => {
  const refs = createServerRefs({ personas, env })
  let opened: Promise<ToolServers> | undefined
  const servers = () => {
    opened ??= open()
    return opened
  }

  const showing = (id: PersonaId) =>
    personas.read(id, async ({ persona: { self }, journal }) => {
      const names = Object.keys(self.servers)
      if (names.length === 0) return []
      const { view } = await servers()
      const all = Object.entries(self.servers).map(([name, declared]) =>
        shownServer(name, declared, view(id, refs.of(id, name, declared.server)), journal),
      )
      return Promise.all(all)
    })

  return {
    of: async (persona) => {
      if (Object.keys(persona.self.servers).length === 0) return []
      const { outsideTools } = await import('./outside-tools.ts')
      return outsideTools(persona, { servers: await servers(), refs })
    },
    shown: showing,
    probe: async (id, name, signal) => {
      const declared = await personas.read(id, async ({ persona }) => serverAt(persona.self.servers, name))
      if (!declared) return null
      await (await servers()).probe(id, refs.of(id, name, declared.server), signal)
      return (await showing(id)).find((one) => one.name === name) ?? null
    },
    definition: async ({ id, servers: all }, server, tool) => {
      const declared = serverAt(all, server)
      if (!declared) return null
      const { tools } = (await servers()).view(id, refs.of(id, server, declared.server))
      return tools.find(({ name }) => name === tool) ?? null
    },
    forget: async (id, name) => (await servers()).forget(id, name),
    rest: async (id) => (await opened)?.forgetAll(id),
    close: async () => (await opened)?.close(),
  }
}
