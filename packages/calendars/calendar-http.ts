/**
 * Requests to servers of calendars. The user chose the address, so it may be on this machine or at home. A
 * redirect to another host may only lead to the public internet, and gets no password.
 */
import type { Network } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import { readLimited } from '../kit/network/read-limited.ts'
import { version } from '../kit/version.ts'
import { CalendarFailed } from './calendar-failed.ts'
import { maxCalendarBytes } from './calendar-limits.ts'

export interface Login {
  readonly user: string
  readonly password: string
}

export interface CalendarRequest {
  readonly url: URL
  readonly method: 'GET' | 'PROPFIND' | 'REPORT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly login: Login | null
  readonly signal: AbortSignal
  /** Default: `maxCalendarBytes`. */
  readonly maxBytes?: number
}

export interface CalendarResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  /** The address after all redirects. */
  readonly url: URL
}

export type CalendarNetwork = Pick<Network, 'remote' | 'getNamedFetch'>

const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]
const MiB = 1024 * 1024

/** Throws CalendarFailed, or the signal's reason. Accepts 304 besides the statuses of success. */
export const requestCalendar = async (
  network: CalendarNetwork,
  request: CalendarRequest,
): Promise<CalendarResponse> => {
  try {
    return await follow(network, request)
  } catch (error) {
    request.signal.throwIfAborted()
    throw error instanceof NetworkError ? new CalendarFailed('unreachable', error.message) : error
  }
}

const follow = async (network: CalendarNetwork, request: CalendarRequest): Promise<CalendarResponse> => {
  let { url } = request
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const isOwn = isSamePlace(request.url, url)
    const response = await (isOwn ? network.remote : network.getNamedFetch('internet'))(
      url,
      toInit(request, isOwn),
    )
    const location = redirects.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return readResponse(response, url, request)
    await response.body?.cancel()
    url = toNext(location, url, request)
  }
  throw new CalendarFailed('moved', `it redirects more than ${maxRedirects} times`)
}

const toInit = ({ method, headers, body, login, signal }: CalendarRequest, isOwn: boolean): RequestInit => ({
  method,
  headers: {
    'user-agent': `Daimon/${version} (reads calendars that its user subscribed to)`,
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/xml; charset=utf-8' }),
    ...(login && isOwn && { authorization: toAuthorization(login) }),
  },
  ...(body !== undefined && { body }),
  redirect: 'manual',
  credentials: 'omit',
  referrer: '',
  signal,
})

const toAuthorization = ({ user, password }: Login): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Throws CalendarFailed if the redirect is not followed. */
const toNext = (location: string, from: URL, { url: first, login, method }: CalendarRequest): URL => {
  if (!URL.canParse(location, from.href))
    throw new CalendarFailed('moved', 'it redirects to a damaged address')
  const next = new URL(location, from)
  next.hash = ''
  if (!/^https?:$/.test(next.protocol) || next.username !== '' || next.password !== '')
    throw new CalendarFailed('moved', 'it redirects to an address that is not followed')
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new CalendarFailed('moved', 'it redirects from https to http, which is not followed')
  if (!isSamePlace(first, next) && (login || method !== 'GET'))
    throw new CalendarFailed(
      'moved',
      `it redirects to ${next.host}, which does not get your password; use that address if you trust it`,
    )
  return next
}

/** Hosts that a provider divides its users between, and the address that the user enters. */
const dividedHosts: Readonly<Record<string, RegExp>> = {
  'caldav.icloud.com': /^p\d{1,4}-caldav\.icloud\.com$/,
}

/** Returns whether an address may get the login for another: the same origin, or its https. */
export const isSamePlace = (first: URL, second: URL): boolean => {
  if (first.origin === second.origin) return true
  if (second.protocol !== 'https:' || second.port !== '' || first.port !== '') return false
  return first.hostname === second.hostname || (dividedHosts[first.hostname]?.test(second.hostname) ?? false)
}

const readResponse = async (
  response: Response,
  url: URL,
  { maxBytes = maxCalendarBytes, login }: CalendarRequest,
): Promise<CalendarResponse> => {
  const { status, headers, body } = response
  if (status !== 304 && (status < 200 || status > 299)) {
    await body?.cancel()
    throw toFailure(status, login !== null)
  }
  const bytes = await readLimited(body, maxBytes)
  if (!bytes) throw new CalendarFailed('answer', `it is larger than ${maxBytes / MiB} MiB`)
  return { status, headers, bytes, url }
}

const toFailure = (status: number, hasLogin: boolean): CalendarFailed => {
  switch (status) {
    case 401:
      return new CalendarFailed(
        'login',
        hasLogin
          ? 'the server refuses the user name or the password (status 401)'
          : 'the server asks for a user name and a password (status 401)',
      )
    case 403:
      return new CalendarFailed('login', 'the server does not allow this (status 403)')
    case 404:
    case 410:
      return new CalendarFailed('moved', `the server has no calendar at this address (status ${status})`)
    case 429:
      return new CalendarFailed('unreachable', 'the server received too many requests (status 429)')
    default:
      return new CalendarFailed('unreachable', `the server answers with status ${status}`)
  }
}
