/**
 * One use of an organ that is not spoken to: its calls are counted, and whatever goes wrong comes out as a
 * `MindError`, or as the signal's reason when it was cut.
 */
import { Provider, type Usage } from '../../../journal/facts/fact-values.ts'
import type { Fetch, Network } from '../../kit/network/network.ts'
import { MindError } from '../mind.ts'
import type { Settings } from './adapter.ts'
import { type Address, type At, readAddress } from './address.ts'
import { type About, type Refusal, troubleOf } from './failures.ts'
import { type Craft, providerTable, serviceTable } from './provider-table.ts'

export interface Asked {
  readonly address: Address
  readonly about: About
  readonly network: Network
  readonly signal: AbortSignal
  /** Calls by these count. */
  readonly settings: Settings
  /** A call of our own, where no client serves: JSON to a path behind the address. */
  post(path: string, body: unknown): Promise<Posted>
}

/** `value` is the JSON of a good answer, undefined where it is none. */
export type Posted = { readonly value: unknown } | { readonly refusal: Refusal }

export const ask = async <T>(at: At, signal: AbortSignal, work: (asked: Asked) => Promise<T>): Promise<T> => {
  signal.throwIfAborted()
  // What is made comes whole, and its first byte is late: a picture may take minutes.
  const address = readAddress({ ...at, network: { ...at.network, remote: at.network.local } })
  const about = { address, model: at.model, now: at.now }
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
    if (response.ok) return { value: parsed(text) }
    return { refusal: { status: response.status, headers: Object.fromEntries(response.headers), body: text } }
  }
  const settings = { baseURL: address.base, apiKey: address.key ?? 'none', fetch }
  try {
    return await work({ address, about, network: at.network, signal, settings, post })
  } catch (error) {
    signal.throwIfAborted()
    const { kind, message, retryAfter } = troubleOf(error, about)
    throw new MindError(kind, message, retryAfter, calls)
  }
}

/**
 * LM Studio says with 200 that it has nothing there: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618
 */
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

/** undefined where it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of OpenAI's protocol, without the version. */
const paths: Readonly<Record<Craft, string>> = {
  Ear: 'audio/transcriptions',
  Mouth: 'audio/speech',
  Imagination: 'images/generations',
}

const whoCan = (craft: Craft): string => {
  const able = Provider.options
    .filter((name) => !providerTable[name].cannot[craft])
    .map((name) => providerTable[name].title)
  return `${craft === 'Mouth' ? 'A' : 'An'} ${craft} can be ${able.join(', ')}, or a local server with /v1/${paths[craft]}.`
}

/** Says who can, after a sentence on who cannot. */
export const unable = (craft: Craft, sentence: string): MindError =>
  new MindError('refused', `${sentence} ${whoCan(craft)}`, undefined, 0)

/** Before anything is asked. */
export const unableAt = (craft: Craft, provider: Provider | null): MindError | undefined => {
  const sentence = provider === null ? undefined : providerTable[provider].cannot[craft]
  return sentence === undefined ? undefined : unable(craft, sentence)
}

/** A path that is not there, as against a model that is not: a server that looked for the model names it. */
export const lacksPath = ({ status, body }: Refusal): boolean => isAbsent(status) && !/model/i.test(body)

export const isAbsent = (status: number): boolean => [404, 405, 501].includes(status)

/** Facts hold whole tokens; what a provider tells may be anything. */
export const usageOf = (told: {
  readonly input?: number | null | undefined
  readonly output?: number | null | undefined
  readonly cached?: number | null | undefined
  readonly made?: Usage['made']
}): Usage => ({
  input: whole(told.input),
  output: whole(told.output),
  cached: whole(told.cached),
  made: told.made ?? null,
})

const whole = (count: number | null | undefined): number | null =>
  Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : null
