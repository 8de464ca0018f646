/** One use of an organ that is not spoken to: its calls are counted, and whatever goes wrong comes out as a `MindError`, or as the signal's reason when it was cut. */
import type { Provider, Usage } from '../../../journal/facts/facts.ts'
import { MindError } from '../mind.ts'
import type { Fetch, Network } from '../network.ts'
import { type Address, type At, readAddress } from './address.ts'
import { type About, type Refusal, troubleOf } from './failures.ts'

export interface Asked {
  readonly address: Address
  readonly about: About
  readonly network: Network
  readonly signal: AbortSignal
  /** For a client, which insists on a key. Its calls count. */
  readonly settings: { readonly baseURL: string; readonly apiKey: string; readonly fetch: Fetch }
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
    const response = await fetch(`${address.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
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

/** LM Studio says with 200 that it has nothing there: github.com/lmstudio-ai/lmstudio-bug-tracker/issues/618 */
const honest = async (response: Response): Promise<Response> => {
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return response
  const bytes = await response.arrayBuffer()
  const isAbsent = bytes.byteLength < 1000 && /^\s*\{\s*"error"\s*:\s*"unexpected endpoint/i.test(Buffer.from(bytes).toString())
  return new Response(bytes, { status: isAbsent ? 404 : 200, headers: response.headers })
}

export const keyHeader = ({ service, key }: Address): Record<string, string> => {
  if (key === null) return {}
  if (service === 'anthropic') return { 'x-api-key': key }
  return service === 'gemini' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** undefined where it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Craft = 'Ear' | 'Mouth' | 'Imagination'

const who: Readonly<Record<Craft, string>> = {
  Ear: 'An Ear can be OpenAI, Gemini, or a local server with /v1/audio/transcriptions.',
  Mouth: 'A Mouth can be OpenAI, Gemini, or a local server with /v1/audio/speech.',
  Imagination: 'An Imagination can be OpenAI, Gemini, xAI, or a local server with /v1/images/generations.',
}

/** Says who can, after a sentence on who cannot. */
export const unable = (craft: Craft, sentence: string): MindError => new MindError('refused', `${sentence} ${who[craft]}`, undefined, 0)

/** Before anything is asked. */
export const unableAt = (craft: Craft, provider: Provider | null): MindError | undefined => {
  const sentence = provider === null ? undefined : cannot[craft][provider]
  return sentence === undefined ? undefined : unable(craft, sentence)
}

const cannot: Readonly<Record<Craft, Readonly<Partial<Record<Provider, string>>>>> = {
  Ear: { anthropic: 'Anthropic cannot listen to recordings.', xai: 'xAI cannot listen to recordings here.' },
  Mouth: { anthropic: 'Anthropic offers no speech.', xai: 'xAI offers no speech here.' },
  Imagination: { anthropic: 'Anthropic draws no pictures.' },
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
