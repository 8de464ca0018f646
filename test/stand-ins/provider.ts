/**
 * Shared parts of the stand-ins for cloud providers: a socket, an API key, a log, and scripted responses and
 * faults.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { deliver, type Faults, faultFor, type Reply, type Troubles, wellBehaved } from './faults.ts'

export type Json = Readonly<Record<string, unknown>>

export interface HeardCall {
  readonly id: string | null
  readonly name: string
  readonly input: unknown
}
export interface HeardFile {
  readonly mime: string
  readonly name: string | null
  readonly bytes: Buffer
}
/** One received message, in a common form for all providers. */
export interface ConversationTurn {
  readonly role: 'user' | 'model' | 'tool'
  readonly text: string
  readonly calls: readonly HeardCall[]
  readonly results: readonly {
    readonly id: string | null
    readonly name: string | null
    readonly content: unknown
  }[]
  readonly files: readonly HeardFile[]
}
/** A parsed request to a model. */
export interface HeardRequest {
  readonly model: string
  readonly system: string
  readonly messages: readonly ConversationTurn[]
  readonly tools: readonly string[]
  readonly stream: boolean
  readonly body: Json
}

export interface Answer {
  readonly text?: string
  readonly thoughts?: string
  /** The model's own refusal in OpenAI's protocol, instead of a text. */
  readonly refusal?: string
  /** `input` undefined: an empty one. */
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input?: unknown }[]
  /** Images or sound. `url`: address in the response, if the protocol has one. */
  readonly files?: readonly { readonly mime: string; readonly bytes: Uint8Array; readonly url?: string }[]
  /**
   * Reason for the end, if it does not follow from text and calls. `blocked`: the prompt was refused before
   * the first word.
   */
  readonly end?: 'length' | 'filter' | 'blocked'
  /** The provider's explanation of a filter, if its protocol has one. */
  readonly explanation?: string
  /** `writtenTokens`: for protocols that report it. */
  readonly usage?: {
    readonly input: number
    readonly output: number
    readonly cached: number
    readonly writtenTokens?: number
  }
}
export type Script = (modelRequest: HeardRequest) => string | Answer | Promise<string | Answer>

export interface FormPart {
  readonly name: string
  readonly filename: string | null
  readonly mime: string | null
  readonly bytes: Buffer
}

export interface Call {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Empty if the request has none. */
  readonly body: Json
  readonly form: readonly FormPart[]
  /** All except those with the key. */
  readonly headers: IncomingHttpHeaders
  readonly key: 'right' | 'wrong' | 'none'
}

export interface LoggedRequest extends Call {
  /** The header that contained the key, in lower case. */
  readonly keyIn: string | null
  /** The key was in a wrong place: the address, another header, or the body. */
  readonly spilled: boolean
  /** null for calls that do not concern a model. */
  readonly conversation: HeardRequest | null
}

export interface StandIn {
  readonly url: string
  readonly log: readonly LoggedRequest[]
  readonly faults: Faults
  calls(path: string | RegExp): readonly LoggedRequest[]
  clearLog(): void
  /** Number of open responses. */
  open(): number
  /** Stops listening until it is back. */
  leave(): Promise<void>
  restore(): Promise<void>
  /** Replaces the valid key. */
  rekey(key: string): void
  close(): Promise<void>
}

export interface Protocol extends Troubles {
  readonly keyHeader: 'x-api-key' | 'authorization' | 'x-goog-api-key'
  /** Parses a request to a model, if it is one. */
  hear(call: Call): HeardRequest | null
  answer(call: Call, modelRequest: HeardRequest | null, url: string): Reply | Promise<Reply>
}

export interface StandInOptions {
  /** The valid key; null: none is required. */
  readonly key?: string | null
  readonly models?: readonly string[]
  readonly answer?: Script
  readonly faults?: Partial<Faults>
}

