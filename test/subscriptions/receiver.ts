/** A receiver of webhooks with configurable answers, and a check of signatures by Standard Webhooks. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from '../calls.ts'

export interface ReceivedFact {
  readonly seq: number
  readonly type: string
  readonly hash: string
  readonly payload: unknown
  readonly erased?: true
}

export interface ReceivedBatch {
  readonly id: string
  readonly timestamp: string
  readonly signatures: readonly string[]
  readonly text: string
  readonly data: {
    readonly subscription: string
    readonly persona_id: string
    readonly after: number
    readonly upto: number
    readonly facts: readonly ReceivedFact[]
  }
}

/** Status and headers, or a function that writes the response. */
export type Answer =
  | readonly [status: number, headers?: Readonly<Record<string, string>>]
  | ((response: ServerResponse) => void)

export interface Receiver {
  readonly port: number
  readonly url: string
  /** All requests, also those that were not accepted. */
  readonly requests: readonly ReceivedBatch[]
  /** Requests that were answered with 2xx. */
  readonly accepted: readonly ReceivedBatch[]
  /** The next answers. 204 after the last, or `usual`. */
  readonly answers: Answer[]
  usual: Answer
  /** Ms until a request is answered. A request whose sender is gone by then is not accepted. */
  delayMs: number
  /** Facts that were accepted from a persona, in order of arrival. */
  facts(id: string): readonly ReceivedFact[]
  close(): Promise<void>
}

export const openReceiver = async (host = '127.0.0.1', port = 0): Promise<Receiver> => {
  const requests: ReceivedBatch[] = []
  const acceptedBatches: ReceivedBatch[] = []
  const answers: Answer[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const batch: ReceivedBatch = {
      id: String(request.headers['webhook-id']),
      timestamp: String(request.headers['webhook-timestamp']),
      signatures: String(request.headers['webhook-signature']).split(' '),
      text,
      data: JSON.parse(text).data,
    }
    requests.push(batch)
    if (receiver.delayMs > 0) await pause(receiver.delayMs)
    if (response.destroyed) return
    const answer = answers.shift() ?? receiver.usual
    if (typeof answer === 'function') return answer(response)
    const [status, headers = {}] = answer
    if (status < 300) acceptedBatches.push(batch)
    response.writeHead(status, headers).end()
  }
  const server = createServer(
    (request, response) => void take(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const { port: actualPort } = server.address() as AddressInfo
  const receiver: Receiver = {
    port: actualPort,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/facts`,
    requests,
    accepted: acceptedBatches,
    answers,
    usual: [204],
    delayMs: 0,
    facts: (id) =>
      acceptedBatches.filter(({ data }) => data.persona_id === id).flatMap(({ data }) => data.facts),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** Computed independently of the daemon's code. */
export const isSignedWith = (secret: string, { id, timestamp, signatures, text }: ReceivedBatch): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return signatures.includes(`v1,${signature}`)
}
