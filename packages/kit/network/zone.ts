/** Zones: which addresses a request may reach, depending on the source of its URL. */

/**
 * `machine`: all addresses, including this machine; for URLs from the user or the environment. `network`: all
 * except this machine. `internet`: public addresses only; for URLs from others. No zone includes the daemon
 * itself.
 */
export type Zone = 'machine' | 'network' | 'internet'

/**
 * Returns the zone for URLs that a server at this address names: nothing nearer than the server itself. Only
 * the written address counts, because the owner of a name decides where it leads.
 */
export const getZone = (address: string | URL): Zone => {
  const { hostname } = URL.canParse(String(address)) ? new URL(address) : { hostname: '' }
  if (isLoopback(hostname)) return 'machine'
  return isNear(hostname) ? 'network' : 'internet'
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.[\d.]+$/.test(host)

/** Returns whether the host is a private address or a name that no public server has. */
export const isNear = (host: string): boolean =>
  isLoopback(host) ||
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/.test(
    host,
  ) ||
  /^\[f([cd][0-9a-f]{2}|e[89ab][0-9a-f]):/.test(host) ||
  /\.(local|lan|internal|home\.arpa|ts\.net)$/.test(host) ||
  /^[^.:[\]]+$/.test(host)
