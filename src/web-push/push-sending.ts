/**
 * Sends a notification to a browser's push service (RFC 8030), encrypted for the browser (RFC 8291) and
 * signed with the VAPID key (RFC 8292).
 */
import { createNetwork, type NetworkDeps } from '../../packages/kit/network/network.ts'
import { NetworkError } from '../../packages/kit/network/network-error.ts'
import type { PushState } from './push-file.ts'
import type { PushWords } from './push-words.ts'
import type { Subscription } from './subscription.ts'

/**
 * `gone`: the subscription has expired. `refused`: the service will not accept this notification. `again`:
 * retry after at least `wait` ms.
 */
export type Sent =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'again'; readonly reason: string; readonly wait: number }

export interface PushSending {
  send(keys: PushState, to: Subscription, words: PushWords, signal: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** TTL in seconds: how long a push service stores a notification for a browser that is offline. */
const ttlSeconds = 24 * 60 * 60
/** Max `retry-after` in ms that is respected. */
const maxWaitMs = 60 * 60_000
/** VAPID requires a contact address. This one is a placeholder. */
const subject = 'mailto:daimon@example.com'

const limits = { firstByte: 30_000, silence: 30_000, whole: 60_000, size: 64 * 1024 }

export const createPushSending = ({ env, reach }: Pick<NetworkDeps, 'env' | 'reach'>): PushSending => {
  const network = createNetwork({ env, limits: { remote: limits }, ...(reach && { reach }) })
  // The endpoint comes from a client, so it is untrusted.
  const post = network.getNamedFetch('internet')
  return {
    send: async (keys, to, words, signal) => {
      const { method, headers, body, endpoint } = await encryptFor(keys, to, words)
      try {
        const response = await post(endpoint, { method, headers, body, signal })
        await response.body?.cancel()
        return toSent(response)
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        return error.kind === 'unreachable'
          ? { outcome: 'again', reason: error.message, wait: 0 }
          : { outcome: 'refused', reason: error.message }
      }
    },
    close: network.close,
  }
}

const encryptFor = async ({ publicKey, privateKey }: PushState, to: Subscription, words: PushWords) => {
  const { generateRequestDetails } = await loadLibrary()
  return generateRequestDetails(to, JSON.stringify(words), {
    vapidDetails: { subject, publicKey, privateKey },
    contentEncoding: 'aes128gcm',
    urgency: 'high',
    TTL: ttlSeconds,
  })
}

/** Loaded on demand. */
export const loadLibrary = async () => (await import('web-push')).default

const toSent = ({ ok, status, headers }: Response): Sent => {
  if (ok) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  const reason = `it answered with ${status}`
  if (status !== 429 && status < 500) return { outcome: 'refused', reason }
  return { outcome: 'again', reason, wait: parseRetryAfter(headers.get('retry-after')) }
}

/** Returns the `retry-after` in ms. Returns 0 for a date. */
const parseRetryAfter = (header: string | null): number =>
  header !== null && /^\d{1,9}$/.test(header) ? Math.min(Number(header) * 1000, maxWaitMs) : 0
