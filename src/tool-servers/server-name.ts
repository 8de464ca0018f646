/** Names of tool servers: validation, and a default for a server without a name. */
import { type Fields, isObject } from '../../packages/kit/is-object.ts'

/** 1 to 32 characters, because a server name is part of its tools' names. */
export const isServerName = (name: string): boolean =>
  /^[A-Za-z0-9][\w-]{0,31}$/.test(name) && !name.includes('__')

/** Makes a name from another app valid. Returns an empty string if no letter or digit is left. */
export const asServerName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[-_]+/, '')
    .slice(0, 32)

/**
 * Derives a name: `@modelcontextprotocol/server-github` gives `github`, `https://mcp.linear.app/mcp` gives
 * `linear`.
 */
export const nameFor = (entry: unknown): string => {
  if (!isObject(entry)) return 'server'
  if (typeof entry.name === 'string' && entry.name.trim() !== '') return entry.name
  const transport = isObject(entry.transport) ? entry.transport : entry
  const address = [transport.url, transport.serverUrl, transport.httpUrl, transport.uri].find(
    (address) => typeof address === 'string' && URL.canParse(address),
  )
  return asServerName(typeof address === 'string' ? hostName(address) : programName(transport)) || 'server'
}

const hostName = (address: string): string => {
  const labels = new URL(address).hostname.split('.')
  return (
    labels.findLast((label, n) => n < Math.max(labels.length - 1, 1) && !plainLabels.has(label)) ?? 'server'
  )
}

const plainLabels = new Set(['www', 'api', 'mcp', 'com', 'co'])

const programName = ({ command, args }: Fields): string => {
  const words = [command, args].flat().filter((word) => typeof word === 'string')
  const [program = '', ...rest] = words
  const isRunner = runners.has(program.replace(/^.*[/\\]|\.(?:exe|cmd)$/g, ''))
  const candidates = rest.filter((word) => /^[@\w.][\w@./:-]*$/.test(word) && !plainWords.has(word))
  const packageName = isRunner
    ? (candidates.find((word) => /mcp/i.test(word)) ??
      candidates.find((word) => word.includes('/')) ??
      candidates[0] ??
      program)
    : program
  const last = packageName.replace(/^.*[/\\]/, '')
  const version = last.slice(1).search(/[@:]/)
  return (version < 0 ? last : last.slice(0, version + 1))
    .replace(/\.(?:exe|cmd|[cm]?[jt]s|py)$/, '')
    .replace(/^(?:mcp-server|server|mcp)-|-(?:mcp-server|mcp|server)$/g, '')
}

/** Programs that run another program. */
export const runners = new Set(
  'npx bunx pnpx uvx pipx npm pnpm yarn bun deno uv node python python3 docker podman cmd sh bash'.split(' '),
)
const plainWords = new Set('run exec dlx tool x npx uvx'.split(' '))
