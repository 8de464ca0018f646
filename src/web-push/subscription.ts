/** The push subscription of a browser: the endpoint of its push service and its encryption keys. */
import { ECDH } from 'node:crypto'
import * as z from 'zod'
import { isLoopback } from '../../packages/kit/network/zone.ts'

const decodeBase64url = (text: string): Buffer => Buffer.from(text, 'base64url')

const toEncodedSchema = (length: number, description: string) =>
  z
    .string()
    .max(200)
    .refine((text) => /^[\w-]+={0,2}$/.test(text) && decodeBase64url(text).length === length, {
      error: `must be ${description} in base64url`,
    })

/** Returns true for a valid point of the curve. */
const isPoint = (text: string): boolean => {
  try {
    return ECDH.convertKey(decodeBase64url(text), 'prime256v1').length === 65
  } catch {
    return false
  }
}

/**
 * Requires HTTPS. Plain HTTP is allowed on loopback, for tests. `network/reach.ts` decides which addresses
 * may be called.
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

/** Format of `PushSubscription.toJSON()`. The endpoint is as secret as a key and is never logged. */
export const Subscription = z.object({
  endpoint: Endpoint,
  keys: z.object({
    p256dh: toEncodedSchema(65, 'a point of P-256').refine(isPoint, { error: 'must be a point of P-256' }),
    auth: toEncodedSchema(16, '16 bytes'),
  }),
})
export type Subscription = z.infer<typeof Subscription>

/** Returns the part of an endpoint that may be logged. */
export const getPushHost = (endpoint: string): string => new URL(endpoint).host
