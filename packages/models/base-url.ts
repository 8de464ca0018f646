/** Normalizes model addresses that users enter. */

/**
 * Removes a trailing slash, `/v1` and pasted request paths, because the daemon appends its own path. Keeps
 * the query.
 */
export const trimUrl = (url: string): string => {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url.trim()) ?? []
  return `${address.replace(pastedPath, '').replace(/(?<!\/)\/+(?:v1\/*)?$/, '')}${query}`
}

/** The path of a request example that a user pasted. */
const pastedPath = /(?<!\/)\/+(?:chat\/completions|responses|models)\/*$/
