/** The servers whose tools it may use, and what its person has decided of each tool. */
import type {
  Seq,
  Setting,
  SettingPiece,
  Sha256,
  ToolMode,
  ToolServer,
} from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { Fact } from './persona.ts'

/** `seq`: the fact it was decided by; `definition`: the hash of the tool as it was described then. */
export interface ToolChoice {
  readonly seq: Seq
  readonly mode: ToolMode
  readonly definition: Sha256 | null
}

export interface DeclaredServer {
  readonly server: ToolServer
  /** Those that were decided, by name: every other one is asked about. */
  readonly tools: Readonly<Record<string, ToolChoice>>
}

/** What stands for a server in what is decided of hosts of the web; none can be declared under it. */
export const webServer = 'web'

/** What was decided of hosts that pages are read of, by their names. */
export type WebHosts = Readonly<Record<string, ToolChoice>>

/** By name, in the order they were first declared. */
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
      const declared = serverAt(servers, name)
      if (!declared) return servers
      const tools = { ...declared.tools, [tool]: { seq, mode, definition } }
      return { ...servers, [name]: { ...declared, tools } }
    }
  }
}

/** Names come from anywhere: those that every object has are nobody's. */
const at = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

export const serverAt = (servers: ToolServers, name: string): DeclaredServer | undefined => at(servers, name)

export const choiceAt = ({ tools }: Pick<DeclaredServer, 'tools'>, tool: string): ToolChoice | undefined =>
  at(tools, tool)

type OfHost = Fact<EventOf<'ToolModeSet'>>

export const evolveHosts = (
  hosts: WebHosts,
  { seq, event: { tool, mode, definition } }: OfHost,
): WebHosts => ({ ...hosts, [tool]: { seq, mode, definition } })

interface Choices {
  readonly servers: ToolServers
  readonly hosts: WebHosts
}

/**
 * What was decided of all tools of a server, by name; of hosts for the web. None of one that is not declared.
 */
export const choicesOf = (
  { servers, hosts }: Choices,
  server: string,
): Readonly<Record<string, ToolChoice>> | undefined =>
  server === webServer ? hosts : serverAt(servers, server)?.tools

export const choiceOf = (
  all: Choices,
  { server, tool }: { readonly server: string; readonly tool: string },
): ToolChoice | undefined => at(choicesOf(all, server) ?? {}, tool)

/** What holds for a tool as it is described now; `changed` where it was allowed as another. */
export type Standing = ToolMode | 'changed'

export const standingOf = (choice: ToolChoice | undefined, definition: Sha256): Standing => {
  if (!choice) return 'ask'
  return choice.mode === 'allow' && choice.definition !== definition ? 'changed' : choice.mode
}

/** The entries of the secrets file that they refer to. */
export const secretsOf = (servers: ToolServers): readonly string[] =>
  Object.values(servers).flatMap(({ server }) => {
    const named = server.transport === 'stdio' ? server.env : server.headers
    const own =
      server.transport === 'stdio'
        ? [server.command, ...server.args]
        : [server.url, server.query ?? '', server.oauth?.secret ?? '', { secret: server.tokens }]
    return [...named.map(({ value }) => value), ...own].flatMap((setting) =>
      piecesOf(setting).flatMap((piece) =>
        typeof piece === 'object' && 'secret' in piece ? piece.secret : [],
      ),
    )
  })

export const piecesOf = (setting: Setting): readonly SettingPiece[] =>
  typeof setting === 'object' && 'pieces' in setting ? setting.pieces : [setting]
