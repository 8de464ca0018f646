/**
 * One entry of the field's own `mcpServers` form, as it is pasted from elsewhere. What may be a secret goes
 * to the secrets file. Source of the form: the configuration files of MCP clients, modelcontextprotocol.io.
 */
import * as z from 'zod'
import type { Setting, ToolServer } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'

const texts = z.record(z.string().max(200), z.string().max(8192))

const variables =
  'Kept as secrets. A name in braces behind a dollar sign is read from the environment of the daemon.'

/** Other clients put more into an entry: what is not known here is left out. */
export const McpEntry = z
  .object({
    type: z.string().optional().describe('stdio, http or sse; told by the other fields where it is absent'),
    command: z.string().min(1).max(4096).optional().describe('A program to be started.'),
    args: z.array(z.string().max(8192)).max(200).optional(),
    cwd: z.string().max(4096).optional().describe('The folder it is started in; by default the home folder.'),
    env: texts.optional().describe(variables),
    url: z.string().min(1).max(4096).optional().describe('In place of a program: a Streamable HTTP address.'),
    headers: texts.optional().describe(variables),
    oauth: z
      .object({
        client_id: z.string().min(1).max(1000),
        client_secret: z.string().max(8192).optional(),
        scope: z.string().max(1000).optional(),
        issuer: z.string().max(4096).optional(),
        redirect_port: z.int().min(1).max(65535).optional(),
      })
      .optional()
      .describe('A client that is registered with the server already.'),
    disabled: z.boolean().optional(),
  })
  .meta({ id: 'ToolServerRequest' })
export type McpEntry = z.infer<typeof McpEntry>

/** Why an entry is none, or null. */
export const faultOf = ({ command, url }: McpEntry): string | null => {
  if (command === undefined && url === undefined) return 'A tool server needs a command or a url.'
  if (command !== undefined && url !== undefined) return 'A tool server has a command or a url, and not both.'
  return url === undefined ? null : addressFault(url)
}

const addressFault = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'The url of a tool server must begin with http:// or https://.'
  return url.username || url.password
    ? 'The url of a tool server must not hold a name or password; give them as headers.'
    : null
}

/** 1 to 32 characters: they stand in the names of its tools. */
export const isServerName = (name: string): boolean =>
  /^[A-Za-z0-9][\w-]{0,31}$/.test(name) && !name.includes('__')

/** What stands for a secret that is kept. */
const hidden = '***'

/**
 * `keep` resolves with the reference to a secret that is on the disk. `before`: whose secrets `***` stands
 * for.
 */
export const declared = async (
  entry: McpEntry,
  keep: (secret: string) => Promise<string>,
  before: ToolServer | undefined,
): Promise<ToolServer> => {
  const secret = async (text: string, known?: Setting | null): Promise<Setting> =>
    text === hidden && known ? known : { secret: await keep(text) }
  const named = (all: Readonly<Record<string, string>> = {}, known: NamedSettings = []) =>
    inOrder(Object.entries(all), async ([name, value]) => ({
      name,
      value: await secret(value, known.find((one) => one.name === name)?.value),
    }))
  return entry.command === undefined
    ? address(entry, { secret, named, keep }, before?.transport === 'http' ? before : undefined)
    : program(entry, entry.command, { secret, named }, before?.transport === 'stdio' ? before : undefined)
}

type NamedSettings = readonly { readonly name: string; readonly value: Setting }[]
interface Keeping {
  readonly secret: (text: string, known?: Setting | null) => Promise<Setting>
  readonly named: (all?: Readonly<Record<string, string>>, known?: NamedSettings) => Promise<NamedSettings>
}
type Of<T extends ToolServer['transport']> = Extract<ToolServer, { transport: T }>

const program = async (
  { args = [], cwd, env }: McpEntry,
  command: string,
  { secret, named }: Keeping,
  before: Of<'stdio'> | undefined,
): Promise<ToolServer> => {
  const known = secretArgs(before, args)
  const kept = await inOrder(args, async (arg, n) =>
    arg === hidden || isSecretArg(arg, args[n - 1])
      ? secret(arg, arg === hidden ? known.shift() : null)
      : arg,
  )
  return { transport: 'stdio', command, args: kept, cwd: cwd ?? null, env: await named(env, before?.env) }
}

