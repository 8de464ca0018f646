/** A model of each kind of provider, served by its stand-in: what the tests of the cloud have in common. */
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Call } from '../../journal/facts/fact-values.ts'
import { type CallBounds, createNetwork, type Network } from '../../packages/kit/network/network.ts'
import {
  type Message,
  type Mind,
  MindError,
  type Part,
  type Prompt,
  type Shown,
  type Tokens,
  type ToolSpec,
} from '../../packages/models/mind.ts'
import type { Models, OrganAsk } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { providerUrls } from '../provider-urls.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { createOpenAi, type OpenAiOptions } from '../stand-ins/openai.ts'
import type { Answer, Heard, StandIn, StandInOptions } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'

/** `openai` is the real one at its own name, `compatible` another server that speaks like it. */
export const kinds = ['anthropic', 'openai', 'gemini', 'xai', 'compatible'] as const
export type Kind = (typeof kinds)[number]

/** Of no form by which it could be known for one. */
export const key = 'Abc123secretXyz789'
export const never = new AbortController().signal

/** The header that each provider takes its key from. */
export const keyHeaders: Readonly<Record<Kind, string>> = {
  anthropic: 'x-api-key',
  openai: 'authorization',
  gemini: 'x-goog-api-key',
  xai: 'authorization',
  compatible: 'authorization',
}
const models: Readonly<Record<Kind, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4o',
  gemini: 'gemini-2.5-flash',
  xai: 'grok-4',
  compatible: 'qwen3',
}
/** Where each is asked for words, whole or streamed. */
export const chats: RegExp = /\/messages$|\/chat\/completions$|\/responses$|[gG]enerateContent$/

const createKind = (kind: Kind, options: OpenAiOptions): Promise<StandIn> => {
  if (kind === 'anthropic') return createAnthropic(options)
  if (kind === 'gemini') return createGemini(options)
  if (kind === 'xai') return createXai(options)
  return createOpenAi(
    kind === 'compatible' ? { models: [models.compatible], lenient: true, ...options } : options,
  )
}

export interface Stage {
  readonly kind: Kind
  readonly standIn: StandIn
  readonly models: Models
  readonly organ: OrganAsk
  /** As a sentence must name it. */
  readonly host: string
  /** Counts from the next call on. */
  readonly bounds: { -readonly [K in keyof CallBounds]: CallBounds[K] }
  mind(): Mind
  close(): Promise<void>
}

export interface StageOptions extends Omit<OpenAiOptions, 'models'>, Pick<StandInOptions, 'models'> {
  readonly model?: string
  readonly apiKey?: string | null
  /** Behind the stand-in's address. */
  readonly tail?: string
  readonly now?: () => number
  readonly probeTimeout?: number
}

/** Longer than any test waits: what ends before was ended by somebody. */
export const calm: CallBounds = { firstByte: 60_000, silence: 60_000, whole: 120_000, size: 1024 * 1024 }

const openStage = async (kind: Kind, options: StageOptions = {}): Promise<Stage> => {
  const { model = models[kind], apiKey = key, tail = '', now, probeTimeout, ...rest } = options
  const standIn = await createKind(kind, { key, ...rest })
  const bounds = { ...calm }
  const plain = createNetwork({ env: {}, limits: { local: bounds, remote: bounds } })
  const network = kind === 'openai' ? mapped(plain, 'https://api.openai.com', standIn.url) : plain
  const urls = providerUrls({ local: 'http://127.0.0.1:9', openai: 'https://api.openai.com' })
  const made = createModels({
    urls,
    env: {},
    network,
    ...(now ? { now } : {}),
    ...(probeTimeout === undefined ? {} : { probeTimeout }),
  })
  const provider = kind === 'compatible' ? 'openai' : kind
  const own = tail ? `https://api.openai.com${tail}` : null
  const organ = { model, provider, url: kind === 'openai' ? own : `${standIn.url}${tail}`, apiKey } as const
  return {
    kind,
    standIn,
    models: made,
    organ,
    host: kind === 'openai' ? 'https://api.openai.com' : standIn.url,
    bounds,
    mind: () => made.mind(organ, null),
    close: async () => {
      await Promise.all([standIn.close(), made.close()])
    },
  }
}

/** What leads to a host that cannot be reached from here leads to the stand-in. */
export const mapped = (network: Network, from: string, to: string): Network => {
  const lead = (input: Parameters<Network['remote']>[0]) =>
    String(input instanceof Request ? input.url : input).replace(from, to)
  return {
    ...network,
    local: (input, init) => network.local(lead(input), init),
    remote: (input, init) => network.local(lead(input), init),
    named: (zone, bounds) => (input, init) =>
      (lead(input).startsWith(to) ? network.local : network.named(zone, bounds))(lead(input), init),
  }
}

