/**
 * The configuration formats of apps for MCP servers. Used by the import, the page's paste box and the
 * documentation. Source: the configuration pages of the apps named in each row.
 */
import { type Fields, isObject } from '../../packages/kit/is-object.ts'
import { nameFor } from './server-name.ts'

export interface NamedEntry {
  readonly name: string
  /** The unparsed entry, of any shape. */
  readonly entry: unknown
}

export interface ConfigurationForm {
  /** The key that identifies the format, as shown in the documentation. */
  readonly key: string
  readonly apps: string
  /** Returns null if the value has another format. */
  readonly find: (value: unknown) => readonly NamedEntry[] | null
}

const getByPath = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )

/** Accepts an object of servers by name, or a list of servers with names. */
const entriesIn = (value: unknown): readonly NamedEntry[] | null => {
  if (isObject(value)) return Object.entries(value).map(([name, entry]) => ({ name, entry }))
  if (!Array.isArray(value)) return null
  return value.map((entry: unknown) => ({ name: nameFor(entry), entry }))
}

const looksLikeServer = (value: unknown): value is Fields =>
  isObject(value) && places.some((key) => Object.hasOwn(value, key))

/** Keys that specify a program to start or an address to call. */
const places = ['command', 'cmd', 'url', 'serverUrl', 'httpUrl', 'uri', 'transport']

const entriesAt =
  (...path: readonly string[]) =>
  (value: unknown) =>
    entriesIn(getByPath(value, ...path))

/** The first match is used. */
export const configurationForms: readonly ConfigurationForm[] = [
  {
    key: 'mcpServers',
    apps: 'Claude Desktop, Claude Code, Cursor, Windsurf, Cline, Gemini CLI, LM Studio; Continue (YAML list)',
    find: entriesAt('mcpServers'),
  },
  { key: 'context_servers', apps: 'Zed', find: entriesAt('context_servers') },
  { key: 'mcp_servers', apps: 'Codex (TOML)', find: entriesAt('mcp_servers') },
  { key: 'mcp.servers', apps: 'VS Code, in its settings', find: entriesAt('mcp', 'servers') },
  {
    key: 'experimental.modelContextProtocolServers',
    apps: 'Continue, older versions',
    find: entriesAt('experimental', 'modelContextProtocolServers'),
  },
  { key: 'servers', apps: 'VS Code, in mcp.json', find: entriesAt('servers') },
  { key: 'mcp', apps: 'OpenCode', find: entriesAt('mcp') },
  {
    key: 'command or url',
    apps: 'one server without a name',
    find: (value) => (looksLikeServer(value) ? [{ name: nameFor(value), entry: value }] : null),
  },
  {
    key: 'the names of the servers',
    apps: 'the inner part of a configuration',
    find: (value) =>
      isObject(value) && Object.values(value).some((entry) => looksLikeServer(entry))
        ? entriesIn(value)
        : null,
  },
]
