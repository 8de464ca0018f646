/** Converts the entry of one server from an app's format to the `mcpServers` format. */
import { type Fields, isObject } from '../../packages/kit/is-object.ts'
import { findFault, McpEntry } from './mcp-entry.ts'
import { runners } from './server-name.ts'

/** A fault in one entry. The message is a sentence for the user. */
export class EntryFault extends Error {
  override readonly name = 'EntryFault'
}

/** Throws EntryFault. */
export const readEntry = (input: unknown): McpEntry => {
  const fields = typeof input === 'string' && URL.canParse(input) ? { url: input } : input
  if (!isObject(fields)) throw new EntryFault('A server is an object with a command or a url.')
  const raw = isObject(fields.transport) ? { ...fields, ...fields.transport } : fields
  checkTransport(raw)
  const parsedEntry = McpEntry.safeParse(
    compact({
      type: typeof raw.type === 'string' ? raw.type : undefined,
      ...readProgram(raw),
      cwd: raw.cwd ?? undefined,
      env: readTexts('env', raw.env ?? raw.environment ?? raw.envs, toReferences('env_vars', raw.env_vars)),
      url: raw.httpUrl ?? raw.serverUrl ?? raw.url ?? raw.uri ?? undefined,
      headers: readHeaders(raw),
      oauth: readOAuth(raw.oauth),
      disabled: raw.disabled === true || raw.enabled === false ? true : undefined,
      secret_values: raw.secret_values,
      plain_values: raw.plain_values,
    }),
  )
  if (!parsedEntry.success) {
    const [{ path = [], message = '' } = {}] = parsedEntry.error.issues
    throw new EntryFault(`${path.join('.')}: ${message}.`)
  }
  const fault = parsedEntry.data.disabled ? null : findFault(parsedEntry.data)
  if (fault !== null) throw new EntryFault(fault)
  return parsedEntry.data
}

const transports = new Set(['stdio', 'local', 'custom', 'http', 'streamablehttp', 'remote', 'sse'])

const checkTransport = (raw: Fields): void => {
  const kind = raw.type ?? (typeof raw.transport === 'string' ? raw.transport : undefined)
  if (typeof kind === 'string' && !transports.has(kind.toLowerCase().replace(/[-_ ]/g, '')))
    throw new EntryFault(
      `The type ${JSON.stringify(kind.slice(0, 40))} is not supported: use stdio, http or sse.`,
    )
  if (raw.envFile !== undefined) throw new EntryFault('An envFile is not read: write its variables into env.')
  if (raw.oauth !== undefined && raw.oauth !== null && !['object', 'boolean'].includes(typeof raw.oauth))
    throw new EntryFault('oauth must be an object with a client_id.')
}

const readProgram = ({ command, cmd, args }: Fields): Fields => {
  // Older versions of Zed put the whole program under `command`.
  if (isObject(command))
    return { command: command.path ?? command.command, args: readList('args', command.args ?? args) }
  const words = readList('args', args)
  const program = command ?? cmd
  if (Array.isArray(program)) {
    const [first, ...rest] = readList('command', program) ?? []
    return { command: first, args: [...rest, ...(words ?? [])] }
  }
  if (typeof program !== 'string') return { command: program ?? undefined, args: words }
  const [first = '', ...rest] = program.trim().split(/\s+/)
  // A whole command line in place of the program. Otherwise the spaces are part of a path.
  const isLine = rest.length > 0 && words === undefined && runners.has(first)
  return isLine ? { command: first, args: rest } : { command: program, args: words }
}

const readList = (field: string, value: unknown): readonly string[] | undefined => {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw new EntryFault(`${field} must be a list of words.`)
  return value.map((word) => readText(field, word))
}

const readTexts = (
  field: string,
  values: unknown,
  defaults: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined => {
  if (values === undefined || values === null) return Object.keys(defaults).length > 0 ? defaults : undefined
  if (!isObject(values)) throw new EntryFault(`${field} must be an object of names and values.`)
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, readText(`${field} ${name}`, value)] as const],
  )
  return { ...defaults, ...Object.fromEntries(entries) }
}

const readText = (field: string, value: unknown): string => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new EntryFault(`${field} must hold text.`)
}

/** Variables that are passed to the server under the same names. */
const toReferences = (field: string, names: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries((readList(field, names) ?? []).map((name) => [name, reference(name)]))

const readHeaders = (raw: Fields) => {
  const options = isObject(raw.requestOptions) ? raw.requestOptions : {}
  const fromVariables = readTexts('env_http_headers', raw.env_http_headers) ?? {}
  const { bearer_token_env_var: token } = raw
  return readTexts('headers', raw.headers ?? raw.http_headers ?? options.headers, {
    ...Object.fromEntries(
      Object.entries(fromVariables).map(([name, variable]) => [name, reference(variable)]),
    ),
    ...(typeof token === 'string' && { Authorization: `Bearer ${reference(token)}` }),
  })
}

const readOAuth = (input: unknown): Fields | undefined => {
  if (!isObject(input)) return undefined
  const client = input.client_id ?? input.clientId
  if (client === undefined) return undefined
  const { scopes } = input
  return compact({
    client_id: client,
    client_secret: input.client_secret ?? input.clientSecret,
    scope: input.scope ?? (Array.isArray(scopes) ? scopes.join(' ') : scopes),
    issuer: input.issuer,
    redirect_port: input.redirect_port ?? input.callbackPort,
  })
}

/** The syntax for an environment variable of the daemon: `${NAME}`. */
export const reference = (variable: string): string => ['$', '{', variable, '}'].join('')

const compact = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))
