/**
 * Which addresses a request may reach. An address is judged when the connection is made, after its name was
 * looked up: what was judged is what is connected to, so that a name cannot change in between.
 */
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { NetworkError } from './network-error.ts'
import { isOwnAddress, isOwnName, isOwnPort } from './own-listeners.ts'
import { isPublicAddress } from './public-address.ts'
import { isLoopback, type Zone } from './zone.ts'

/** All addresses of a name. Rejects as Node's own does. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Tests put a network of their own in its place. */
export interface Reach {
  readonly resolve: Resolve
  readonly isPublic: (address: string) => boolean
}

export const usualReach: Reach = {
  resolve: (hostname) => lookup(hostname, { all: true }),
  isPublic: (address) => isPublicAddress(address) && !isOwnAddress(address),
}

/** Clauses that follow an address. */
const itself = 'it is an address of Daimon itself, which Daimon never calls'
const notPublic =
  'its address is not one of the public internet: machines at home, and this one, are not called'
const thisMachine = 'its address is one of this machine, which is not called from elsewhere'

/**
 * Why a URL may not be called; null if it may, as far as is known before its name is looked up. A connection
 * is judged again when it is made.
 */
export const refusalOf = (url: URL, zone: Zone, reach: Reach): string | null =>
  refusalOfHost(url.hostname, portOf(url), zone, reach)

/** The same, after its name was looked up. A name that cannot be looked up is not refused. */
export const lookedUpRefusal = async (url: URL, zone: Zone, reach: Reach): Promise<string | null> => {
  const refusal = refusalOf(url, zone, reach)
  if (refusal !== null || literalIn(url.hostname) !== null) return refusal
  // Only a port of its own is refused to what the user typed.
  if (zone === 'machine' && !isOwnPort(portOf(url))) return null
  const addresses = await reach.resolve(url.hostname).catch(() => [])
  return refusalOfAll(addresses, portOf(url), zone, reach)
}

export type Connector = ReturnType<typeof buildConnector>

/** `timeout`: milliseconds until a connection is made. */
export const createConnector = async (zone: Zone, reach: Reach, timeout: number): Promise<Connector> => {
  const { buildConnector } = await import('undici')
  // A lookup does not know the port that it is for.
  const byPort = new Map<number, Connector>()
  const connectorFor = (port: number): Connector => {
    const known = byPort.get(port)
    if (known) return known
    const made = buildConnector({ timeout, lookup: judgedLookup(port, zone, reach) })
    byPort.set(port, made)
    return made
  }
  return (options, done) => {
    const port = Number(options.port) || usualPort(options.protocol)
    // An address in place of a name is never looked up.
    const refusal = refusalOfHost(options.hostname, port, zone, reach)
    if (refusal !== null) return done(new NetworkError(refusal, 'barred'), null)
    connectorFor(port)(options, done)
  }
}

const judgedLookup =
  (port: number, zone: Zone, reach: Reach): LookupFunction =>
  (hostname, { all }, done) => {
    const give = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses
      if (!first) return done(new NetworkError('its name is not known'), '')
      const refusal = refusalOfAll(addresses, port, zone, reach)
      if (refusal !== null) return done(new NetworkError(refusal, 'barred'), '')
      if (all) return done(null, [...addresses])
      done(null, first.address, first.family)
    }
    reach.resolve(hostname).then(give, (error: NodeJS.ErrnoException) => done(error, ''))
  }

const refusalOfHost = (hostname: string, port: number, zone: Zone, reach: Reach): string | null => {
  const literal = literalIn(hostname)
  const name = hostname.replace(/\.$/, '')
  if (isOwnName(name) && (zone !== 'machine' || isOwnPort(port))) return itself
  if (literal !== null) return refusalOfAddress(literal, port, zone, reach)
  if (zone === 'machine') return isOwnPort(port) && isLoopback(name) ? itself : null
  return name === '' || isLoopback(name) ? notPublic : null
}

/** An address that is refused among others that are not is a trick, or a private network. */
const refusalOfAll = (
  addresses: readonly LookupAddress[],
  port: number,
  zone: Zone,
  reach: Reach,
): string | null => {
  for (const { address } of addresses) {
    const refusal = refusalOfAddress(address, port, zone, reach)
    if (refusal !== null) return refusal
  }
  return null
}

const refusalOfAddress = (
  address: string,
  port: number,
  zone: Zone,
  { isPublic }: Pick<Reach, 'isPublic'>,
): string | null => {
  if (isOwnPort(port) && isOwnAddress(address)) return itself
  switch (zone) {
    case 'machine':
      return null
    case 'network':
      return isOwnAddress(address) ? thisMachine : null
    case 'internet':
      return isPublic(address) ? null : notPublic
  }
}

/** The address that a host name is; null if it is a name. */
const literalIn = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

const portOf = ({ port, protocol }: URL): number => Number(port) || usualPort(protocol)

const usualPort = (protocol: string): number => (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)
