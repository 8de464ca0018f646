/**
 * Recognizes public internet addresses. Source: IANA's special-purpose registries for IPv4 and IPv6
 * (RFC 6890), 2025.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const reserved4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]

/**
 * Contains all assigned global addresses, and no loopback, link-local, unique-local, mapped or multicast
 * ones.
 */
const global6 = '2000::/3'
/** Exceptions: protocols and tunnels, which may lead to any IPv4 address, and documentation. */
const reserved6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const toBlockList = (ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/')
    list.addSubnet(net, Number(prefix), family)
  }
  return list
}

/** Created with the first address, because it delays the start. */
let lists: ReturnType<typeof createLists> | undefined
const createLists = () => ({
  no4: toBlockList(reserved4, 'ipv4'),
  yes6: toBlockList([global6], 'ipv6'),
  no6: toBlockList(reserved6, 'ipv6'),
})

/** `address` as returned by a resolver. Returns false if it is not an address. */
export const isPublicAddress = (address: string): boolean => {
  lists ??= createLists()
  const { no4, yes6, no6 } = lists
  if (isIPv4(address)) return !no4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return yes6.check(address, 'ipv6') && !no6.check(address, 'ipv6')
}
