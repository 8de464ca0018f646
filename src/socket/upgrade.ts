/** Parses upgrade requests and rejects invalid ones. */
import type { Duplex } from 'node:stream'
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'

/** `after` null: no backfill. */
export type Place =
  | { readonly to: 'system' }
  | { readonly to: 'persona'; readonly id: PersonaId; readonly after: Seq | 0 | null }

/** Null for an unknown path. An invalid `after` is ignored. */
export const placeOf = (url: string): Place | null => {
  const [path = '', ...query] = url.split('?')
  const id = decoded(/^\/ws\/([^/]+)$/.exec(path)?.[1])
  if (id === null) return null
  if (id === 'system') return { to: 'system' }
  const after = new URLSearchParams(query.join('?')).get('after')
  return { to: 'persona', id, after: after !== null && /^\d{1,15}$/.test(after) ? Number(after) : null }
}

const decoded = (part: string | undefined): string | null => {
  try {
    return part === undefined ? null : decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Writes an error response like all others, without a response object. */
export const refuse = (socket: Duplex, status: string, detail: string): void => {
  const body = JSON.stringify({ detail })
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Cross-Origin-Resource-Policy: same-origin',
    'Cross-Origin-Opener-Policy: same-origin',
    'Referrer-Policy: no-referrer',
    'X-Frame-Options: DENY',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
