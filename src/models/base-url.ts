/** Addresses of models as people write them. */

/**
 * An organ's own address and a configured one may both end in `/v1` or a slash: what is added to it is the
 * daemon's.
 */
export const trimUrl = (url: string): string =>
  url.replace(pastedPath, '').replace(/(?<!\/)\/+(?:v1\/*)?$/, '')

/** Of addresses that were copied from an example of a request. */
const pastedPath = /(?<!\/)\/+(?:chat\/completions|responses|models)\/*$/
