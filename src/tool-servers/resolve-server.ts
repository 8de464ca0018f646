/** A declared server as it is reached: its secrets from the secrets file, `${VAR}` from the environment. */
import type { Setting, ToolServer } from '../../journal/facts/fact-values.ts'
import type { ServerConfig } from '../mcp/client/server-config.ts'
import { ServerTrouble } from '../mcp/client/trouble.ts'

interface Sources {
  /** Null when it is gone. */
  readonly secret: (ref: string) => Promise<string | null>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** ServerTrouble, which names what is missing. */
export const resolveServer = async (server: ToolServer, sources: Sources): Promise<ServerConfig> => {
  const fill = async (what: string, setting: Setting): Promise<string> => {
    const text = typeof setting === 'string' ? setting : await sources.secret(setting.secret)
    if (text === null)
      throw new ServerTrouble(`${what} is gone from the secrets: declare the server again.`, 'config')
    return expanded(text, sources.env)
  }
  const named = async (of: string, all: readonly { readonly name: string; readonly value: Setting }[]) => {
    const filled: Record<string, string> = {}
    for (const { name, value } of all) filled[name] = await fill(`Its ${of} ${name}`, value)
    return filled
  }
  if (server.transport === 'stdio') {
    const { command, args, cwd, env } = server
    return {
      transport: 'stdio',
      command: expanded(command, sources.env),
      args: await Promise.all(args.map((arg) => fill('An argument of it', arg))),
      cwd: cwd === null ? null : expanded(cwd, sources.env),
      env: await named('variable', env),
    }
  }
  const { url, query, headers, oauth } = server
  return {
    transport: 'http',
    url: expanded(url, sources.env) + (query === null ? '' : `?${await fill('The query of its url', query)}`),
    headers: await named('header', headers),
    ...(oauth && {
      oauth: {
        client_id: oauth.client,
        ...(oauth.secret !== null && { client_secret: await fill('Its client secret', oauth.secret) }),
        ...(oauth.scope !== null && { scope: oauth.scope }),
        ...(oauth.issuer !== null && { issuer: oauth.issuer }),
        ...(oauth.port !== null && { redirect_port: oauth.port }),
      },
    }),
  }
}

/** `${VAR}` and `${VAR:-default}`, as other clients read them. */
const expanded = (text: string, env: Sources['env']): string =>
  // Up to the first brace: whatever stands between is a name, and nothing is looked through twice.
  text.replace(/\$\{([^${}]{1,1000})\}/g, (whole, inside: string) => {
    const [, name = '', otherwise] = /^(?:env:)?([A-Za-z_]\w{0,200})(?::-(.*))?$/s.exec(inside) ?? []
    if (name === '') return whole
    const value = env[name] ?? otherwise
    if (value === undefined)
      throw new ServerTrouble(
        `The environment of the daemon has no variable ${name}, which it names.`,
        'config',
      )
    return value
  })
