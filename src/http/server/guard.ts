/**
 * Decides which requests may reach the daemon. It has no authentication, so a page of another site must never
 * reach it through a browser.
 */

/**
 * A request before its body is read. `rawHeaders` is Node's list, because a header that is sent twice is an
 * attack.
 */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly rawHeaders: readonly string[]
}

/** Returns null if the request may pass, otherwise the message of the refusal. */
export type Guard = (request: Asked) => string | null

const names = { host: 4, origin: 6, 'sec-fetch-site': 14, 'sec-fetch-mode': 14, 'sec-fetch-dest': 14 }
type Watched = keyof typeof names
type WatchedHeaders = Partial<Record<Watched, string>>
const lengths = new Set(Object.values(names))

const wrongHost =
  'The Host header must be localhost, 127.0.0.1 or [::1]. Other names are allowed by DAIMON_ALLOWED_HOSTS when the daemon starts.'
const wrongSite = 'Requests from pages of other sites are not accepted.'

const readOnlyCopy = 'This is a read-only view of a copied journal. Nothing can be changed here.'

/** Checks of a journal read everything and change nothing. */
const isHarmless = (method: string, url: string): boolean =>
  method === 'GET' || method === 'HEAD' || /^\/api\/persona\/[^/]+\/verify(?:\?|$)/.test(url)

/** `allowedHosts` are names besides the loopback ones, in lower case, without a port. */
export const createGuard = (allowedHosts: readonly string[], isReadOnly = false): Guard => {
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', ...allowedHosts])

  return ({ method, url, rawHeaders }) => {
    const watchedHeaders = readWatchedHeaders(rawHeaders)
    if (!watchedHeaders) return 'A header that identifies the origin of the request was sent twice.'

    const host = watchedHeaders.host?.toLowerCase()
    if (host === undefined || !hosts.has(hostName(host)) || !isTarget(url, host)) return wrongHost

    if (
      !isOfThisSite(watchedHeaders, host) &&
      !(method === 'GET' && isPage(url) && isNavigation(watchedHeaders))
    )
      return wrongSite
    return isReadOnly && !isHarmless(method, url) ? readOnlyCopy : null
  }
}

/** Browsers send Sec-Fetch-Site, old ones send Origin. A client that sends neither is not a browser. */
const isOfThisSite = (headers: WatchedHeaders, host: string): boolean => {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined || origin.toLowerCase() === `http://${host}`
}

/** Paths under these prefixes are not pages, so links from other sites may not open them. */
const isPage = (url: string): boolean =>
  url.startsWith('/') && !/^\/+(?:api|v1|mcp|metrics)(?:[/?#]|$)/i.test(url)

/** Returns the watched headers, or undefined if one of them was sent more than once. */
const readWatchedHeaders = (rawHeaders: readonly string[]): WatchedHeaders | undefined => {
  const headers: WatchedHeaders = {}
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!lengths.has(name.length)) continue
    const key = name.toLowerCase()
    if (!isWatched(key)) continue
    if (headers[key] !== undefined) return undefined
    headers[key] = rawHeaders[i + 1] ?? ''
  }
  return headers
}

const isWatched = (name: string): name is Watched => Object.hasOwn(names, name)

/**
 * Returns the host without its port. Returns an empty string, which matches no name, if the port is invalid.
 */
const hostName = (host: string): string => {
  const [, name = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(host) ?? []
  return port === undefined || Number(port) <= 65535 ? name : ''
}

/** An absolute target takes precedence over the Host header, so it must name the same host. */
const isTarget = (url: string, host: string): boolean =>
  url.startsWith('/') ||
  url === '*' ||
  url.toLowerCase() === `http://${host}` ||
  url.toLowerCase().startsWith(`http://${host}/`)

/** A link from another site may open a page: the other site cannot read the response. */
const isNavigation = (headers: WatchedHeaders): boolean =>
  headers['sec-fetch-site'] !== undefined &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document'
