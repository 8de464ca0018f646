/**
 * Resolves a declared server for a connection: secrets from the secrets file, `${VAR}` from the environment.
 */
import type { Setting, ToolServer } from '../../facts/fact-values.ts'
import { judgeSecret } from '../../packages/kit/secret-judge.ts'
import type { NamedSecret, ServerConfig } from '../../packages/mcp-client/server-config.ts'
import { ServerTrouble } from '../../packages/mcp-client/trouble.ts'
import { listPieces } from '../../projections/declared-servers.ts'

interface Sources {
  /** Returns null if the secret is missing. */
  readonly secret: (ref: string) => Promise<string | null>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Throws ServerTrouble, which names the missing secret or variable. */
export const resolveServer = async (server: ToolServer, sources: Sources): Promise<ServerConfig> => {
  const secrets: NamedSecret[] = []
  const plain: string[] = []
  const expand = (text: string) => expandVariables(text, sources.env, secrets)
  const fill = async (label: string, setting: Setting): Promise<string> => {
    let result = ''
    for (const piece of listPieces(setting)) {
      const isSecret = typeof piece === 'object' && 'secret' in piece
      const raw = isSecret
        ? await sources.secret(piece.secret)
        : typeof piece === 'string'
          ? piece
          : piece.clear
      if (raw === null)
        throw new ServerTrouble(`${label} is missing in the secrets: declare the server again.`, 'config')
      const text = expand(raw)
      // A value that is stored whole may be an ordinary one, so it is not masked.
      if (isSecret && piece !== setting) secrets.push({ name: null, value: text })
      if (typeof piece === 'object' && 'clear' in piece) plain.push(text)
      result += text
    }
    return result
  }
  const fillNamed = async (
    label: string,
    all: readonly { readonly name: string; readonly value: Setting }[],
  ) => {
    const values: Record<string, string> = {}
    for (const { name, value } of all) values[name] = await fill(`Its ${label} ${name}`, value)
    return values
  }
  if (server.transport === 'stdio') {
    const { command, args, cwd, env } = server
    if (command === '') throw new ServerTrouble('Its declaration was erased: declare it again.', 'config')
    return {
      transport: 'stdio',
      command: await fill('A part of its command', command),
      args: await Promise.all(args.map((arg) => fill('An argument of it', arg))),
      cwd: cwd === null ? null : expand(cwd),
      env: await fillNamed('variable', env),
      known: { secrets, plain },
    }
  }
  const { url, query, headers, oauth } = server
  return {
    transport: 'http',
    url:
      (await fill('A part of its url', url)) +
      (query === null ? '' : `?${await fill('The query of its url', query)}`),
    headers: await fillNamed('header', headers),
    ...(oauth && {
      oauth: {
        client_id: oauth.client,
        ...(oauth.secret !== null && { client_secret: await fill('Its client secret', oauth.secret) }),
        ...(oauth.scope !== null && { scope: oauth.scope }),
        ...(oauth.issuer !== null && { issuer: oauth.issuer }),
        ...(oauth.port !== null && { redirect_port: oauth.port }),
      },
    }),
    known: { secrets, plain },
  }
}

/**
 * Expands `${VAR}` and `${VAR:-default}`, as other clients do. Adds the values to `found`, with their names.
 */
const expandVariables = (text: string, env: Sources['env'], namedSecrets: NamedSecret[]): string =>
  // Ends at the first brace, and each part of the text is scanned once.
  text.replace(/\$\{([^${}]{1,1000})\}/g, (match, expression: string) => {
    const [, name = '', fallback] = /^(?:env:)?([A-Za-z_]\w{0,200})(?::-(.*))?$/s.exec(expression) ?? []
    if (name === '') return match
    const value = env[name] ?? fallback
    if (value === undefined)
      throw new ServerTrouble(
        `The environment of the daemon has no variable ${name}, which it names.`,
        'config',
      )
    if (judgeSecret(value, name) !== 'plain') namedSecrets.push({ name, value })
    return value
  })
