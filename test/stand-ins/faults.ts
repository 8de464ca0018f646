/**
 * Faults of a provider, the same for every stand-in: which call they affect, and how such a response is
 * delivered.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * `after`: number of stream events before the fault. For other responses: a value above 0 sends the first
 * half before it.
 */
export type Fault =
  /** Resets the connection before any byte of the response. */
  | { readonly what: 'reset' }
  /** Nothing comes at all, not even a status. */
  | { readonly what: 'silence' }
  /** 200, and then nothing more. */
  | { readonly what: 'stall'; readonly after: number }
  /**
   * `retryAfter` in seconds, told as the provider tells it, or a date, which comes as a header. `words` null:
   * its usual ones.
   */
  | {
      readonly what: 'status'
      readonly status: number
      readonly retryAfter?: number | string
      readonly words?: string
    }
  /** A stream whose words never end, or an answer with blanks without end. */
  | { readonly what: 'endless' }
  /** Some kilobytes that unpack to 300 MB. */
  | { readonly what: 'bomb' }
  | { readonly what: 'redirect'; readonly target: string }
  /** This instead of its own answer, with 200. */
  | { readonly what: 'answer'; readonly json: object }
  /** What should be JSON is none. */
  | { readonly what: 'garbled' }
  /** A page for people with status 200, as of a hotel's network. */
  | { readonly what: 'page' }
  | { readonly what: 'cut'; readonly mode: 'cleanly' | 'hard'; readonly after: number }
  /** A few bytes every so many milliseconds. */
  | { readonly what: 'drip'; readonly bytes: number; readonly intervalMs: number }
  /** An error inside a stream that began with 200; where no stream was asked for, a 503. */
  | { readonly what: 'error in stream'; readonly after: number; readonly words: string }
  /** A whole JSON answer although a stream was asked for. */
  | { readonly what: 'whole' }
  /** A stream that ends before its first event. */
  | { readonly what: 'nothing' }

/** Changes take effect with the next call. */
export interface Faults {
  /** One fault for each of the next calls, in order; then `always`. */
  next: (Fault | null)[]
  permanentFault: Fault | null
  /** Paths that are affected; null for all. */
  on: RegExp | null
  /** Paths that do not exist. */
  absent: readonly string[]
  /** Bytes per chunk of a response, to split lines and characters anywhere; 0: unchanged. */
  chunk: number
}

export const wellBehaved = (): Faults => ({ next: [], permanentFault: null, on: null, absent: [], chunk: 0 })

export const faultFor = (faults: Faults, path: string): Fault | null => {
  if (faults.on && !faults.on.test(path)) return null
  return faults.next.shift() ?? faults.permanentFault
}

export type Reply =
  | { readonly status: number; readonly json: object; readonly headers?: Readonly<Record<string, string>> }
  /** Server-sent events as they go over the wire, and the same answer in one piece. */
  | { readonly events: readonly string[]; readonly whole: object }
  | { readonly bytes: Uint8Array; readonly mime: string }

/** A provider's format of errors. */
export interface Troubles {
  refusal(status: number, message?: string, retryAfter?: number): Reply
  /** Returns an error event inside a stream. */
  event(message: string): string
}

/** Resolves when the response is complete, or never will be. */
export const deliver = async (
  response: ServerResponse,
  reply: Reply,
  fault: Fault | null,
  chunk: number,
  troubles: Troubles,
) => {
  if (fault?.what === 'reset') return void response.socket?.resetAndDestroy()
  if (fault?.what === 'silence') return
  const replacementReply = fault && replacementFor(fault, troubles)
  if (replacementReply) return send(response, replacementReply, chunk)
  if (fault?.what === 'redirect') return void response.writeHead(307, { location: fault.target }).end()
  if (fault?.what === 'bomb')
    return void response
      .writeHead(200, { 'content-type': getType(reply), 'content-encoding': 'gzip' })
      .end(bomb())
  if (!fault || ('status' in reply && reply.status >= 400)) return send(response, reply, chunk)
  if (fault.what === 'error in stream' && !('events' in reply))
    return send(response, troubles.refusal(503, fault.words), chunk)
  if (fault.what === 'whole')
    return send(response, 'events' in reply ? { status: 200, json: reply.whole } : reply, chunk)
  await spoil(response, reply, fault as Spoiling, troubles)
}

