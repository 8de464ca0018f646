/**
 * HTTP client of the daemon for commands. Refusals are thrown as `CommandFailed` with the daemon's message.
 */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import type { Form } from './form-upload.ts'

export interface DaemonClient {
  readonly url: URL
  get<T>(path: string): Promise<T>
  send<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>
  /** Sends a form with or without a file. `onProgress` gets the share that was sent, from 0 to 1. */
  upload<T>(path: string, form: Form, onProgress?: (ratio: number) => void): Promise<T>
  /** Yields the lines of the response as they arrive. With a body, the request is a POST. */
  lines(path: string, body?: unknown): AsyncIterable<string>
  /** Returns the response as a stream of bytes. */
  bytes(path: string): Promise<IncomingMessage>
}

/**
 * Returns the address: `givenUrl`, otherwise `DAIMON_URL`, otherwise the port in `WEB_PORT`, otherwise the
 * default.
 */
export const daemonUrl = (givenUrl: string | undefined, env: NodeJS.ProcessEnv = process.env): URL => {
  const address = givenUrl ?? env.DAIMON_URL ?? `http://127.0.0.1:${env.WEB_PORT || 5370}`
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CommandFailed(
      `${address} is not an address of a daemon, such as http://127.0.0.1:5370`,
      exitCodes.usage,
    )
  return new URL(address)
}

/** Returns the WebSocket address of the same daemon. */
export const socketAddress = ({ url }: Pick<DaemonClient, 'url'>, path: string): URL => {
  const address = new URL(path, url)
  address.protocol = address.protocol.replace('http', 'ws')
  return address
}

/** Returns the query with its question mark, or an empty string if there is none. */
export const toQuery = (parameters: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

export const createDaemonClient = (url: URL): DaemonClient => {
  const startRequest = async (options: RequestOptions) => {
    const { request: ask } = url.protocol === 'https:' ? await import('node:https') : { request }
    return ask(url, options)
  }

  const readResponse = async (
    request: Awaited<ReturnType<typeof startRequest>>,
  ): Promise<IncomingMessage> => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve)
      request.once('error', (error: NodeJS.ErrnoException) => reject(createUnreachable(url, error)))
    })
    if ((response.statusCode ?? 500) < 400) return response
    throw toFailure(response.statusCode ?? 500, await text(response))
  }

  const exchange = async (
    method: string,
    path: string,
    body?: unknown,
    extraHeaders: Readonly<Record<string, string>> = {},
  ) => {
    const bytes = body === undefined ? undefined : JSON.stringify(body)
    const bodyHeaders =
      bytes === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
    const headers = { ...extraHeaders, ...bodyHeaders, accept: 'application/json' }
    const request = await startRequest({ method, path, headers })
    const response = readResponse(request)
    request.end(bytes)
    return response
  }

  const parseJson = async <T>(response: IncomingMessage) => (await json(response)) as T

  return {
    url,
    get: async (path) => parseJson(await exchange('GET', path)),
    send: async (method, path, body, headers) =>
      parseJson(await exchange(method, path, body ?? (method === 'DELETE' ? undefined : {}), headers)),
    bytes: (path) => exchange('GET', path),
    lines: (path, body) => readLines(exchange(body === undefined ? 'GET' : 'POST', path, body)),
    upload: async (path, form, onProgress) => {
      const { sendForm } = await import('./form-upload.ts')
      return parseJson(
        await sendForm({ begin: startRequest, waitForAnswer: readResponse }, { path, form, onProgress }),
      )
    },
  }
}

async function* readLines(answer: Promise<IncomingMessage>) {
  const { createInterface } = await import('node:readline')
  for await (const line of createInterface({ input: await answer, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield line
}

const createUnreachable = (url: URL, { code }: NodeJS.ErrnoException) =>
  new CommandFailed(
    `no daemon answers at ${url.origin} (${code ?? 'no answer'}): start it with \`daimon serve\`, or name another with --url`,
    exitCodes.unreachable,
  )

const toFailure = (status: number, body: string): CommandFailed =>
  new CommandFailed(
    getDetail(body) || `the daemon answered ${status}`,
    status === 404 ? exitCodes.unknown : exitCodes.refused,
    status,
  )

const getDetail = (body: string): string => {
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
