/** How a server is reached, and what is told of it. */
import type { PersonaId, Sha256 } from '../../journal/facts/fact-values.ts'

/** As configured, with secrets and `${VAR}` filled in. */
export type ServerConfig = StdioConfig | HttpConfig

/** A secret with the option, variable, header or field that it stands under; null without one. */
export interface NamedSecret {
  readonly name: string | null
  readonly value: string
}

interface Known {
  /** Values that are known to be secrets, and to be none, whatever they look like. */
  readonly known?: { readonly secrets: readonly NamedSecret[]; readonly plain: readonly string[] }
}

export interface StdioConfig extends Known {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** The home folder of whoever runs the daemon where null. */
  readonly cwd: string | null
  /** On top of a small part of the daemon's own. */
  readonly env: Readonly<Record<string, string>>
}

export interface HttpConfig extends Known {
  readonly transport: 'http'
  readonly url: string
  /** With an `Authorization` among them nothing else is tried where the server wants to be authorized. */
  readonly headers: Readonly<Record<string, string>>
  readonly oauth?: OAuthClient | undefined
}

/** A client that was registered by hand with the authorization server. */
export interface OAuthClient {
  readonly client_id: string
  readonly client_secret?: string | undefined
  /** Names with a space between them; what the server asks for where absent. */
  readonly scope?: string | undefined
  /** The one authorization server that may see it; the first that is met where absent. */
  readonly issuer?: string | undefined
  /** Of `http://127.0.0.1:<port>/callback`, where it was registered with one; any free one where absent. */
  readonly redirect_port?: number | undefined
}

/** OAuth tokens and client registration of one server, one JSON text in the secrets file. */
export interface AuthStore {
  read(): Promise<string | null>
  write(text: string | null): Promise<void>
}

/**
 * A server by its name, and how to get its config now: reads secrets and the environment, and throws
 * ServerTrouble where a variable is missing. `key` changes with every change of the config.
 */
export interface ServerRef {
  readonly name: string
  readonly key: string
  readonly config: () => Promise<ServerConfig>
  readonly auth: AuthStore
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object, as the server gave it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Of all that it says of itself: another one is another tool. */
  readonly hash: Sha256
}

/** `off`: known, and not running now. */
export type ServerState = 'ready' | 'starting' | 'failing' | 'off'

export interface ServerView {
  readonly state: ServerState
  /** What is wrong, in sentences for a person, or what was left out; null where nothing is. */
  readonly reason: string | null
  /** Where the person has to go before it can be used. */
  readonly authorize: string | null
  readonly tools: readonly ToolDefinition[]
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly mime: string; readonly name: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string; readonly text: string | null }

export interface CallResult {
  /** False where the tool itself says that it failed. */
  readonly ok: boolean
  readonly content: readonly Block[]
  readonly structured?: unknown
  /** Something of it was too large, and is not here. */
  readonly cut: boolean
}

export interface ToolServers {
  /**
   * The tools it has, from its last listing where there is one, so that no server is started for a prompt;
   * else it is started and asked, and waited for `within` ms at most. Never rejects.
   */
  listed(id: PersonaId, server: ServerRef, within: number): Promise<ServerView>
  /**
   * Rejects ServerTrouble. `definition`: the hash that the tool was allowed with; where it has another one
   * now, nothing is called.
   */
  call(
    id: PersonaId,
    server: ServerRef,
    tool: string,
    input: unknown,
    signal: AbortSignal,
    definition?: Sha256,
  ): Promise<CallResult>
  /** Ends its connection, with what is under way in it, connects and lists anew. Never rejects. */
  probe(id: PersonaId, server: ServerRef, signal: AbortSignal): Promise<ServerView>
  /** Without asking anybody. */
  view(id: PersonaId, server: ServerRef): ServerView
  /** Removed or changed: ended, its listing gone. */
  forget(id: PersonaId, name: string): Promise<void>
  /** The persona stopped or is gone: its servers are ended, their listings stay. */
  forgetAll(id: PersonaId): Promise<void>
  close(): Promise<void>
}