/** Returns the response that replaces the regular one, if any. */
const replacementFor = (fault: Fault, troubles: Troubles): Reply | undefined => {
  if (fault.what === 'status') {
    const { status, words, retryAfter } = fault
    if (typeof retryAfter !== 'string') return troubles.refusal(status, words, retryAfter)
    const reply = troubles.refusal(status, words)
    return 'headers' in reply || 'json' in reply
      ? { ...reply, headers: { ...reply.headers, 'retry-after': retryAfter } }
      : reply
  }
  if (fault.what === 'answer') return { status: 200, json: fault.json }
  if (fault.what === 'page')
    return { mime: 'text/html', bytes: Buffer.from('<!doctype html><title>Welcome</title><p>Please log in.') }
  return undefined
}

type Spoiling = Exclude<
  Fault,
  { readonly what: 'reset' | 'silence' | 'status' | 'redirect' | 'answer' | 'page' | 'bomb' | 'whole' }
>

const spoil = async (response: ServerResponse, reply: Reply, fault: Spoiling, troubles: Troubles) => {
  const events = 'events' in reply ? reply.events : halves(reply)
  response.writeHead(200, { 'content-type': getType(reply) }).flushHeaders()
  if (fault.what === 'nothing') return void response.end()
  if (fault.what === 'drip') return drip(response, Buffer.from(events.join('')), fault)
  if (fault.what === 'endless') return flood(response, 'events' in reply ? events : ['\n'.repeat(16 * 1024)])
  if (fault.what === 'garbled')
    return void response.end('events' in reply ? 'data: {"choices": [{"delta": \n\n' : '{"data": [')

  for (const event of events.slice(0, 'events' in reply ? fault.after : Math.min(fault.after, 1)))
    response.write(event)
  if (fault.what === 'stall') return
  if (fault.what === 'error in stream') return void response.end(troubles.event(fault.words))
  if (fault.mode === 'cleanly') return void response.end()
  // Flushes the written bytes before the connection closes.
  await wait(20)
  response.destroy()
}

const halves = (reply: Exclude<Reply, { readonly events: unknown }>): string[] => {
  const text = 'json' in reply ? JSON.stringify(reply.json) : Buffer.from(reply.bytes).toString('latin1')
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const getType = (reply: Reply): string => {
  if ('events' in reply) return 'text/event-stream'
  return 'json' in reply ? 'application/json' : reply.mime
}

const send = (response: ServerResponse, reply: Reply, chunk: number) => {
  const headers = 'headers' in reply ? reply.headers : {}
  response.writeHead('status' in reply ? reply.status : 200, { 'content-type': getType(reply), ...headers })
  if ('events' in reply) for (const event of reply.events) write(response, Buffer.from(event), chunk)
  else write(response, 'json' in reply ? Buffer.from(JSON.stringify(reply.json)) : reply.bytes, chunk)
  response.end()
}

const write = (response: ServerResponse, bytes: Uint8Array, chunk: number) => {
  const size = chunk || bytes.length || 1
  for (let offset = 0; offset < bytes.length; offset += size)
    response.write(bytes.subarray(offset, offset + size))
}

const drip = async (
  response: ServerResponse,
  bytes: Uint8Array,
  { bytes: size, intervalMs }: { readonly bytes: number; readonly intervalMs: number },
) => {
  for (let offset = 0; offset < bytes.length && !response.destroyed; offset += size) {
    response.write(bytes.subarray(offset, offset + size))
    await wait(intervalMs)
  }
  response.end()
}

/** Sends the first event once, then repeats the events between the first and the last. */
const flood = async (response: ServerResponse, events: readonly string[]) => {
  response.write(events[0] ?? '')
  const middle = events.length > 2 ? events.slice(1, -1) : events
  const whenClosed = once(response, 'close')
  while (!response.destroyed) {
    const flows = response.write(middle.join('').repeat(8))
    await (flows ? wait(0) : Promise.race([once(response, 'drain'), whenClosed]))
  }
}

let compressed: Buffer | undefined
/** A gzip file may consist of several members. */
const bomb = (): Buffer => {
  compressed ??= Buffer.concat(Array<Buffer>(300).fill(gzipSync(Buffer.alloc(1024 * 1024, '\n'))))
  return compressed
}

/** A server that must not be called, which records whether it received a secret. */
export interface Replacement {
  readonly url: string
  /** Every call with all its content. */
  readonly requestPaths: readonly string[]
  close(): Promise<void>
}

export const createElsewhere = async (): Promise<Replacement> => {
  const calls: string[] = []
  const keep = async (request: IncomingMessage, response: ServerResponse) => {
    let text = `${request.method} ${request.url}\n${JSON.stringify(request.rawHeaders)}\n`
    calls.push(text)
    const callIndex = calls.length - 1
    for await (const chunk of request) text += chunk
    calls[callIndex] = text
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer(
    (request, response) => void keep(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestPaths: calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
