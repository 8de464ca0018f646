/**
 * The proxies of the environment, and which hosts are called directly. Loopback never uses a proxy. Private
 * addresses use none unless `DAIMON_PROXY_PRIVATE` lists them, because an external proxy cannot reach the
 * user's network.
 */
import { BlockList, isIP } from 'node:net'
import { isLoopback, isNear } from './zone.ts'

export interface Proxies {
  readonly httpProxy: string
  readonly httpsProxy: string
  /** Hosts and domains. Address ranges are checked here, because undici does not support them. */
  readonly noProxy: string
  /** Hosts, domains with a leading dot, addresses and ranges in CIDR form; `*` means all. */
  readonly proxiedPrivate: string
}

/** Returns undefined if the environment sets no proxy. */
export const readProxies = (env: NodeJS.ProcessEnv): Proxies | undefined => {
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

/** Returns the CIDR entries of a list. */
const ranges = (list: string): string =>
  splitList(list)
    .filter((entry) => entry.includes('/'))
    .join(',')

const splitList = (list: string): readonly string[] =>
  list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

const isListed = (host: string, list: string): boolean => {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return splitList(list).some(
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