export const createStandIn = async (
  protocol: Protocol,
  { key = 'sk-right-key', faults: initialFaults }: StandInOptions,
): Promise<StandIn> => {
  const log: LoggedRequest[] = []
  const answers = new Set<ServerResponse>()
  const faults: Faults = { ...wellBehaved(), ...initialFaults }
  let right = key
  let url = ''

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    answers.add(response)
    response.on('close', () => answers.delete(response))
    const bytes = await readAll(request)
    const target = new URL(request.url ?? '/', url)
    const { ownKey, keyIn, rest } = splitKey(request.headers, protocol.keyHeader)
    const body = readJson(request, bytes)
    const call: Call = {
      method: request.method ?? 'GET',
      path: target.pathname,
      query: target.searchParams,
      body,
      form: await readForm(request, bytes),
      headers: rest,
      key: right === null || ownKey === right ? 'right' : ownKey ? 'wrong' : 'none',
    }
    const modelRequest = parseModelRequest(protocol, call)
    const isKeySpilled =
      !!ownKey && `${request.url}${JSON.stringify(rest)}${bytes.toString('latin1')}`.includes(ownKey)
    log.push({ ...call, keyIn, spilled: isKeySpilled, conversation: modelRequest })
    const fault = faultFor(faults, call.path)
    const reply = faults.absent.includes(call.path)
      ? protocol.refusal(404)
      : await protocol.answer(call, modelRequest, url)
    await deliver(response, reply, fault, faults.chunk, protocol)
  }
  // A request that is aborted while it is read needs no response.
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void serve(request, response).catch((error) => response.destroy(error))
  let server = await listenSomewhere(listener)
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`

  return {
    url,
    log,
    faults,
    calls: (path) =>
      log.filter((entry) => (typeof path === 'string' ? entry.path === path : path.test(entry.path))),
    clearLog: () => void log.splice(0),
    open: () => answers.size,
    leave: () => closeServer(server),
    restore: async () => {
      server = await listen(listener, port)
    },
    rekey: (otherId) => {
      right = otherId
    },
    close: () => closeServer(server),
  }
}

/** A request that cannot be parsed is refused by the rules. */
const parseModelRequest = (protocol: Protocol, call: Call): HeardRequest | null => {
  try {
    return protocol.hear(call)
  } catch {
    return null
  }
}

const listen = async (
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
): Promise<Server> => {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  return server
}

/** Uses a port below the ephemeral ones, so that no other process takes it while the stand-in is away. */
const listenSomewhere = async (
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> => {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return await listen(listener, 15_000 + Math.floor(Math.random() * 17_000))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('no port is free for a stand-in')
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

const keyHeaders = ['x-api-key', 'authorization', 'x-goog-api-key']

const splitKey = (headers: IncomingHttpHeaders, keyHeader: string) => {
  const rest = { ...headers }
  const ownKey = String(headers[keyHeader] ?? '').replace(/^Bearer /, '')
  if (ownKey) delete rest[keyHeader]
  const keyIn = ownKey ? keyHeader : (keyHeaders.find((name) => headers[name] !== undefined) ?? null)
  return { ownKey, keyIn, rest }
}

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const readJson = ({ headers }: IncomingMessage, bytes: Buffer): Json => {
  if (!headers['content-type']?.startsWith('application/json')) return {}
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return {}
  }
}

const readForm = async ({ headers }: IncomingMessage, bytes: Buffer): Promise<FormPart[]> => {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return []
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const part = async ([name, value]: [string, string | File]): Promise<FormPart> =>
    typeof value === 'string'
      ? { name, filename: null, mime: null, bytes: Buffer.from(value) }
      : { name, filename: value.name, mime: value.type, bytes: Buffer.from(await value.arrayBuffer()) }
  return Promise.all([...form.entries()].map(part))
}

export const getAnswer = async (script: Script | undefined, modelRequest: HeardRequest): Promise<Answer> => {
  const scripted = await (script ?? (() => 'ok'))(modelRequest)
  return typeof scripted === 'string' ? { text: scripted } : scripted
}

/** Splits a text into words with the preceding blanks. */
export const splitIntoChunks = (text: string): readonly string[] =>
  text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text ? [text] : [])

/** By default ten tokens per message and one per word. */
export const getUsage = ({ messages }: HeardRequest, { text = '', usage }: Answer) => ({
  writtenTokens: 0,
  ...(usage ?? { input: messages.length * 10, output: splitIntoChunks(text).length, cached: 0 }),
})
