/** Gives connections access to the declaration of a server and to its stored OAuth tokens. */
import { hash } from 'node:crypto'
import type { PersonaId, ToolServer } from '../../facts/fact-values.ts'
import type { ServerRef } from '../../packages/mcp-client/server-config.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { resolveServer } from './resolve-server.ts'

export interface ServerRefs {
  of(id: PersonaId, name: string, server: ToolServer): ServerRef
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'secret' | 'replaceSecret'>
  readonly env: Readonly<Record<string, string | undefined>>
}

export const createServerRefs = ({ personas, env }: Deps): ServerRefs => ({
  of: (id, name, server) => ({
    name,
    // Secret references are never reused, so changed values always change the key.
    key: hash('sha256', JSON.stringify(server)),
    config: () => resolveServer(server, { secret: (ref) => personas.secret(id, ref), env }),
    auth: {
      read: async () =>
        server.transport === 'http' ? (await personas.secret(id, server.tokens)) || null : null,
      write: async (text) => {
        if (server.transport === 'http') await personas.replaceSecret(id, server.tokens, text ?? '')
      },
    },
  }),
})
