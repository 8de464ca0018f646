/**
 * Sends a signed batch to a webhook as specified by Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
import { randomBytes, webcrypto } from 'node:crypto'
import { createNetwork, type NetworkDeps } from '../../packages/kit/network/network.ts'
import { NetworkError } from '../../packages/kit/network/network-error.ts'
import { type Reach, usualReach } from '../../packages/kit/network/reach.ts'
import { getZone, isLoopback, type Zone } from '../../packages/kit/network/zone.ts'
import type { Subscription } from './subscription.ts'

type Webhook = NonNullable<Subscription['webhook']>

/** `gone`: no more requests may be sent. `failed`: retry after at least `waitMs`. */
export type SendResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'gone'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly waitMs: number }

export interface WebhookRequest {
  /** Stays the same when the batch is sent again. */
  readonly id: string
  readonly body: string
  /** Epoch ms. */
  readonly now: number
}

export interface WebhookSender {
  /** Rejects only with the reason of the signal. */
  send(webhook: Webhook, request: WebhookRequest, signal: AbortSignal): Promise<SendResult>
  close(): Promise<void>
}

/** Ms and bytes. */
const limits = { firstByte: 15_000, silence: 5_000, whole: 20_000, size: 16 * 1024 }
/** Max ms of a `retry-after` that is respected. */
const maxWaitMs = 6 * 60 * 60_000
/** Ms to wait for the end of an answer, so that its connection can be used again. */
const maxDrainMs = 200

export const createWebhookSender = ({ env, reach }: Pick<NetworkDeps, 'env' | 'reach'>): WebhookSender => {
  const network = createNetwork({ env, limits: { remote: limits }, reach: withoutLoopbackNames(reach) })
  return {
    send: async (webhook, { id, body, now }, signal) => {
      const url = new URL(webhook.url)
      const seconds = Math.floor(now / 1000)
      const secrets = [
        webhook.secret,
        ...(webhook.previousSecret && webhook.previousSecret.until > now
          ? [webhook.previousSecret.secret]
          : []),
      ]
      const signedBytes = Buffer.from(`${id}.${seconds}.${body}`)
      const signatures = await Promise.all(secrets.map((secret) => sign(secret, signedBytes)))
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'daimon',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures.join(' '),
      }
      try {
        signal.throwIfAborted()
        const post = network.getNamedFetch(getTargetZone(url))
        const response = await post(url, { method: 'POST', headers, body, signal })
        const result = toResult(response, now)
        await drain(response)
        return result
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error
        return { outcome: 'failed', reason: error.message, waitMs: 0 }
      }
    },
    close: network.close,
  }
}

/** Resolves loopback names without a name server, because such targets need no permission of the user. */
const withoutLoopbackNames = (reach: Partial<Reach> = {}): Partial<Reach> => {
  const { resolve } = { ...usualReach, ...reach }
  const loopback = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  return {
    ...reach,
    resolve: async (name) => (isLoopback(name.replace(/\.$/, '')) ? loopback : resolve(name)),
  }
}

/** A listed public name must not lead to this machine or the home network. */
const getTargetZone = (url: URL): Zone => (isLoopback(url.hostname) ? 'machine' : getZone(url))

/** Returns why a webhook may not have this address, or null. `hosts`: the hosts that the user has listed. */
export const findTargetProblem = (address: string, hosts: readonly string[]): string | null => {
  if (!URL.canParse(address)) return 'it is not an address such as http://127.0.0.1:8080/facts'
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it must begin with http:// or https://'
  if (url.username || url.password) return 'it must not contain a name or a password'
  if (isLoopback(url.hostname) || hosts.includes(url.hostname.replace(/\.$/, ''))) return null
  return `the host ${url.hostname} is not on this machine: list it in DAIMON_WEBHOOK_HOSTS, and start the daemon again`
}

/** Returns a signature in the form `v1,<base64>`. */
export const sign = async (secret: string, signedBytes: Uint8Array): Promise<string> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await webcrypto.subtle.importKey('raw', decodeSecret(secret), algorithm, false, ['sign'])
  return `v1,${Buffer.from(await webcrypto.subtle.sign('HMAC', key, signedBytes)).toString('base64')}`
}

const decodeSecret = (secret: string): Buffer => Buffer.from(secret.slice('whsec_'.length), 'base64')

/** The specification allows 24 to 64 bytes. */
export const isSecret = (secret: string): boolean => {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]{20,100}={0,2})$/.exec(secret) ?? []
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64
}

const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Ms for which requests are also signed with a secret that was replaced. */
const rotationMs = 24 * 60 * 60_000

/** Keeps the stored secret if none is given. A replaced one still signs for a while. */
export const toStoredWebhook = ({
  url,
  secret: givenSecret,
  storedWebhook,
  now,
}: {
  readonly url: string
  readonly secret: string | undefined
  readonly storedWebhook: Webhook | null
  readonly now: number
}): Webhook => {
  const secret = givenSecret ?? storedWebhook?.secret ?? createSecret()
  if (!storedWebhook || storedWebhook.secret === secret)
    return { url, secret, previousSecret: storedWebhook?.previousSecret ?? null }
  return { url, secret, previousSecret: { secret: storedWebhook.secret, until: now + rotationMs } }
}

const toResult = ({ ok, status, headers }: Response, now: number): SendResult => {
  if (ok) return { outcome: 'accepted' }
  const reason = `it answered with ${status}`
  if (status === 410) return { outcome: 'gone', reason }
  return { outcome: 'failed', reason, waitMs: parseRetryAfter(headers.get('retry-after'), now) }
}

/** Returns ms: the header contains seconds or a date. */
const parseRetryAfter = (header: string | null, now: number): number => {
  if (header === null) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxWaitMs) : 0
}

/** Reads a short answer, so that its connection can be used again, and cuts off any other. Never rejects. */
const drain = async ({ body }: Response): Promise<void> => {
  const reader = body?.getReader()
  if (!reader) return
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), maxDrainMs)
  try {
    while (!(await reader.read()).done);
  } catch {
    // The status has already answered.
  } finally {
    clearTimeout(timer)
  }
}
