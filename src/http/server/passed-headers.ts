/** The headers of what is passed on between daemons of a cluster, and which of them it has come through. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

export type Headers = OutgoingHttpHeaders

/** The daemons that a request has come through, each by its id. */
export const passed = 'daimon-passed-on'

export const hopsIn = (headers: IncomingHttpHeaders): readonly string[] =>
  String(headers[passed] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)

export const hopsOf = (headers: IncomingHttpHeaders, self: string): string =>
  [...hopsIn(headers), self].join(', ')

/** Of one connection alone. */
const ofConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]
/**
 * Looked at by this daemon's own guard already, and of another address there; and what no daemon reads: what
 * an operator's proxy asks for stays with that proxy.
 */
const ofThisOne = [
  ...['host', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'],
  ...['expect', 'authorization', 'proxy-authorization', 'cookie', passed],
]

export const withoutHops = (headers: IncomingHttpHeaders): Headers => without(headers, ofConnection)
export const passedOn = (headers: IncomingHttpHeaders): Headers =>
  without(headers, [...ofConnection, ...ofThisOne])

const without = (headers: IncomingHttpHeaders, names: readonly string[]): Headers => {
  const named = String(headers.connection ?? '').toLowerCase()
  const dropped = new Set([...names, ...named.split(',').map((name) => name.trim())])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)))
}

/** A body of unknown length is sent in chunks; without one, none is announced. */
export const lengthOf = ({ headers }: IncomingMessage): Headers =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
