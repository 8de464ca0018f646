/**
 * The ports that this process listens on and the daemon's host names. Module state, because ports belong to
 * the process and every request must know them.
 */
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

interface OwnListener {
  readonly port: number
  /** Host names in lower case, in addition to those of loopback. */
  readonly names?: readonly string[]
}

const listeners = new Set<OwnListener>()

/** Adds a listener and returns a function that removes it. */
export const addOwnListener = (listener: OwnListener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isOwnPort = (port: number): boolean => [...listeners].some((listener) => listener.port === port)

/** `hostname` as in `URL`, without a trailing dot. */
export const isOwnName = (hostname: string): boolean =>
  [...listeners].some(({ names = [] }) => names.includes(hostname))

/** Loopback, the unspecified address (which leads to loopback), and IPv4 in IPv6 form. */
const fixedRanges = [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['::', 96, 'ipv6'],
] as const

/**
 * Returns whether the address belongs to this machine: loopback, or a current address of a network interface.
 * A rule for IPv4 also applies to `::ffff:a.b.c.d`.
 */
export const isOwnAddress = (address: string): boolean => {
  const ownAddresses = new BlockList()
  for (const [net, prefix, family] of fixedRanges) ownAddresses.addSubnet(net, prefix, family)
  for (const { address: card } of Object.values(networkInterfaces()).flatMap((cards) => cards ?? []))
    ownAddresses.addAddress(withoutScope(card), isIPv6(card) ? 'ipv6' : 'ipv4')
  return ownAddresses.check(withoutScope(address), isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Turns `fe80::1%eth0` into `fe80::1`. */
const withoutScope = (address: string): string => address.split('%')[0] ?? ''
