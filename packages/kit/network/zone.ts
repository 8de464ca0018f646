/** How near an address may be that is called, by who named it. */

/**
 * `machine`: anything, this machine included: for addresses that the user typed or the environment names.
 * `network`: anything but this machine. `internet`: public addresses only: for addresses that someone else
 * named. None of them ever includes the daemon itself.
 */
export type Zone = 'machine' | 'network' | 'internet'

/**
 * The zone of what a server at this address may name: nothing nearer than the server itself. By how the
 * address is written, as its owner decides where its name leads.
 */
export const zoneOf = (address: string | URL): Zone => {
  const { hostname } = URL.canParse(String(address)) ? new URL(address) : { hostname: '' }
  if (isLoopback(hostname)) return 'machine'
  return isNear(hostname) ? 'network' : 'internet'
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)

/** Private addresses, and names that no public server has. */
export const isNear = (host: string): boolean =>
  isLoopback(host) ||
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/.test(
    host,
  ) ||
  /^\[f([cd][0-9a-f]{2}|e[89ab][0-9a-f]):/.test(host) ||
  /\.(local|lan|internal|home\.arpa|ts\.net)$/.test(host) ||
  /^[^.:[\]]+$/.test(host)
