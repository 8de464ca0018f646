/**
 * A push service and the browser behind it, as specified by the RFCs: accepts data encrypted for the browser
 * (RFC 8291) from the owner of the key it subscribed with (RFC 8292), and decrypts it independently.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PushedMessage {
  readonly browser: string
  readonly ttl: string
  readonly urgency: string
  /** As the browser reads it. */
  readonly payload: unknown
}

export interface PushBrowser {
  readonly name: string
  /** The result of `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string
    readonly keys: { readonly p256dh: string; readonly auth: string }
  }
}

/** Lets a daemon treat this machine as the public internet, because the stand-in runs here. */
export const pushReach = { isPublic: () => true }

export interface PushService {
  readonly url: string
  /** Received messages, oldest first. */
  readonly pushedMessages: readonly PushedMessage[]
  /** Number of requests of any kind. */
  readonly getRequestCount: () => number
  /** Statuses and headers of the next responses; 201 after the last. */
  readonly answers: (readonly [status: number, headers?: Readonly<Record<string, string>>])[]
  /** Errors in requests, which got a 400. */
  readonly wrong: readonly string[]
  /** Creates another browser. `key`: the key it subscribes with, in base64url. */
  browser(key: string): PushBrowser
  close(): Promise<void>
}

interface Subscription {
  readonly ecdh: ReturnType<typeof createECDH>
  readonly auth: Buffer
  readonly key: string
}

export const openPushService = async (): Promise<PushService> => {
  const subscriptions = new Map<string, Subscription>()
  const messages: PushedMessage[] = []
  const answers: PushService['answers'] = []
  const wrong: string[] = []
  let requestCount = 0

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    requestCount += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [status, headers = {}] = answers.shift() ?? [201]
    const name = request.url?.split('/').at(-1) ?? ''
    try {
      const browser = subscriptions.get(name)
      if (!browser || request.method !== 'POST') throw new Error('no such browser')
      checkSender(request.headers.authorization ?? '', origin(), browser.key)
      if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('another encoding')
      const body = Buffer.concat(chunks)
      if (body.length > 4096) throw new Error(`${body.length} bytes`)
      const payload = JSON.parse(decrypt(body, browser))
      const { ttl = '', urgency = '' } = request.headers
      if (status < 300)
        messages.push({ browser: name, ttl: String(ttl), urgency: String(urgency), payload: payload })
      response.writeHead(status, headers).end()
    } catch (error) {
      wrong.push(String(error))
      response.writeHead(400).end()
    }
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url: origin(),
    pushedMessages: messages,
    answers,
    wrong,
    getRequestCount: () => requestCount,
    browser: (key) => {
      const ecdh = createECDH('prime256v1')
      const p256dh = ecdh.generateKeys().toString('base64url')
      const auth = randomBytes(16)
      const name = `secret-${randomBytes(12).toString('hex')}`
      subscriptions.set(name, { ecdh, auth, key })
      const keys = { p256dh, auth: auth.toString('base64url') }
      return { name, subscription: { endpoint: `${origin()}/push/${name}`, keys } }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** RFC 8292: an ES256 token for this service, signed with the key that the browser subscribed with. */
const checkSender = (authorization: string, audience: string, key: string) => {
  const [, token = '', senderKey] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (senderKey !== key) throw new Error('another sender than the one it subscribed with')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(point, 1), y: coordinate(point, 33) }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const signedBytes = Buffer.from(`${head}.${claims}`)
  const signOptions = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', signedBytes, signOptions, Buffer.from(signature, 'base64url')))
    throw new Error('an invalid signature')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const secondsLeft = exp - Date.now() / 1000
  if (aud !== audience) throw new Error(`a token for ${aud}`)
  if (!(secondsLeft > 0 && secondsLeft <= 24 * 60 * 60)) throw new Error(`a token for ${secondsLeft} seconds`)
  if (!/^(mailto:|https:)/.test(sub)) throw new Error(`no contact address: ${sub}`)
}

const coordinate = (point: Buffer, offset: number) =>
  point.subarray(offset, offset + 32).toString('base64url')

/** RFC 8188 in one record, with the key of RFC 8291. */
const decrypt = (body: Buffer, { ecdh, auth }: Subscription): string => {
  const salt = body.subarray(0, 16)
  const size = body[20] ?? 0
  const sender = body.subarray(21, 21 + size)
  const encrypted = body.subarray(21 + size)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const ikm = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${purpose}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(encrypted.subarray(-16))
  const paddedText = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()])
  const end = paddedText.lastIndexOf(2)
  if (end < 0) throw new Error('no last record')
  return paddedText.subarray(0, end).toString()
}
