/** Addresses of models as people write them. */

/**
 * An organ's own address and a configured one may both end in `/v1` or a slash: what is added to it is the
 * daemon's. A query is kept.
 */
export const trimUrl = (url: string): string => {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url.trim()) ?? []
  return `${address.replace(pastedPath, '').replace(/(?<!\/)\/+(?:v1\/*)?$/, '')}${query}`
}

/** Of addresses that were copied from an example of a request. */
const pastedPath = /(?<!\/)\/+(?:chat\/completions|responses|models)\/*$/
