/** The configuration of tool servers, and the interface to them. */
import type { PersonaId, Sha256 } from '../../facts/fact-values.ts'

/** With secrets and `${VAR}` resolved. */
export type ServerConfig = StdioConfig | HttpConfig

/** A secret with the name of its option, variable, header or field; null without one. */
export interface NamedSecret {
  readonly name: string | null
  readonly value: string
}

interface Known {
  /** Values declared as secret or as not secret. Takes precedence over detection. */
  readonly known?: { readonly secrets: readonly NamedSecret[]; readonly plain: readonly string[] }
}

export interface StdioConfig extends Known {
  readonly transport: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Null: the home folder of the user who runs the daemon. */
  readonly cwd: string | null
  /** Added to a small subset of the daemon's environment. */
  readonly env: Readonly<Record<string, string>>
}

export interface HttpConfig extends Known {
  readonly transport: 'http'
  readonly url: string
  /** If they contain `Authorization`, OAuth is not used. */
  readonly headers: Readonly<Record<string, string>>
  readonly oauth?: OAuthClient | undefined
}

/** A client that was registered manually with the authorization server. */
export interface OAuthClient {
  readonly client_id: string
  readonly client_secret?: string | undefined
  /** Space-separated scopes. If absent, the scopes that the server asks for. */
  readonly scope?: string | undefined
  /** The only authorization server that may receive the client. If absent, the first one that is used. */
  readonly issuer?: string | undefined
  /**
   * The port of `http://127.0.0.1:<port>/callback` if the registration requires one. If absent, any free
   * port.
   */
  readonly redirect_port?: number | undefined
}

/** OAuth tokens and client registration of one server: one JSON text in the secrets file. */
export interface AuthStore {
  read(): Promise<string | null>
  write(text: string | null): Promise<void>
}

/**
 * A server's name, and access to its current configuration. `config` reads secrets and the environment, and
 * throws ServerTrouble if a variable is missing. `key` changes with every change of the configuration.
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
  /** JSON Schema of an object, as the server sent it. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** The hash of the whole definition. Another hash means another tool. */
  readonly hash: Sha256
}

/** `off`: configured, but not running. */
export type ServerState = 'ready' | 'starting' | 'failing' | 'off'

export interface ServerView {
  readonly state: ServerState
  /** Sentences for the user about an error or omitted tools, or null. */
  readonly reason: string | null
  /** The address that the user must open before the server can be used, or null. */
  readonly authorize: string | null
  readonly tools: readonly ToolDefinition[]
}

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly bytes: Uint8Array; readonly mime: string; readonly name: string }
  | { readonly type: 'link'; readonly uri: string; readonly name: string; readonly text: string | null }

export interface CallResult {
  /** False if the tool itself reports a failure. */
  readonly ok: boolean
  readonly content: readonly Block[]
  readonly structured?: unknown
  /** True if a part was too large and was omitted. */
  readonly cut: boolean
}

export interface ToolServers {
  /**
   * Returns the tools from the cached listing if there is one, so that no server starts for a prompt.
   * Otherwise starts the server and waits at most `within` ms. Never rejects.
   */
  listed(id: PersonaId, server: ServerRef, withinMs: number): Promise<ServerView>
  /**
   * Rejects with ServerTrouble. `definition`: the hash of the allowed tool. If the tool has another hash now,
   * it is not called.
   */
  call(
    id: PersonaId,
    server: ServerRef,
    tool: string,
    input: unknown,
    signal: AbortSignal,
    definition?: Sha256,
  ): Promise<CallResult>
  /** Closes the connection with its pending calls, reconnects, and lists the tools again. Never rejects. */
  probe(id: PersonaId, server: ServerRef, signal: AbortSignal): Promise<ServerView>
  /** Returns the known state without a request. */
  view(id: PersonaId, server: ServerRef): ServerView
  /** For a removed or changed server. Closes its connection and deletes its listing. */
  forget(id: PersonaId, name: string): Promise<void>
  /** For a stopped or deleted persona. Closes its connections but keeps the listings. */
  forgetAll(id: PersonaId): Promise<void>
  close(): Promise<void>
}
