/** One local runtime at one address: Ollama's HTTP protocol, with errors as messages for the user. */

import type { Fetch } from '../../kit/network/network.ts'
import { NetworkError } from '../../kit/network/network-error.ts'
import { toPlainAddress } from '../base-url.ts'
import { type Fault, MindError, type MindErrorOptions } from '../mind.ts'

/** `status` is null if nothing answered, and `line` for an error inside an answer that began with 200. */
export class RuntimeError extends MindError {
  readonly status: number | 'line' | null
  constructor(
    kind: MindError['kind'],
    message: string,
    status: number | 'line' | null,
    options: MindErrorOptions = {},
  ) {
    super(kind, message, options)
    this.status = status
  }
}

export const isStatus = (
  error: unknown,
  ...statuses: readonly RuntimeError['status'][]
): error is RuntimeError => error instanceof RuntimeError && statuses.includes(error.status)

export interface RuntimeDeps {
  readonly url: string
  readonly key: string | null
  readonly now: () => number
}

export interface Call {
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly fetch: Fetch
  /** The user's name of the model, for messages. `wrapped`: it is registered under a persona's own name. */
  readonly model?: string
  readonly isWrapped?: boolean
}

export type Line = Readonly<Record<string, unknown>>

export interface Runtime {
  /** The address without credentials, for display. */
  readonly at: string
  /**
   * Yields the JSON objects of an answer as they arrive. Omits an incomplete last one. Throws `RuntimeError`,
   * or the signal's reason.
   */
  lines(call: Call): AsyncGenerator<Line, void, undefined>
  /** Returns all objects at the end. */
  all(call: Call): Promise<readonly Line[]>
}

export const openRuntime = ({ url, key, now }: RuntimeDeps): Runtime => {
  const { base, at, authorization, secrets } = readAddress(url, key)
  const toCleanText = (text: string) =>
    secrets.reduce((cleanText, secret) => cleanText.replaceAll(secret, '***'), text)

  const toUnreachableError = (error: unknown): RuntimeError => {
    const reason = error instanceof NetworkError ? error : new NetworkError('the connection failed')
    const problem =
      reason.kind === 'refused'
        ? `Ollama at ${at} did not finish its answer`
        : `Ollama could not be reached at ${at}`
    const sentence = `${problem}: ${reason.message}. ${advice[reason.kind]}`
    return new RuntimeError(reason.kind, sentence, null, { fault: networkFaults[reason.kind] })
  }

  const send = async ({
    path,
    method = 'POST',
    body,
    signal,
    fetch,
    model,
    isWrapped = false,
  }: Call): Promise<Response> => {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(authorization ? { authorization } : {}),
    }
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }
    const response = await fetch(`${base}${path}`, init)
    if (response.ok) return response
    const reason = toCleanText(await excerpt(response))
    const sentence = refusal({
      at,
      path,
      status: response.status,
      message: reason,
      model,
      isWrapped,
      keyed: authorization !== undefined,
    })
    throw new RuntimeError(toKind(response.status), sentence, response.status, {
      retryAfter: retryAfter(response.headers.get('retry-after'), now),
      fault: toFault(response.status, model !== undefined, authorization !== undefined),
    })
  }

  async function* lines(call: Call): AsyncGenerator<Line, void, undefined> {
    try {
      const { body } = await send(call)
      if (!body) return
      for await (const line of objects(body)) {
        if (line.error === undefined || line.error === null) yield line
        else
          throw new RuntimeError(
            'unreachable',
            `${at} answered with an error: ${endSentence(toCleanText(errorWords(line.error)))} See its log.`,
            'line',
          )
      }
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason
      throw error instanceof RuntimeError ? error : toUnreachableError(error)
    }
  }

  const all = async (call: Call): Promise<readonly Line[]> => {
    const receivedLines: Line[] = []
    for await (const line of lines(call)) receivedLines.push(line)
    return receivedLines
  }
  return { at, lines, all }
}

const networkFaults: Readonly<Record<NetworkError['kind'], Fault | null>> = {
  unreachable: 'unreachable',
  barred: 'address_wrong',
  refused: null,
}

const advice: Readonly<Record<NetworkError['kind'], string>> = {
  unreachable: 'Is it running? Start it with `ollama serve`, or give another address.',
  barred: 'Check the address.',
  refused: 'Ask for less at once, or choose another model.',
}

/**
 * Moves credentials from the address to a header, because `fetch` rejects them and they must not be shown.
 * Throws `MindError`.
 */
