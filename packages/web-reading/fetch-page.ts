/** Fetches a page within limits of size and redirects. Checks the address again after each redirect. */
import { createNetwork, type Fetch } from '../kit/network/network.ts'
import { NetworkError } from '../kit/network/network-error.ts'
import type { Reach } from '../kit/network/reach.ts'
import { readLimited } from '../kit/network/read-limited.ts'
import { version } from '../kit/version.ts'
import { pageAddress } from './page-address.ts'
import { PageUnread } from './page-unread.ts'

export interface Fetched {
  readonly url: URL
  /** Media type in lowercase, with parameters. Empty if the server sends none. */
  readonly type: string
  readonly bytes: Uint8Array
}

/** A redirect to another host that the user has not allowed. */
export interface Elsewhere {
  readonly elsewhere: URL
}

interface FetchOptions {
  /** Returns true if the user has allowed the host of a redirect. */
  readonly mayFollow: (host: string) => boolean
  /** Max bytes after decompression. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Throws PageUnread, or the signal's reason. */
export const fetchPage = async (
  first: URL,
  options: FetchOptions,
  reach: Reach,
): Promise<Fetched | Elsewhere> => {
  const network = createNetwork({ env: {}, limits: { remote: bounds }, reach })
  try {
    return await follow(first, options, reach, network.getNamedFetch('internet'))
  } catch (error) {
    options.signal.throwIfAborted()
    throw error instanceof NetworkError ? new PageUnread(error.message) : error
  } finally {
    // Also ends responses that never finish.
    await network.close()
  }
}

/**
 * Milliseconds. Disables the network's timeouts, because the caller's signal limits the time and the size is
 * limited below.
 */
const noLimitMs = 2 ** 31 - 1
const bounds = { firstByte: noLimitMs, silence: noLimitMs, whole: null, size: null }

const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]

const follow = async (
  first: URL,
  options: FetchOptions,
  reach: Reach,
  fetch: Fetch,
): Promise<Fetched | Elsewhere> => {
  let url = first
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await send(url, options, fetch)
    const location = redirects.includes(response.status) ? response.headers.get('location') : null
    if (location === null) return { url, ...(await readBody(response, options)) }
    await response.body?.cancel()
    const next = pageAddress(location, url, reach)
    if (next.host !== first.host && !options.mayFollow(next.host)) return { elsewhere: next }
    url = next
  }
  throw new PageUnread(`it redirects more than ${maxRedirects} times`)
}

/** Identifies the daemon and nothing else: no cookies, no language, no referrer. */
const headers = {
  'user-agent': `Daimon/${version} (reads single pages for the person it talks with)`,
  accept: 'text/html,application/xhtml+xml,text/plain,text/markdown,application/json,application/pdf;q=0.9',
}

const send = (url: URL, { signal }: FetchOptions, fetch: Fetch): Promise<Response> =>
  fetch(url, { headers, redirect: 'manual', credentials: 'omit', referrer: '', signal })

const MiB = 1024 * 1024

const readBody = async ({ status, headers, body }: Response, { maxBytes }: FetchOptions) => {
  if (status < 200 || status > 299) {
    await body?.cancel()
    throw new PageUnread(statuses[status] ?? `it answers with status ${status}`)
  }
  const bytes = await readLimited(body, maxBytes)
  if (!bytes) throw new PageUnread(`it is larger than ${maxBytes / MiB} MiB`)
  return { type: headers.get('content-type')?.toLowerCase() ?? '', bytes }
}

const statuses: Readonly<Record<number, string>> = {
  401: 'it requires a login (status 401)',
  403: 'it is not available to programs, or not to everyone (status 403)',
  404: 'the page does not exist (status 404)',
  410: 'the page was deleted (status 410)',
  429: 'it has received too many requests (status 429)',
  451: 'it may not be shown for legal reasons (status 451)',
}
