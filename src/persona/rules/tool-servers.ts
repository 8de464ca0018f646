/** Rules of tool servers: declared servers and the modes of their tools. */
import type { Sha256, ToolMode, ToolServer } from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import { findChoice, listChoices, serverAt, webServer } from '../../../projections/declared-servers.ts'
import type { Persona } from '../../../projections/persona.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

interface SetToolServers {
  readonly type: 'SetToolServers'
  readonly servers: readonly { readonly name: string; readonly server: ToolServer }[]
}

interface RemoveToolServer {
  readonly type: 'RemoveToolServer'
  readonly name: string
}

export interface SetToolMode {
  readonly type: 'SetToolMode'
  readonly server: string
  readonly tool: string
  readonly mode: ToolMode
  /** Hash of the current definition, if known. */
  readonly definition: Sha256 | null
  readonly described: string | null
}

/** Replaces the list of search providers. */
interface SetSearchProviders extends Omit<EventOf<'SearchProvidersSet'>, 'type'> {
  readonly type: 'SetSearchProviders'
}

export type ToolServerCommand = SetToolServers | RemoveToolServer | SetToolMode | SetSearchProviders

const maxServers = 32
/** Tools of one server with a mode of their own. */
const maxChoices = 1000

/** Declares all servers or none. */
const setServers = ({ self }: Persona, { servers }: SetToolServers): Decision => {
  if (servers.some(({ name }) => name.toLowerCase() === webServer))
    return refuse({ code: 'tool_server_invalid', reason: nameTaken })
  const newServers = servers.filter(({ name }) => serverAt(self.servers, name) === undefined)
  if (Object.keys(self.servers).length + newServers.length > maxServers && newServers.length > 0)
    return refuse({ code: 'tool_servers_full', most: maxServers })
  return accept(...servers.map((server) => ({ type: 'ToolServerSet' as const, ...server })))
}

const nameTaken = 'A tool server cannot be called web: the name holds the permissions for reading web pages.'

const removeServer = ({ self }: Persona, { name }: RemoveToolServer): Decision =>
  serverAt(self.servers, name)
    ? accept({ type: 'ToolServerRemoved', name })
    : refuse({ code: 'tool_server_unknown' })

/** Ignores a mode that is already set. */
const setMode = ({ self }: Persona, { type: _, ...choice }: SetToolMode): Decision => {
  const { server, tool, mode, definition } = choice
  const choices = listChoices(self, server)
  if (!choices) return refuse({ code: 'tool_server_unknown' })
  if (tool === '__proto__') return refuse({ code: 'tool_unknown' })
  const previousChoice = findChoice(self, { server, tool })
  if (previousChoice?.mode === mode && previousChoice.definition === definition) return accept()
  if (!previousChoice && Object.keys(choices).length >= maxChoices) return refuse({ code: 'tool_unknown' })
  return accept({ type: 'ToolModeSet', ...choice })
}

export const toolServerRules: Rules<ToolServerCommand> = {
  SetToolServers: setServers,
  RemoveToolServer: removeServer,
  SetToolMode: setMode,
  SetSearchProviders: (_, { type: _type, ...search }) => accept({ type: 'SearchProvidersSet', ...search }),
}
