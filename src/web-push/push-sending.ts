/**
 * One notification on its way to one browser's push service (RFC 8030), sealed for that browser (RFC 8291),
 * under this daemon's key (RFC 8292).
 */
import { createNetwork, type NetworkDeps } from '../../packages/kit/network/network.ts'
import { NetworkError } from '../../packages/kit/network/network-error.ts'
import type { Kept } from './push-file.ts'
import type { PushWords } from './push-words.ts'
import type { Subscription } from './subscription.ts'

/**
 * `gone`: the browser wants nothing any more. `refused`: this one will never be taken. `again`: it may be
 * later, in so many milliseconds at least.
 */
export type Sent =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'again'; readonly reason: string; readonly wait: number }

export interface PushSending {
  send(keys: Kept, to: Subscription, words: PushWords, signal: AbortSignal): Promise<Sent>
  close(): Promise<void>
}

/** Seconds for which a push service keeps it for a browser that is not there: what is older is history. */
const keptFor = 24 * 60 * 60
/** Milliseconds: no push service is waited for longer, whatever it asks for. */
const longestWait = 60 * 60_000
/** Push services want to know whom to write to about a sender: nobody, here. */
const subject = 'mailto:daimon@example.com'

const bounds = { firstByte: 30_000, silence: 30_000, whole: 60_000, size: 64 * 1024 }

export const createPushSending = ({ env, reach }: Pick<NetworkDeps, 'env' | 'reach'>): PushSending => {
  const network = createNetwork({ env, limits: { remote: bounds }, ...(reach && { reach }) })
  // A browser named it, or whoever speaks in the name of one.
  const post = network.named('internet')
  return {
    send: async (keys, to, words, signal) => {
      const { method, headers, body, endpoint } = await sealedFor(keys, to, words)
      try {
        const response = await post(endpoint, { method, headers, body, signal })
        await response.body?.cancel()
        return judged(response)
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

const sealedFor = async ({ publicKey, privateKey }: Kept, to: Subscription, words: PushWords) => {
  const { generateRequestDetails } = await library()
  return generateRequestDetails(to, JSON.stringify(words), {
    vapidDetails: { subject, publicKey, privateKey },
    contentEncoding: 'aes128gcm',
    urgency: 'high',
    TTL: keptFor,
  })
}

/** Loaded with the first browser. */
export const library = async () => (await import('web-push')).default

const judged = ({ ok, status, headers }: Response): Sent => {
  if (ok) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  const reason = `it answered with ${status}`
  if (status !== 429 && status < 500) return { outcome: 'refused', reason }
  return { outcome: 'again', reason, wait: waitOf(headers.get('retry-after')) }
}

/** Milliseconds. Where a date stands, it is waited for as long as for nothing. */
const waitOf = (told: string | null): number =>
  told !== null && /^\d{1,9}$/.test(told) ? Math.min(Number(told) * 1000, longestWait) : 0
