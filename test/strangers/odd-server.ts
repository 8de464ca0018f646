/** A server on a real socket that answers as a row describes and records the requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import type { Provider } from '../../facts/fact-values.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import type { Mind, Prompt } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { hello, recall, think } from '../models/cloud-stage.ts'
import { providerUrls } from '../provider-urls.ts'

export interface ServerRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface ServerReply {
  /** Default: 200. */
  readonly status?: number
  /** Default: `text/event-stream`. */
  readonly type?: string
  readonly body: string
  /** The body ends when the connection closes, as in HTTP/1.0. */
  readonly unframed?: true
}

export const json = (body: object, status = 200): ServerReply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})

export interface World {
  readonly closers: (() => Promise<unknown>)[]
}

export const close = async ({ closers }: World) => {
  for (const end of closers.splice(0).reverse()) await end()
}

/** Starts a server that answers each request by `answer`. */
export const openServer = async (
  { closers }: World,
  answer: (request: ServerRequest, index: number) => ServerReply,
) => {
  const requests: ServerRequest[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: JSON.parse(Buffer.concat(pieces).toString() || '{}') })
    const {
      status = 200,
      type = 'text/event-stream',
      body,
      unframed,
    } = answer(requests.at(-1) as ServerRequest, requests.length)
    if (unframed) response.useChunkedEncodingByDefault = false
    response.writeHead(status, { 'content-type': type, ...(unframed && { connection: 'close' }) })
    response.end(body)
  }
  const server: Server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { asked: requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Creates models that are closed with the world. */
export const openModels = ({ closers }: World, getNow: () => number = Date.now): Models => {
  const urls = providerUrls()
  const models = createModels({ urls, env: {}, network: createNetwork({ env: {} }), now: getNow })
  closers.push(() => models.close())
  return models
}

export const openMind = (world: World, url: string, provider: Provider = 'openai'): Mind =>
  openModels(world).mind({ provider, model: 'm', url, apiKey: 'k' }, null)

/** The response of a server to one request, and the expected result. */
export interface Row {
  readonly what: string
  readonly provider?: Provider
  readonly answer: string | ServerReply
  readonly text?: string
  /** The queries of the expected `recall` calls. */
  readonly queries?: readonly string[]
}

export const prompt: Prompt = { ...hello, tools: [recall] }

/** Asserts that the answer is read with one request. */
export const assertReadsRow = async (
  world: World,
  { provider, answer: says, text = 'hello', queries = [] }: Row,
) => {
  const { url, asked: requests } = await openServer(world, () =>
    typeof says === 'string' ? { body: says } : says,
  )
  const answer = await think(openMind(world, url, provider), prompt)
  assert.is(answer.text, text)
  assert.equal(
    answer.calls.map(({ input }) => (input as { query: string }).query),
    queries,
  )
  assert.is(requests.length, 1)
}

/** Events of OpenAI's protocol. */
export const line = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
export const chunk = (delta: unknown, finish_reason: unknown = null) =>
  line({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
export const doneEvent = 'data: [DONE]\n\n'
export const hi = chunk({ role: 'assistant', content: 'hello' })
export const stop = chunk({}, 'stop')

/** Events of Anthropic's protocol. */
export const event = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
export const messageStart = event({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 3, output_tokens: 1 },
  },
})
export const block = (index: number, content_block: object, ...deltas: readonly object[]) =>
  [
    event({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ].join('')
export const createChunks = (index: number, text: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text })
export const messageDelta = (stop_reason: string | null) =>
  event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 2 } })
export const messageStop = event({ type: 'message_stop' })
