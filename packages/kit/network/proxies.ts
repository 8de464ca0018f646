/**
 * The proxies that the environment names, and which hosts are called without one. Loopback is never
 * proxied. Private addresses are not, unless `DAIMON_PROXY_PRIVATE` lists them: a proxy outside cannot
 * reach a model in the user's own network.
 */
import { BlockList, isIP } from 'node:net'
import { isLoopback, isNear } from './zone.ts'

export interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  /** Hosts and domains. Ranges of addresses are checked here: undici knows none. */
  readonly noProxy: string
  /** Hosts, domains with a leading dot, addresses and ranges in CIDR form; `*` means all. */
  readonly proxiedPrivate: string
}

/** Returns undefined when the environment names no proxy. */
export const proxiesOf = (env: NodeJS.ProcessEnv): Proxies | undefined => {
  const httpProxy = env.http_proxy || env.HTTP_PROXY || ''
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY || ''
  if (!httpProxy && !httpsProxy) return undefined
  const noProxy = env.no_proxy || env.NO_PROXY || ''
  return { httpProxy, httpsProxy, noProxy, proxiedPrivate: env.DAIMON_PROXY_PRIVATE || '' }
}

export const staysDirect = (host: string, { noProxy, proxiedPrivate }: Proxies): boolean => {
  if (isLoopback(host)) return true
  if (isNear(host) && !isListed(host, proxiedPrivate)) return true
  return isListed(host, ranges(noProxy))
}

/** Of a list, the entries in CIDR form. */
const ranges = (list: string): string =>
  entriesOf(list)
    .filter((entry) => entry.includes('/'))
    .join(',')

const entriesOf = (list: string): readonly string[] =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

const isListed = (host: string, list: string): boolean => {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return entriesOf(list).some(
    (entry) =>
      entry === '*' ||
      entry === name ||
      (entry.startsWith('.') && name.endsWith(entry)) ||
      (entry.includes('/') && isInRange(name, entry)),
  )
}

const isInRange = (address: string, range: string): boolean => {
  const [net = '', bits = ''] = range.split('/')
  const family = isIP(net)
  if (family === 0 || family !== isIP(address) || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const name = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(net, Number(bits), name)
  return list.check(address, name)
}
