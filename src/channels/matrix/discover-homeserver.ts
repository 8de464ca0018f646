/**
 * Finds the address of a homeserver from what a user types: an address, the name of a server, or a user id
 * (https://spec.matrix.org/v1.16/client-server-api/#server-discovery).
 */
import * as z from 'zod'
import type { Fetch, Network } from '../../../packages/kit/network/network.ts'
import { NetworkError } from '../../../packages/kit/network/network-error.ts'
import { readLimited } from '../../../packages/kit/network/read-limited.ts'
import { getZone, isNear, type Zone } from '../../../packages/kit/network/zone.ts'
import { TokenRefused } from '../../commands/bots.ts'

export interface Homeserver {
  /** Base URL without a trailing slash. */
  readonly base: string
  /** Which addresses the server may have. */
  readonly zone: Zone
}

const WellKnown = z.object({ 'm.homeserver': z.object({ base_url: z.string() }) })

/** Timeout in ms. */
const maxWaitMs = 10_000
const maxBytes = 64 * 1024
const maxRedirects = 3
/** Max characters of the typed text. */
const maxLength = 500

/** Sends no request for an address with a scheme. Throws TokenRefused. */
export const discoverHomeserver = async (
  input: string,
  network: Pick<Network, 'getNamedFetch'>,
  signal: AbortSignal,
): Promise<Homeserver> => {
  const text = input.trim()
  if (text === '') throw new TokenRefused('The address of the homeserver is missing.')
  if (text.length > maxLength) throw new TokenRefused(notAnAddress)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { base: toBase(text, notAnAddress), zone: 'machine' }
  const name = text.startsWith('@') ? text.slice(text.indexOf(':') + 1) : text
  // A name with an optional port. An IPv6 address is in brackets.
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(name) || !URL.canParse(`https://${name}`))
    throw new TokenRefused(notAnAddress)
  return findDelegated(new URL(`https://${name}`), network, signal)
}

const notAnAddress =
  'Give the address of the homeserver, such as https://matrix.example.org, or its name, such as example.org.'

/** Throws TokenRefused with `reason` if it is not a usable address. */
const toBase = (text: string, reason: string): string => {
  if (!URL.canParse(text)) throw new TokenRefused(reason)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    throw new TokenRefused(reason)
  if (url.username !== '' || url.password !== '')
    throw new TokenRefused('The address of the homeserver must not contain a user name or a password.')
  if (url.protocol === 'http:' && !isNear(url.hostname))
    throw new TokenRefused('An address that begins with http:// sends the token unencrypted. Use https://.')
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}

/** Asks the server of a name for its homeserver. Without an answer, the name itself is the homeserver. */
const findDelegated = async (
  server: URL,
  network: Pick<Network, 'getNamedFetch'>,
  signal: AbortSignal,
): Promise<Homeserver> => {
  const ownServer: Homeserver = { base: server.origin, zone: 'machine' }
  const zone = getZone(server.href)
  const body = await askWellKnown(
    server,
    { first: network.getNamedFetch('machine'), later: network.getNamedFetch(zone) },
    AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    // The request to the name itself will report what is wrong.
    if (error instanceof NetworkError || (error as Error).name === 'TimeoutError') return null
    throw error
  })
  if (body === null) return ownServer
  const invalid = `${server.host} has a /.well-known/matrix/client that names no homeserver. Give the address of the homeserver instead.`
  const answer = WellKnown.safeParse(parseJson(body))
  if (!answer.success) throw new TokenRefused(invalid)
  const base = toBase(answer.data['m.homeserver'].base_url, invalid)
  return { base, zone: base === ownServer.base ? 'machine' : zone }
}

/** Returns null if the server has no such file. Follows redirects to addresses with https:// only. */
const askWellKnown = async (
  server: URL,
  fetches: { readonly first: Fetch; readonly later: Fetch },
  signal: AbortSignal,
): Promise<Buffer | null> => {
  let url = new URL('/.well-known/matrix/client', server)
  for (let count = 0; count <= maxRedirects; count++) {
    const send = count === 0 ? fetches.first : fetches.later
    const response = await send(url.href, { redirect: 'manual', signal })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel()
      if (!URL.canParse(location, url.href)) return null
      url = new URL(location, url)
      if (url.protocol !== 'https:') return null
      continue
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      return null
    }
    return (await readLimited(response.body, maxBytes)) ?? Buffer.from('')
  }
  return null
}

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