const readAddress = (rawUrl: string, key: string | null) => {
  const url = URL.canParse(rawUrl) ? new URL(rawUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new MindError(
      'refused',
      'The address of a local model must begin with http:// or https://, as http://localhost:11434 does.',
      { fault: 'address_wrong' },
    )
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  const basic = user || password ? Buffer.from(`${user}:${password}`).toString('base64') : undefined
  const authorization = key ? `Bearer ${key}` : basic && `Basic ${basic}`
  const plainAddress = toPlainAddress(url).replace(/(?<!\/)\/+$/, '')
  // A key inside the address stays there for the call, but is masked in messages.
  return {
    base: plainAddress,
    at: key ? plainAddress.replaceAll(key, '***') : plainAddress,
    authorization,
    secrets: [key, basic, password].filter((secret) => !!secret) as string[],
  }
}

// For temporary statuses, a retry may help. Problems with the key, the account or the model are not caused by
// the prompt.
const toKind = (status: number) => {
  if (status >= 500 || [408, 409, 425, 429].includes(status)) return 'unreachable'
  return [401, 402, 403, 404].includes(status) ? 'barred' : 'refused'
}

const toFault = (status: number, hasModel: boolean, hasKey: boolean): Fault | null => {
  if (status === 401 || status === 403) return hasKey ? 'key_refused' : 'key_missing'
  if (status === 402) return 'no_credit'
  if (status === 404 && hasModel) return 'model_unknown'
  if (status >= 500) return 'failed'
  return toKind(status) === 'unreachable' ? 'busy' : null
}

interface Refusal {
  readonly at: string
  readonly path: string
  readonly status: number
  readonly message: string
  readonly model: string | undefined
  readonly isWrapped: boolean
  readonly keyed: boolean
}

const refusal = ({ at, path, status, message, model, isWrapped, keyed }: Refusal): string => {
  const words = message && `: ${message}`
  if (status === 401 || status === 403)
    return keyed
      ? `${at} did not accept the key (${status}${words}). Give the organ the right API key.`
      : `${at} asks for a key (${status}${words}). Give the organ an API key.`
  if (status === 402)
    return `${at} reports that the account has no credit left (402${words}). Look at its billing page, or give the organ another key.`
  if (status === 404 && model) {
    const next = isWrapped ? 'and give the persona this Mind again under settings' : 'or choose another'
    return `${at} does not know the model "${model}" (404${words}). Fetch it with \`ollama pull ${model}\`, ${next}.`
  }
  if (status >= 500) return `${at} failed (${status}${words}). See its log.`
  if (toKind(status) === 'unreachable') return `${at} is too busy (${status}${words}). Try again in a moment.`
  return `${at} refused ${path} (${status}${words}).`
}

/** Parses `Retry-After`, in seconds or as a date. */
const retryAfter = (header: string | null, now: () => number): number | undefined => {
  if (!header) return undefined
  const ms = /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now()
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.round(ms))
}

/**
 * Returns the text of an error response, max 300 characters in one line. Never throws, because the status
 * alone is sufficient.
 */
const excerpt = async (response: Response): Promise<string> => {
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > 16_384) break
    }
  } catch {}
  return errorWords(parse(text) ?? text)
}

/** Ends the text with one full stop. */
const endSentence = (words: string): string => `${words.replace(/(?<![.\s])[.\s]+$/, '')}.`

const errorWords = (error: unknown): string => {
  if (typeof error === 'object' && error !== null) {
    const { error: inner, message } = error as { error?: unknown; message?: unknown }
    return inner === undefined && message === undefined ? 'no reason given' : errorWords(inner ?? message)
  }
  const text = String(error ?? '').trim()
  if (/^\s*</.test(text)) return ''
  return text.replace(/\s+/g, ' ').slice(0, 300)
}

/** Parses a stream of objects, one per line or pretty-printed over several lines. Chunks may end anywhere. */
async function* objects(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let unfinished = ''
  // Max lines of one object. Long lines count more, because each new line parses all of them again.
  let remainingLength = 1000
  const read = function* (line: string): Generator<Line> {
    const text = unfinished ? `${unfinished}\n${line}` : line
    const value = remainingLength > 0 ? parse(text) : undefined
    if (value) yield value
    unfinished = value || !/^\s*\{/.test(text) ? '' : text
    if (unfinished) remainingLength -= 1 + text.length / 10_000
  }
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    rest += text
    if (!text.includes('\n')) continue
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield* read(line)
  }
  yield* read(rest + decoder.decode())
}

const parse = (text: string): Line | undefined => {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}
