/** Normalizes model addresses that users enter. */

/**
 * Removes a trailing slash, `/v1` and pasted request paths, because the daemon appends its own path. Keeps
 * the query.
 */
export const trimUrl = (url: string): string => {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url.trim()) ?? []
  return `${address.replace(pastedPath, '').replace(/(?<!\/)\/+(?:v1\/*)?$/, '')}${query}`
}

/** Returns the address without the user name, the password and the query, each of which may be a secret. */
export const toPlainAddress = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`

/** The path of a request example that a user pasted. */
const pastedPath = /(?<!\/)\/+(?:chat\/completions|responses|models)\/*$/
