/** Addresses of models as people write them. */

/**
 * An organ's own address and a configured one may both end in `/v1` or a slash: what is added to it is the
 * daemon's.
 */
export const trimUrl = (url: string): string => url.replace(/(?<!\/)\/+(?:v1\/*)?$/, '')
