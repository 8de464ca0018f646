/**
 * Finds the address of a homeserver. A user types an address with its scheme, which is used as it is, or the
 * name of a server, which delegates to an address:
 * https://spec.matrix.org/v1.16/client-server-api/#server-discovery
 */
import * as z from 'zod'
import type { Fetch, Network } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import { readLimited } from '../kit/network/read-limited.ts'
import { getZone } from '../kit/network/zone.ts'

export interface Server {
  /** Address without a slash at its end. */
  readonly base: string
  readonly fetch: Fetch
  /** The same without limits of time and size. */
  readonly download: Fetch
}

/** The address is wrong or the server could not be found. `message` is one sentence. */
export class DiscoveryError extends Error {
  override readonly name = 'DiscoveryError'
  /** Retrying does not help. */
  readonly lasting: boolean
  constructor(message: string, { lasting: isLasting }: { readonly lasting: boolean }) {
    super(message)
    this.lasting = isLasting
  }
}

export type DiscoveryNetwork = Pick<Network, 'remote' | 'download' | 'getNamedFetch'>

const WellKnown = z.object({ 'm.homeserver': z.object({ base_url: z.string() }) })
const maxBytes = 64 * 1024
const timeoutMs = 10_000

/** `input`: an address with a scheme, the name of a server, or a user id. Rejects with DiscoveryError. */
export const discoverServer = async (
  input: string,
  network: DiscoveryNetwork,
  signal: AbortSignal,
): Promise<Server> => {
  if (/^https?:\/\//i.test(input)) {
    const base = toBase(input)
    if (base === null)
      throw new DiscoveryError(`${input} is not the address of a homeserver.`, { lasting: true })
    return { base, fetch: network.remote, download: network.download }
  }
  const name = /^@[^:]*:(.+)$/.exec(input)?.[1] ?? input
  const origin = toBase(`https://${name}`)
  if (origin === null || !/^[\w.[\]:-]+$/.test(name))
    throw new DiscoveryError('This is not the name of a homeserver.', { lasting: true })
  const wellKnown = await askWellKnown(origin, network, signal)
  if (wellKnown === null) return { base: origin, fetch: network.remote, download: network.download }
  const base = toBase(wellKnown)
  if (base === null)
    throw new DiscoveryError(`${name} names no valid address of its homeserver.`, { lasting: true })
  // The server chose this address, so it may lead only to places that are not nearer than the server.
  const zone = getZone(origin)
  return {
    base,
    fetch: network.getNamedFetch(zone),
    download: network.getNamedFetch(zone, 'download'),
  }
}

/** Returns null if the server does not delegate. */
const askWellKnown = async (
  origin: string,
  { remote }: DiscoveryNetwork,
  signal: AbortSignal,
): Promise<string | null> => {
  const host = new URL(origin).host
  try {
    const response = await remote(`${origin}/.well-known/matrix/client`, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (response.status === 404) {
      await response.body?.cancel()
      return null
    }
    if (!response.ok) throw new Error()
    const text = await readLimited(response.body as unknown as AsyncIterable<Uint8Array> | null, maxBytes)
    return WellKnown.parse(JSON.parse(text?.toString() ?? ''))['m.homeserver'].base_url
  } catch (error) {
    const reason = error instanceof NetworkError ? error.message : 'its answer could not be understood'
    throw new DiscoveryError(
      `The homeserver of ${host} could not be found: ${reason}. You can give its address, which begins with https://.`,
      { lasting: false },
    )
  }
}

/** Returns null if it is not an address of HTTP without credentials. */
const toBase = (address: string): string | null => {
  if (!URL.canParse(address)) return null
  const { protocol, username, password, origin, pathname, search, hash } = new URL(address)
  if (!/^https?:$/.test(protocol) || username || password || search || hash) return null
  return `${origin}${pathname}`.replace(/\/+$/, '')
}
