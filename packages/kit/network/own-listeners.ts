/**
 * The ports that this process listens on, and the names that the daemon answers to. One list for the whole
 * process, as a port belongs to the process: no request can be made that does not know it.
 */
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

interface OwnListener {
  readonly port: number
  /** Host names in lower case, beside those of loopback. */
  readonly names?: readonly string[]
}

const listeners = new Set<OwnListener>()

/** Returns a function that removes it again. */
export const addOwnListener = (listener: OwnListener): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isOwnPort = (port: number): boolean => [...listeners].some((one) => one.port === port)

/** `hostname` as `URL` writes it, without a dot at its end. */
export const isOwnName = (hostname: string): boolean =>
  [...listeners].some(({ names = [] }) => names.includes(hostname))

/** Loopback, the unspecified address, which leads to loopback, and IPv4 written as IPv6. */
const always = [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['::', 96, 'ipv6'],
] as const

/**
 * Whether an address is one of this machine: loopback, or of a network card as the cards are now. A rule for
 * IPv4 also holds for the same address as `::ffff:a.b.c.d`.
 */
export const isOwnAddress = (address: string): boolean => {
  const own = new BlockList()
  for (const [net, prefix, family] of always) own.addSubnet(net, prefix, family)
  for (const { address: card } of Object.values(networkInterfaces()).flatMap((cards) => cards ?? []))
    own.addAddress(withoutScope(card), isIPv6(card) ? 'ipv6' : 'ipv4')
  return own.check(withoutScope(address), isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** `fe80::1%eth0` is `fe80::1`. */
const withoutScope = (address: string): string => address.split('%')[0] ?? ''
