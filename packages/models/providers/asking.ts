/**
 * One use of an organ without a chat. Counts its calls, and converts all errors to `MindError`, or the
 * signal's reason if aborted.
 */
import { Provider, type Usage } from '../../../facts/fact-values.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { MindError } from '../mind.ts'
import type { Asked, Posted } from './adapter.ts'
import type { Address } from './address.ts'
import { type Refusal, toModelError } from './failures.ts'
import { type Craft, providerTable, serviceTable } from './provider-table.ts'
import { type At, readAddress } from './read-address.ts'

export const ask = async <T>(
  target: At,
  signal: AbortSignal,
  work: (connection: Asked) => Promise<T>,
): Promise<T> => {
  signal.throwIfAborted()
  // Uses the longer timeouts of local servers: a generated picture arrives in one piece after minutes.
  const address = readAddress({ ...target, network: { ...target.network, remote: target.network.local } })
  const context = { address, model: target.model, now: target.now }
  let calls = 0
  const fetch: Fetch = async (input, init) => {
    calls++
    return honest(await address.fetch(input, init))
  }
  const post = async (path: string, body: unknown): Promise<Posted> => {
    const headers = { ...keyHeader(address), accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch(`${address.base}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    })
    const text = await response.text()
    if (response.ok) return { value: tryParseJson(text) }
    return { refusal: { status: response.status, headers: Object.fromEntries(response.headers), body: text } }
  }
  const settings = { baseURL: address.base, apiKey: address.key ?? 'none', fetch }
  try {
    return await work({ address, context, network: target.network, signal, settings, post })
  } catch (error) {
    signal.throwIfAborted()
    const { kind, message, retryAfter, fault } = toModelError(error, context)
    throw new MindError(kind, message, { retryAfter, calls, fault })
  }
}

/** LM Studio answers 200 for a missing path: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618 */
const honest = async (response: Response): Promise<Response> => {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return response
  const bytes = await response.arrayBuffer()
  const isAbsent =
    bytes.byteLength < 1000 &&
    /^\s*\{\s*"error"\s*:\s*"unexpected endpoint/i.test(Buffer.from(bytes).toString())
  return new Response(bytes, { status: isAbsent ? 404 : 200, headers: response.headers })
}

export const keyHeader = ({ service, key }: Address): Readonly<Record<string, string>> => {
  if (key === null) return {}
  return serviceTable[service].keyHeader(key)
}

/** Returns undefined for invalid JSON. */
export const tryParseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Paths of OpenAI's protocol, without the version. */
const paths: Readonly<Record<Craft, string>> = {
  Ear: 'audio/transcriptions',
  Mouth: 'audio/speech',
  Imagination: 'images/generations',
}

const listProviders = (craft: Craft): string => {
  const providerNames = Provider.options
    .filter((name) => !providerTable[name].cannot[craft])
    .map((name) => providerTable[name].title)
  return `${craft === 'Mouth' ? 'A' : 'An'} ${craft} can be ${providerNames.join(', ')}, or a local server with /v1/${paths[craft]}.`
}

/** Appends which providers support the organ. */
export const unable = (craft: Craft, sentence: string): MindError =>
  new MindError('refused', `${sentence} ${listProviders(craft)}`, { calls: 0 })

/** Returns the error if the provider does not support the organ. Makes no request. */
export const unableAt = (craft: Craft, provider: Provider | null): MindError | undefined => {
  const sentence = provider === null ? undefined : providerTable[provider].cannot[craft]
  return sentence === undefined ? undefined : unable(craft, sentence)
}

/** Returns true if the path does not exist. If the model does not exist, the server mentions a model. */
export const lacksPath = ({ status, body }: Refusal): boolean => isAbsent(status) && !/model/i.test(body)

export const isAbsent = (status: number): boolean => [404, 405, 501].includes(status)

/** Drops token counts that are not whole numbers, because facts require them. */
export const toUsage = (counts: {
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
  readonly cached?: number | null | undefined
  readonly written?: number | null | undefined
  readonly made?: Usage['made']
}): Usage => {
  const writtenTokens = toWholeNumber(counts.written)
  return {
    input: toWholeNumber(counts.input),
    output: toWholeNumber(counts.output),
    cached: toWholeNumber(counts.cached),
    ...(writtenTokens && { written: writtenTokens }),
    made: counts.made ?? null,
  }
}

const toWholeNumber = (count: number | null | undefined): number | null =>
  Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : null
