/** A browser that is told while its page is closed: where its push service is, and what to seal for. */
import { ECDH } from 'node:crypto'
import * as z from 'zod'
import { isLoopback } from '../../packages/kit/network/zone.ts'

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

const encoded = (length: number, what: string) =>
  z
    .string()
    .max(200)
    .refine((text) => /^[\w-]+={0,2}$/.test(text) && bytesOf(text).length === length, {
      error: `must be ${what} in base64url`,
    })

/** The curve itself says whether a point lies on it. */
const isPoint = (text: string): boolean => {
  try {
    return ECDH.convertKey(bytesOf(text), 'prime256v1').length === 65
  } catch {
    return false
  }
}

/**
 * A push service is called over TLS; over plain HTTP only on this machine, where only tests allow one: which
 * addresses may be called is decided by `network/reach.ts`.
 */
const isEndpoint = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username || url.password) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

export const Endpoint = z
  .string()
  .max(2048)
  .refine(isEndpoint, { error: 'must be an address that begins with https://, without name and password' })

/** As `PushSubscription.toJSON()` gives it. The endpoint is as good as a key, and never logged. */
export const Subscription = z.object({
  endpoint: Endpoint,
  keys: z.object({
    p256dh: encoded(65, 'a point of P-256').refine(isPoint, { error: 'must be a point of P-256' }),
    auth: encoded(16, '16 bytes'),
  }),
})
export type Subscription = z.infer<typeof Subscription>

/** All of an endpoint that may be told. */
export const hostOf = (endpoint: string): string => new URL(endpoint).host