/**
 * Those that stand for `***`, one after another: where others were added or left out, nobody knows which is
 * which.
 */
const secretArgs = (before: Of<'stdio'> | undefined, args: readonly string[]): Setting[] => {
  const kept = before?.args.filter((arg) => typeof arg !== 'string') ?? []
  const asked = args.filter((arg) => arg === hidden)
  if (asked.length > 0 && asked.length !== kept.length)
    throw new Refused({
      code: 'tool_server_invalid',
      reason: 'Arguments that were hidden have come or gone: give each of them again.',
    })
  return [...kept]
}

const address = async (
  { url = '', headers, oauth }: McpEntry,
  { secret, named, keep }: Keeping & { readonly keep: (secret: string) => Promise<string> },
  before: Of<'http'> | undefined,
): Promise<ToolServer> => {
  const place = new URL(url)
  const query = place.search.slice(1)
  place.search = ''
  const given = oauth?.client_secret
  return {
    transport: 'http',
    url: place.href,
    query: query === '' ? null : await secret(query, before?.query),
    headers: await named(headers, before?.headers),
    oauth: oauth
      ? {
          client: oauth.client_id,
          secret: given === undefined ? null : await secret(given, before?.oauth?.secret ?? undefined),
          scope: oauth.scope ?? null,
          issuer: oauth.issuer ?? null,
          port: oauth.redirect_port ?? null,
        }
      : null,
    // Tokens of another address, or of another client, are none of its own.
    tokens: before?.url === place.href && sameClient(before, oauth) ? before.tokens : await keep(''),
  }
}

const sameClient = (before: Of<'http'>, oauth: McpEntry['oauth']): boolean =>
  before.oauth?.client === oauth?.client_id

/** Some servers take their key as an argument, by itself or behind an equals sign. */
const isSecretArg = (arg: string, before: string | undefined): boolean => {
  const flag = /^--?[\w-]*(?:key|token|secret|passw|auth|credential|header)[\w-]*/i
  const [name = '', value] = arg.split(/=(.*)/s)
  if (flag.test(name) && value !== undefined && value !== '') return true
  if (before !== undefined && !before.includes('=') && flag.test(before) && !arg.startsWith('-')) return true
  return /:\/\/[^/\s]*@/.test(arg) || /^(?:sk|pk|ghp|gho|xox[bp]|glpat)[-_]/.test(arg)
}

/** One after another: each is on the disk before the next. */
const inOrder = async <T, R>(
  all: readonly T[],
  make: (one: T, n: number) => Promise<R>,
): Promise<readonly R[]> => {
  const made: R[] = []
  for (const [n, one] of all.entries()) made.push(await make(one, n))
  return made
}

/** The entry as it is shown: secrets as `***`. */
export const shownEntry = (server: ToolServer): McpEntry => {
  const shown = (setting: Setting) => (typeof setting === 'string' ? setting : hidden)
  const named = (all: readonly { readonly name: string; readonly value: Setting }[]) =>
    Object.fromEntries(all.map(({ name, value }) => [name, shown(value)]))
  if (server.transport === 'stdio') {
    const { command, args, cwd, env } = server
    return { command, args: args.map(shown), ...(cwd !== null && { cwd }), env: named(env) }
  }
  const { url, query, headers, oauth } = server
  return {
    url: query === null ? url : `${url}?${hidden}`,
    headers: named(headers),
    ...(oauth && {
      oauth: {
        client_id: oauth.client,
        ...(oauth.secret !== null && { client_secret: hidden }),
        ...(oauth.scope !== null && { scope: oauth.scope }),
        ...(oauth.issuer !== null && { issuer: oauth.issuer }),
        ...(oauth.port !== null && { redirect_port: oauth.port }),
      },
    }),
  }
}
