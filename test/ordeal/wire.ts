/** A client that writes raw bytes and parses the received bytes as HTTP responses. */
import { connect, type Socket } from 'node:net'
import { isWhole } from '../ordeal.ts'

export interface Answer {
  readonly status: number
  /** By lower-case name; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Outcome {
  /** All final responses; after a 101 only that one. */
  readonly answers: readonly Answer[]
  /** Bytes after a 101, or bytes that are no response. */
  readonly unparsed: Buffer
  /** `left`: the client closed the connection. `late`: it timed out. */
  readonly end: 'answered' | 'closed' | 'left' | 'late'
  /**
   * True if the whole request was sent before the response arrived. Otherwise the server would read the rest
   * as a part of the next request.
   */
  readonly isSent: boolean
}

export interface HttpSend {
  /** Each is written after the previous one was sent. */
  readonly pieces: readonly (string | Buffer)[]
  /** True if the response has no body. */
  readonly bodiless: boolean
}

export interface FuzzShot extends HttpSend {
  /**
   * `whole`: one request and one response on a kept connection. `raw`: bytes on a connection of their own.
   */
  readonly mode: 'whole' | 'raw'
  /** Description for the test log. */
  readonly description: string
  /** Time in ms after which the client closes the connection, even without a response. */
  readonly leave: number | null
  /** The raw client ends its side of the connection. */
  readonly end: boolean
  /** The server may close the connection before the whole request is sent: the response can get lost. */
  readonly isTooLarge: boolean
}

/**
 * Timeout for a response in ms. In the whole run dozens of phrases wait in one queue, each with a slow key
 * derivation.
 */
const timeoutMs = isWhole ? 120_000 : 30_000

export interface Line {
  /**
   * Sends one request on a connection that is kept for the next one. `leave`: ms after which the client
   * closes the connection, answered or not.
   */
  ask(request: HttpSend, leave: number | null): Promise<Outcome>
  close(): void
}

export const createLine = (port: number): Line => {
  let keptSocket: Socket | undefined
  const line: Line = {
    ask: async (request, leave) => {
      const freeSocket = keptSocket?.destroyed ? undefined : keptSocket
      const socket = freeSocket ?? open(port)
      keptSocket = undefined
      const outcome = await exchange(socket, request, { endsAt: 'answer', leave, end: false })
      // The server may close a kept connection at the moment of its reuse.
      if (freeSocket && outcome.end === 'closed' && outcome.answers.length === 0)
        return line.ask(request, leave)
      const last = outcome.answers.at(-1)
      if (outcome.end === 'answered' && outcome.isSent && last?.headers.connection === 'keep-alive')
        keptSocket = socket
      else socket.destroy()
      return outcome
    },
    close: () => keptSocket?.destroy(),
  }
  return line
}

/** Sends arbitrary bytes on a connection of their own, until it is closed. `end`: also ends its own side. */
export const sendRaw = async (
  port: number,
  request: HttpSend,
  { leave, end }: { leave: number | null; end: boolean },
): Promise<Outcome> => {
  const socket = open(port)
  const outcome = await exchange(socket, request, { endsAt: 'close', leave, end })
  socket.destroy()
  return outcome
}

// A connection error is visible as the end of the connection.
const open = (port: number): Socket => connect({ port, host: '127.0.0.1' }).on('error', () => {})

interface ExchangeOptions {
  readonly endsAt: 'answer' | 'close'
  readonly leave: number | null
  readonly end: boolean
}

const exchange = (
  socket: Socket,
  { pieces, bodiless }: HttpSend,
  { endsAt: endCondition, leave, end }: ExchangeOptions,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const reader = createReader(bodiless)
    let isSent = false
    const finish = (end: Outcome['end']) => {
      clearTimeout(timer)
      socket.off('data', take).off('close', close)
      if (end === 'closed') reader.closed()
      resolve({ answers: reader.answers, unparsed: reader.rest(), end, isSent: isSent })
    }
    const timer = setTimeout(() => finish(leave === null ? 'late' : 'left'), leave ?? timeoutMs)
    const take = (chunk: Buffer) => {
      reader.take(chunk)
      if (endCondition === 'answer' && reader.answers.length > 0) finish('answered')
    }
    const close = () => finish('closed')
    socket.on('data', take).on('close', close)
    const write = (n: number) => {
      if (socket.destroyed) return
      const piece = pieces[n]
      isSent = n >= pieces.length - 1
      if (piece === undefined) return end ? void socket.end() : undefined
      if (n === pieces.length - 1) socket.write(piece, () => write(n + 1))
      else socket.write(piece, () => setImmediate(write, n + 1))
    }
    write(0)
  })

/** Parses responses from a stream of bytes. */
const createReader = (bodiless: boolean) => {
  const answers: Answer[] = []
  let buffered: Buffer = Buffer.alloc(0)
  let isUpgraded = false
  let open: { status: number; headers: Answer['headers'] } | undefined

  const next = (): boolean => {
    const stop = buffered.indexOf('\r\n\r\n')
    const head = stop < 0 ? undefined : parseHead(buffered.subarray(0, stop).toString('latin1'))
    if (!head) return false
    const parsedBody = parseBody(head, buffered.subarray(stop + 4), bodiless)
    if (parsedBody === 'more') return false
    if (parsedBody === 'until close') {
      open = head
      buffered = buffered.subarray(stop + 4)
      return false
    }
    buffered = buffered.subarray(stop + 4 + parsedBody.length)
    if (head.status >= 200 || head.status === 101) answers.push({ ...head, body: parsedBody.body })
    isUpgraded = head.status === 101
    return !isUpgraded
  }

  return {
    answers,
    rest: () => buffered,
    take: (chunk: Buffer) => {
      buffered = buffered.length > 0 ? Buffer.concat([buffered, chunk]) : chunk
      while (!isUpgraded && !open && buffered.length > 0 && next());
    },
    /** A response without a length ends with the connection. */
    closed: () => {
      if (!open) return
      answers.push({ ...open, body: buffered })
      buffered = Buffer.alloc(0)
    },
  }
}

const parseHead = (text: string): { status: number; headers: Answer['headers'] } | undefined => {
  const [first = '', ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
  if (status === undefined) return undefined
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return { status: Number(status), headers }
}

/** `length`: consumed bytes of the stream, including the framing. */
const parseBody = (
  { status, headers }: { status: number; headers: Answer['headers'] },
  stream: Buffer,
  bodiless: boolean,
): { readonly body: Buffer; readonly length: number } | 'more' | 'until close' => {
  if (bodiless || status < 200 || status === 204 || status === 304)
    return { body: Buffer.alloc(0), length: 0 }
  if (headers['transfer-encoding'] === 'chunked') return unchunk(stream)
  if (headers['content-length'] === undefined) return 'until close'
  const length = Number(headers['content-length'])
  return stream.length < length ? 'more' : { body: stream.subarray(0, length), length }
}

const unchunk = (stream: Buffer): { readonly body: Buffer; readonly length: number } | 'more' => {
  const chunks: Buffer[] = []
  for (let offset = 0; ; ) {
    const line = stream.indexOf('\r\n', offset)
    if (line < 0) return 'more'
    const size = Number.parseInt(stream.subarray(offset, line).toString('latin1'), 16)
    const bodyEnd = line + 2 + size + 2
    if (stream.length < bodyEnd) return 'more'
    if (size === 0) return { body: Buffer.concat(chunks), length: bodyEnd }
    chunks.push(stream.subarray(line + 2, line + 2 + size))
    offset = bodyEnd
  }
}
