/** The declared tool servers, and the user's permission for each tool. */

import type {
  SearchSetting,
  Seq,
  Setting,
  SettingPiece,
  Sha256,
  ToolMode,
  ToolServer,
} from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { Fact } from './fact.ts'

/** `seq`: position of the decision. `definition`: hash of the tool's description at that time. */
export interface ToolChoice {
  readonly seq: Seq
  readonly mode: ToolMode
  readonly definition: Sha256 | null
}

export interface DeclaredServer {
  readonly server: ToolServer
  /** Permissions by tool name. A tool without one requires approval. */
  readonly tools: Readonly<Record<string, ToolChoice>>
}

/** Server name in the permissions for web hosts. No tool server may have this name. */
export const webServer = 'web'

/** Server name in the permissions for search providers. With a blank, no tool server can have this name. */
export const searchServer = 'web search'

/** Permissions to read pages, by host name. */
export type WebHosts = Readonly<Record<string, ToolChoice>>

/** By name, in the order of the first declaration. */
export type ToolServers = Readonly<Record<string, DeclaredServer>>

export const evolveServers = (
  servers: ToolServers,
  { seq, event }: Fact<EventOf<'ToolServerSet' | 'ToolServerRemoved' | 'ToolModeSet'>>,
): ToolServers => {
  switch (event.type) {
    case 'ToolServerSet': {
      const { name, server } = event
      return { ...servers, [name]: { server, tools: serverAt(servers, name)?.tools ?? {} } }
    }
    case 'ToolServerRemoved': {
      const { [event.name]: _, ...rest } = servers
      return rest
    }
    case 'ToolModeSet': {
      const { server: name, tool, mode, definition } = event
      const declaredServer = serverAt(servers, name)
      if (!declaredServer) return servers
      const tools = { ...declaredServer.tools, [tool]: { seq, mode, definition } }
      return { ...servers, [name]: { ...declaredServer, tools } }
    }
  }
}

/** Own properties only, because names are untrusted input. */
const getOwn = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

export const serverAt = (servers: ToolServers, name: string): DeclaredServer | undefined =>
  getOwn(servers, name)

export const choiceAt = ({ tools }: Pick<DeclaredServer, 'tools'>, tool: string): ToolChoice | undefined =>
  getOwn(tools, tool)

/** How the persona searches the web. */
export interface SearchSettings {
  /** In the order in which they are tried. Empty: the usual ones. */
  readonly providers: readonly SearchSetting[]
  /** Pages that a search found may be read without asking. */
  readonly readsResults: boolean
  /** Permissions by provider. */
  readonly choices: Readonly<Record<string, ToolChoice>>
}

export const initialSearchSettings: SearchSettings = { providers: [], readsResults: false, choices: {} }

type OfTool = Fact<EventOf<'ToolModeSet'>>

/** For web hosts and search providers. */
export const evolveChoices = (
  choices: Readonly<Record<string, ToolChoice>>,
  { seq, event: { tool, mode, definition } }: OfTool,
): Readonly<Record<string, ToolChoice>> => ({ ...choices, [tool]: { seq, mode, definition } })

interface Choices {
  readonly servers: ToolServers
  readonly hosts: WebHosts
  readonly searches: SearchSettings
}

/**
 * Returns the permissions of a server's tools by name, or those of web hosts or search providers. Undefined
 * for an unknown server.
 */
export const listChoices = (
  { servers, hosts, searches }: Choices,
  server: string,
): Readonly<Record<string, ToolChoice>> | undefined => {
  if (server === webServer) return hosts
  return server === searchServer ? searches.choices : serverAt(servers, server)?.tools
}

export const findChoice = (
  all: Choices,
  { server, tool }: { readonly server: string; readonly tool: string },
): ToolChoice | undefined => getOwn(listChoices(all, server) ?? {}, tool)

/** Permission for the current description of a tool. `changed`: it was allowed with another description. */
export type Standing = ToolMode | 'changed'

export const getStanding = (choice: ToolChoice | undefined, definition: Sha256): Standing => {
  if (!choice) return 'ask'
  return choice.mode === 'allow' && choice.definition !== definition ? 'changed' : choice.mode
}

/** Returns the entries of the secrets file that the servers use. */
export const listServerSecrets = (servers: ToolServers): readonly string[] =>
  Object.values(servers).flatMap(({ server }) => {
    const namedSettings = server.transport === 'stdio' ? server.env : server.headers
    const ownSettings =
      server.transport === 'stdio'
        ? [server.command, ...server.args]
        : [server.url, server.query ?? '', server.oauth?.secret ?? '', { secret: server.tokens }]
    return [...namedSettings.map(({ value }) => value), ...ownSettings].flatMap((setting) =>
      listPieces(setting).flatMap((piece) =>
        typeof piece === 'object' && 'secret' in piece ? piece.secret : [],
      ),
    )
  })

export const listPieces = (setting: Setting): readonly SettingPiece[] =>
  typeof setting === 'object' && 'pieces' in setting ? setting.pieces : [setting]
