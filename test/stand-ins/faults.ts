/**
 * What goes wrong at a provider, the same for every stand-in: which call it hits, and how an answer is
 * delivered that is hit.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * `after`: so many events of a stream come before it; of an answer that is no stream the first half, where it
 * is more than 0.
 */
export type Fault =
  /** The connection is reset before a word of the answer. */
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
  | { readonly what: 'redirect'; readonly to: string }
  /** This instead of its own answer, with 200. */
  | { readonly what: 'answer'; readonly json: object }
  /** What should be JSON is none. */
  | { readonly what: 'garbled' }
  /** A page for people with status 200, as of a hotel's network. */
  | { readonly what: 'page' }
  | { readonly what: 'cut'; readonly how: 'cleanly' | 'hard'; readonly after: number }
  /** A few bytes every so many milliseconds. */
  | { readonly what: 'drip'; readonly bytes: number; readonly every: number }
  /** An error inside a stream that began with 200; where no stream was asked for, a 503. */
  | { readonly what: 'error in stream'; readonly after: number; readonly words: string }
  /** A whole JSON answer although a stream was asked for. */
  | { readonly what: 'whole' }
  /** A stream that ends before its first event. */
  | { readonly what: 'nothing' }

/** Changed at any time, it counts from the next call on. */
export interface Faults {
  /** One for each call to come, the first for the next; after them `always`. */
  next: (Fault | null)[]
  always: Fault | null
  /** The paths that are hit; null: all of them. */
  on: RegExp | null
  /** Paths that are not there. */
  absent: readonly string[]
  /** Bytes per chunk of an answer, to cut lines and letters anywhere; 0: as they come. */
  chunk: number
}

export const wellBehaved = (): Faults => ({ next: [], always: null, on: null, absent: [], chunk: 0 })

export const faultFor = (faults: Faults, path: string): Fault | null => {
  if (faults.on && !faults.on.test(path)) return null
  return faults.next.shift() ?? faults.always
}

export type Reply =
  | { readonly status: number; readonly json: object; readonly headers?: Readonly<Record<string, string>> }
  /** Server-sent events as they go over the wire, and the same answer in one piece. */
  | { readonly events: readonly string[]; readonly whole: object }
  | { readonly bytes: Uint8Array; readonly mime: string }

/** How a provider puts its troubles. */
export interface Troubles {
  refusal(status: number, words?: string, retryAfter?: number): Reply
  /** An event inside a stream. */
  event(words: string): string
}

/** Ends when the answer has, or will never. */
export const deliver = async (
  response: ServerResponse,
  reply: Reply,
  fault: Fault | null,
  chunk: number,
  troubles: Troubles,
) => {
  if (fault?.what === 'reset') return void response.socket?.resetAndDestroy()
  if (fault?.what === 'silence') return
  const instead = fault && insteadOf(fault, troubles)
  if (instead) return send(response, instead, chunk)
  if (fault?.what === 'redirect') return void response.writeHead(307, { location: fault.to }).end()
  if (fault?.what === 'bomb')
    return void response
      .writeHead(200, { 'content-type': typeOf(reply), 'content-encoding': 'gzip' })
      .end(bomb())
  if (!fault || ('status' in reply && reply.status >= 400)) return send(response, reply, chunk)
  if (fault.what === 'error in stream' && !('events' in reply))
    return send(response, troubles.refusal(503, fault.words), chunk)
  if (fault.what === 'whole')
    return send(response, 'events' in reply ? { status: 200, json: reply.whole } : reply, chunk)
  await spoil(response, reply, fault as Spoiling, troubles)
}

/** Another answer in the place of its own. */
const insteadOf = (fault: Fault, troubles: Troubles): Reply | undefined => {
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
  response.writeHead(200, { 'content-type': typeOf(reply) }).flushHeaders()
  if (fault.what === 'nothing') return void response.end()
  if (fault.what === 'drip') return drip(response, Buffer.from(events.join('')), fault)
  if (fault.what === 'endless') return flood(response, 'events' in reply ? events : ['\n'.repeat(16 * 1024)])
  if (fault.what === 'garbled')
    return void response.end('events' in reply ? 'data: {"choices": [{"delta": \n\n' : '{"data": [')

  for (const event of events.slice(0, 'events' in reply ? fault.after : Math.min(fault.after, 1)))
    response.write(event)
  if (fault.what === 'stall') return
  if (fault.what === 'error in stream') return void response.end(troubles.event(fault.words))
  if (fault.how === 'cleanly') return void response.end()
  // What was written goes out before the connection does.
  await wait(20)
  response.destroy()
}

const halves = (reply: Exclude<Reply, { readonly events: unknown }>): string[] => {
  const text = 'json' in reply ? JSON.stringify(reply.json) : Buffer.from(reply.bytes).toString('latin1')
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

const typeOf = (reply: Reply): string => {
  if ('events' in reply) return 'text/event-stream'
  return 'json' in reply ? 'application/json' : reply.mime
}

const send = (response: ServerResponse, reply: Reply, chunk: number) => {
  const headers = 'headers' in reply ? reply.headers : {}
  response.writeHead('status' in reply ? reply.status : 200, { 'content-type': typeOf(reply), ...headers })
  if ('events' in reply) for (const event of reply.events) write(response, Buffer.from(event), chunk)
  else write(response, 'json' in reply ? Buffer.from(JSON.stringify(reply.json)) : reply.bytes, chunk)
  response.end()
}

const write = (response: ServerResponse, bytes: Uint8Array, chunk: number) => {
  const size = chunk || bytes.length || 1
  for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
}

const drip = async (
  response: ServerResponse,
  bytes: Uint8Array,
  { bytes: size, every }: { readonly bytes: number; readonly every: number },
) => {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size))
    await wait(every)
  }
  response.end()
}

/** Its first event once, then what lies between the first and the last over and over. */
const flood = async (response: ServerResponse, events: readonly string[]) => {
  response.write(events[0] ?? '')
  const middle = events.length > 2 ? events.slice(1, -1) : events
  const closed = once(response, 'close')
  while (!response.destroyed) {
    const flows = response.write(middle.join('').repeat(8))
    await (flows ? wait(0) : Promise.race([once(response, 'drain'), closed]))
  }
}

let packed: Buffer | undefined
/** A gzip file may be made of several, one behind the other. */
const bomb = (): Buffer => {
  packed ??= Buffer.concat(Array<Buffer>(300).fill(gzipSync(Buffer.alloc(1024 * 1024, '\n'))))
  return packed
}

/** A server that nobody meant to call, and whether a secret ever reached it. */
export interface Elsewhere {
  readonly url: string
  /** Every call, with everything in it. */
  readonly seen: readonly string[]
  close(): Promise<void>
}

export const createElsewhere = async (): Promise<Elsewhere> => {
  const seen: string[] = []
  const keep = async (request: IncomingMessage, response: ServerResponse) => {
    let text = `${request.method} ${request.url}\n${JSON.stringify(request.rawHeaders)}\n`
    seen.push(text)
    const mine = seen.length - 1
    for await (const chunk of request) text += chunk
    seen[mine] = text
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer(
    (request, response) => void keep(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
