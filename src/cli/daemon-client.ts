/**
 * The daemon's routes as a command asks them. What it refuses is thrown as `CommandFailed`, in its own words.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { json, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { CommandFailed, exitCodes } from './exit-codes.ts'

export interface DaemonClient {
  readonly url: URL
  get<T>(path: string): Promise<T>
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>
  /** A form with one file; `onProgress` hears how much of it is on its way, from 0 to 1. */
  upload<T>(path: string, form: Form, onProgress?: (share: number) => void): Promise<T>
  /** The lines of an answer as they come. */
  lines(path: string): AsyncIterable<string>
  /** The answer's bytes. */
  bytes(path: string): Promise<IncomingMessage>
}

export interface Form {
  readonly file: { readonly field: string; readonly path: string }
  readonly fields: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** `given` over `DAIMON_URL`, over the port in `WEB_PORT`, over the usual address. */
export const daemonUrl = (given: string | undefined, env: NodeJS.ProcessEnv = process.env): URL => {
  const address = given ?? env.DAIMON_URL ?? `http://127.0.0.1:${env.WEB_PORT || 5370}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CommandFailed(
      `${address} is no address of a daemon, as http://127.0.0.1:5370 is`,
      exitCodes.usage,
    )
  return new URL(address)
}

/** With its question mark; empty where nothing is asked. */
export const queryOf = (asked: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

export const createDaemonClient = (url: URL): DaemonClient => {
  const begin = async (options: RequestOptions) => {
    const { request: ask } = url.protocol === 'https:' ? await import('node:https') : { request }
    return ask(url, options)
  }

  const answered = async (sent: Awaited<ReturnType<typeof begin>>): Promise<IncomingMessage> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve)
      sent.once('error', (error: NodeJS.ErrnoException) => reject(unreachable(url, error)))
    })
    if ((response.statusCode ?? 500) < 400) return response
    throw refused(response.statusCode ?? 500, await text(response))
  }

  const exchange = async (method: string, path: string, body?: unknown) => {
    const bytes = body === undefined ? undefined : JSON.stringify(body)
    const headers =
      bytes === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
    const sent = await begin({ method, path, headers: { ...headers, accept: 'application/json' } })
    const response = answered(sent)
    sent.end(bytes)
    return response
  }

  const parsed = async <T>(response: IncomingMessage) => (await json(response)) as T

  return {
    url,
    get: async (path) => parsed(await exchange('GET', path)),
    send: async (method, path, body) =>
      parsed(await exchange(method, path, body ?? (method === 'DELETE' ? undefined : {}))),
    bytes: (path) => exchange('GET', path),
    lines: (path) => linesOf(exchange('GET', path)),
    upload: async (path, form, onProgress) => {
      const { head, tail, size, type } = await framed(form)
      const headers = { 'content-type': type, 'content-length': head.length + size + tail.length }
      const sent = await begin({ method: 'POST', path, headers: { ...headers, ...form.headers } })
      const response = answered(sent)
      sent.write(head)
      const refusedFirst = response.then(
        () => undefined,
        () => undefined,
      )
      const wholeSent = pipeline(counted(form.file.path, size, onProgress), sent, { end: false }).then(() =>
        sent.end(tail),
      )
      // A refusal may come before all of the file is sent: then it is what counts.
      await Promise.race([wholeSent.catch(() => undefined), refusedFirst])
      return parsed(await response)
    },
  }
}

async function* counted(path: string, size: number, onProgress: ((share: number) => void) | undefined) {
  let sent = 0
  for await (const bytes of createReadStream(path)) {
    yield bytes
    sent += bytes.length
    onProgress?.(sent / Math.max(size, 1))
  }
}

async function* linesOf(answer: Promise<IncomingMessage>) {
  for await (const line of createInterface({ input: await answer, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield line
}

/** As RFC 7578 has it; the names in it are escaped as browsers do. */
const framed = async ({ file, fields }: Form) => {
  const { size } = await stat(file.path).catch(() => {
    throw new CommandFailed(`there is no file ${file.path}`, exitCodes.usage)
  })
  const boundary = `daimon-${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`
  const name = basename(file.path).replace(/[\r\n"]/g, (sign) => encodeURIComponent(sign))
  const parts = Object.entries(fields).map(
    ([field, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  )
  const begun = `--${boundary}\r\ncontent-disposition: form-data; name="${file.field}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    size,
    type: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(`${parts.join('')}${begun}`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

const unreachable = (url: URL, { code }: NodeJS.ErrnoException) =>
  new CommandFailed(
    `no daemon answers at ${url.origin} (${code ?? 'no answer'}): start it with \`daimon serve\`, or name another with --url`,
    exitCodes.unreachable,
  )

const refused = (status: number, body: string): CommandFailed =>
  new CommandFailed(
    wordsOf(body) || `the daemon answered ${status}`,
    status === 404 ? exitCodes.unknown : exitCodes.refused,
  )

const wordsOf = (body: string): string => {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown }
    if (typeof detail === 'string') return detail
    if (!Array.isArray(detail)) return ''
    return detail
      .map(
        ({ loc, msg }: { loc?: readonly unknown[]; msg?: string }) =>
          `${(loc ?? []).slice(1).join('.')}: ${msg ?? ''}`,
      )
      .join('\n')
  } catch {
    return ''
  }
}
