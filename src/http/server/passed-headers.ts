/**
 * Headers of requests that daemons of a cluster forward to each other, with the daemons that forwarded them.
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

export type Headers = OutgoingHttpHeaders

/** Lists the ids of the daemons that forwarded the request. */
export const hopsHeader = 'daimon-passed-on'

export const parseHops = (headers: IncomingHttpHeaders): readonly string[] =>
  String(headers[hopsHeader] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)

export const formatHops = (headers: IncomingHttpHeaders, self: string): string =>
  [...parseHops(headers), self].join(', ')

/** Headers that apply to one connection only. */
const connectionHeaders = [
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
 * Headers that are not forwarded. This daemon's guard already checked the first group, which would name
 * another address there. No daemon reads the second group: credentials of an operator's proxy stay with that
 * proxy.
 */
const localHeaders = [
  ...['host', 'origin', 'referer', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user'],
  ...['expect', 'authorization', 'proxy-authorization', 'cookie', hopsHeader],
]

export const responseHeaders = (headers: IncomingHttpHeaders): Headers =>
  removeHeaders(headers, connectionHeaders)
export const forwardedHeaders = (headers: IncomingHttpHeaders): Headers =>
  removeHeaders(headers, [...connectionHeaders, ...localHeaders])

const removeHeaders = (headers: IncomingHttpHeaders, names: readonly string[]): Headers => {
  const connectionHeader = String(headers.connection ?? '').toLowerCase()
  const droppedNames = new Set([...names, ...connectionHeader.split(',').map((name) => name.trim())])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !droppedNames.has(name)))
}

/** A body of unknown length is sent in chunks. Without a body no header is set. */
export const lengthHeaders = ({ headers }: IncomingMessage): Headers =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
