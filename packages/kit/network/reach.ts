/**
 * Decides which addresses a request may reach. The check runs on the resolved addresses while connecting, so
 * that DNS rebinding is not possible.
 */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { NetworkError } from './network-error.ts'
import { isOwnAddress, isOwnName, isOwnPort } from './own-listeners.ts'
import { isPublicAddress } from './public-address.ts'
import { isLoopback, type Zone } from './zone.ts'

/** Resolves all addresses of a name. Rejects like Node's `lookup`. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Replaced in tests. */
export interface Reach {
  readonly resolve: Resolve
  readonly isPublic: (address: string) => boolean
}

export const usualReach: Reach = {
  resolve: async (hostname) => {
    const { lookup } = await import('node:dns/promises')
    return lookup(hostname, { all: true })
  },
  isPublic: (address) => isPublicAddress(address) && !isOwnAddress(address),
}

/** Clauses that follow an address. */
const ownAddressReason = 'it is an address of Daimon itself, which Daimon never calls'
const notPublic =
  'its address is not one of the public internet: machines at home, and this one, are not called'
const thisMachine = 'its address belongs to this machine, which is not called from elsewhere'

/** Returns why a URL may not be called, or null. Does not resolve the name; the connector checks again. */
export const findRefusal = (url: URL, zone: Zone, reach: Reach): string | null =>
  refusalOfHost(url.hostname, getPort(url), zone, reach)

/** Does the same after resolving the name. A name that cannot be resolved is not refused. */
export const lookedUpRefusal = async (url: URL, zone: Zone, reach: Reach): Promise<string | null> => {
  const refusal = findRefusal(url, zone, reach)
  if (refusal !== null || literalIn(url.hostname) !== null) return refusal
  // Addresses from the user are refused only with one of the daemon's ports.
  if (zone === 'machine' && !isOwnPort(getPort(url))) return null
  const addresses = await reach.resolve(url.hostname).catch(() => [])
  return refusalOfAll(addresses, getPort(url), zone, reach)
}

export type Connector = ReturnType<typeof buildConnector>

/** `timeout`: connection timeout in ms. */
export const createConnector = async (zone: Zone, reach: Reach, timeout: number): Promise<Connector> => {
  const { buildConnector } = await import('undici')
  // One per port, because a lookup function does not receive the port.
  const byPort = new Map<number, Connector>()
  const connectorFor = (port: number): Connector => {
    const knownServer = byPort.get(port)
    if (knownServer) return knownServer
    const connector = buildConnector({ timeout, lookup: judgedLookup(port, zone, reach) })
    byPort.set(port, connector)
    return connector
  }
  return (options, callback) => {
    const port = Number(options.port) || usualPort(options.protocol)
    // Literal addresses are never looked up.
    const refusal = refusalOfHost(options.hostname, port, zone, reach)
    if (refusal !== null) return callback(new NetworkError(refusal, 'barred'), null)
    connectorFor(port)(options, callback)
  }
}

const judgedLookup =
  (port: number, zone: Zone, reach: Reach): LookupFunction =>
  (hostname, { all }, callback) => {
    const give = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses
      if (!first) return callback(new NetworkError('its name is not known'), '')
      const refusal = refusalOfAll(addresses, port, zone, reach)
      if (refusal !== null) return callback(new NetworkError(refusal, 'barred'), '')
      if (all) return callback(null, [...addresses])
      callback(null, first.address, first.family)
    }
    reach.resolve(hostname).then(give, (error: NodeJS.ErrnoException) => callback(error, ''))
  }

const refusalOfHost = (hostname: string, port: number, zone: Zone, reach: Reach): string | null => {
  const literal = literalIn(hostname)
  const name = hostname.replace(/\.$/, '')
  if (isOwnName(name) && (zone !== 'machine' || isOwnPort(port))) return ownAddressReason
  if (literal !== null) return refusalOfAddress(literal, port, zone, reach)
  if (zone === 'machine') return isOwnPort(port) && isLoopback(name) ? ownAddressReason : null
  return name === '' || isLoopback(name) ? notPublic : null
}

/** Refuses if one address is refused: a mix of public and private ones is an attack or a private network. */
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
  if (isOwnPort(port) && isOwnAddress(address)) return ownAddressReason
  switch (zone) {
    case 'machine':
      return null
    case 'network':
      return isOwnAddress(address) ? thisMachine : null
    case 'internet':
      return isPublic(address) ? null : notPublic
  }
}

/** Returns the host name if it is a literal address, else null. */
const literalIn = (hostname: string): string | null => {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : host
}

const getPort = ({ port, protocol }: URL): number => Number(port) || usualPort(protocol)

const usualPort = (protocol: string): number => (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)