export interface Thought {
  readonly text: string
  readonly calls: readonly Call[]
  readonly usage: Tokens
  readonly parts: readonly Part[]
}

/** As a turn gathers it. */
export const think = async (mind: Mind, prompt: Prompt, signal = never): Promise<Thought> => {
  const parts: Part[] = []
  for await (const part of mind.think(prompt, signal)) parts.push(part)
  const from = parts.findLastIndex(({ type }) => type === 'again')
  const counted = parts.slice(from + 1)
  const end = parts.at(-1)
  assert.is(end?.type, 'end', 'the end comes last')
  assert.is(parts.filter(({ type }) => type === 'end').length, 1, 'the end comes once')
  return {
    text: counted.map((part) => (part.type === 'words' ? part.text : '')).join(''),
    calls: counted.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
    usage: end?.type === 'end' ? end.usage : { input: null, output: null },
    parts,
  }
}

export const failure = async (work: () => Promise<unknown>): Promise<Error> => {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  return assert.unreachable('it went well') as never
}

/** No sentence may hold the key or a piece of it, or words of the prompt. */
export const mindFailure = async (work: () => Promise<unknown>): Promise<MindError> => {
  const error = await failure(work)
  assert.instance(error, MindError, String(error.stack))
  assertClean(error.message)
  return error as MindError
}

export const assertClean = (sentence: string): void => {
  for (const piece of [key, 'Abc1', 'secret', 'z789', secretWord])
    assert.not.ok(sentence.includes(piece), `${piece} in: ${sentence}`)
}

/** Stands in prompts and must stay there. */
const secretWord = 'Blaubeerkuchen'

export const user = (content: string, files: readonly Shown[] = []): Message =>
  files.length > 0 ? { role: 'user', content, files } : { role: 'user', content }

/** Whoever reads a prompt asks for no data. */
export const unread: Prompt['data'] = () => {
  throw new Error('a provider asked for the data of a prompt')
}

export const hello: Prompt = {
  system: 'You are Ada.',
  messages: [user(`Hello ${secretWord}`)],
  tools: [],
  data: unread,
}

export const recall: ToolSpec = {
  name: 'recall',
  description: 'Searches her life.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
}
export const now: ToolSpec = {
  name: 'check_health',
  description: 'How she is.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
}

export const shown = (name: string, mime: string, bytes: Buffer): Shown => ({
  name,
  mime,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: async () => new Uint8Array(bytes),
})

/** The same for every kind, at once; what failed says where. */
export const everywhere = async (
  work: (kind: Kind) => Promise<void>,
  some: readonly Kind[] = kinds,
): Promise<void> => {
  const outcomes = await Promise.allSettled(some.map(work))
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    if (outcome.reason instanceof Error) outcome.reason.message = `${some[at]}: ${outcome.reason.message}`
    throw outcome.reason
  }
}

/** Closed after the test by whoever holds the world. */
export const given = async (
  { stages }: { readonly stages: Stage[] },
  kind: Kind,
  options: StageOptions = {},
): Promise<Stage> => {
  const stage = await openStage(kind, options)
  stages.push(stage)
  return stage
}

/** Calls two tools, then says what came of them. */
export const twoCalls = ({ said }: Heard): Answer => {
  // Each in a message of its own, or all in one.
  const results = said
    .slice(said.findLastIndex(({ role }) => role === 'model') + 1)
    .flatMap((one) => one.results)
  if (results.length > 0)
    return { text: `Gefunden: ${results.map(({ content }) => plain(content)).join(' / ')}` }
  return {
    text: 'Ich sehe nach.',
    calls: [{ name: 'recall', input: { query: 'Füchse "im" Garten\n🦊' } }, { name: 'check_health' }],
  }
}
/** Gemini takes results as objects alone. */
const plain = (content: unknown): string =>
  typeof content === 'string' ? content : String(Object.values(content as object).at(-1))

/** What a turn would ask next. */
export const after = (
  prompt: Prompt,
  { text, calls }: { text: string; calls: readonly { id: string; name: string; input: unknown }[] },
): Prompt => ({
  ...prompt,
  messages: [
    ...prompt.messages,
    { role: 'assistant', content: text, calls },
    ...calls.map((call, at) => ({
      role: 'tool' as const,
      call: call.id,
      name: call.name,
      content: `result ${at} of ${call.name}`,
    })),
  ],
})
