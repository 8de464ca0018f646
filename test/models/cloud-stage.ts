/** Shared setup of the cloud tests: a model of each provider, served by its stand-in. */
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Call } from '../../facts/fact-values.ts'
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
import type { Answer, HeardRequest, StandIn, StandInOptions } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'

/** `openai` is the official host; `compatible` is another server with the same API. */
export const kinds = ['anthropic', 'openai', 'gemini', 'xai', 'compatible'] as const
export type Kind = (typeof kinds)[number]

/** A key that matches no known format, so that only the exact value can be redacted. */
export const key = 'Abc123secretXyz789'
export const neverAborts = new AbortController().signal

/** The header that carries the key for each provider. */
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
/** Paths of chat calls, with and without streaming. */
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
  /** The address as error messages show it. */
  readonly host: string
  /** Network limits. Changes apply from the next call on. */
  readonly bounds: { -readonly [K in keyof CallBounds]: CallBounds[K] }
  mind(): Mind
  close(): Promise<void>
}

export interface StageOptions extends Omit<OpenAiOptions, 'models'>, Pick<StandInOptions, 'models'> {
  readonly model?: string
  readonly apiKey?: string | null
  /** Path that is appended to the stand-in's address. */
  readonly tail?: string
  readonly getNow?: () => number
  readonly probeTimeout?: number
}

/** Limits that no test reaches, so that an earlier end must have another cause. */
export const calm: CallBounds = { firstByte: 60_000, silence: 60_000, whole: 120_000, size: 1024 * 1024 }

const openStage = async (kind: Kind, options: StageOptions = {}): Promise<Stage> => {
  const { model = models[kind], apiKey = key, tail = '', getNow, probeTimeout, ...rest } = options
  const standIn = await createKind(kind, { key, ...rest })
  const bounds = { ...calm }
  const plainNetwork = createNetwork({ env: {}, limits: { local: bounds, remote: bounds } })
  const network =
    kind === 'openai' ? mapped(plainNetwork, 'https://api.openai.com', standIn.url) : plainNetwork
  const urls = providerUrls({ local: 'http://127.0.0.1:9', openai: 'https://api.openai.com' })
  const createdModels = createModels({
    urls,
    env: {},
    network,
    ...(getNow ? { now: getNow } : {}),
    ...(probeTimeout === undefined ? {} : { probeTimeout }),
  })
  const provider = kind === 'compatible' ? 'openai' : kind
  const ownUrl = tail ? `https://api.openai.com${tail}` : null
  const organ = {
    model,
    provider,
    url: kind === 'openai' ? ownUrl : `${standIn.url}${tail}`,
    apiKey,
  } as const
  return {
    kind,
    standIn,
    models: createdModels,
    organ,
    host: kind === 'openai' ? 'https://api.openai.com' : standIn.url,
    bounds,
    mind: () => createdModels.mind(organ, null),
    close: async () => {
      await Promise.all([standIn.close(), createdModels.close()])
    },
  }
}

/** Maps requests to `from`, which is not reachable from here, to the stand-in at `to`. */
export const mapped = (network: Network, source: string, target: string): Network => {
  const lead = (input: Parameters<Network['remote']>[0]) =>
    String(input instanceof Request ? input.url : input).replace(source, target)
  return {
    ...network,
    local: (input, init) => network.local(lead(input), init),
    remote: (input, init) => network.local(lead(input), init),
    getNamedFetch: (zone, bounds) => (input, init) =>
      (lead(input).startsWith(target) ? network.local : network.getNamedFetch(zone, bounds))(
        lead(input),
        init,
      ),
  }
}

export interface ThoughtParts {
  readonly text: string
  readonly calls: readonly Call[]
  readonly usage: Tokens
  readonly parts: readonly Part[]
}

/** Collects the parts of an answer like a turn does. */
export const think = async (mind: Mind, prompt: Prompt, signal = neverAborts): Promise<ThoughtParts> => {
  const parts: Part[] = []
  for await (const part of mind.think(prompt, signal)) parts.push(part)
  const startIndex = parts.findLastIndex(({ type }) => type === 'again')
  const finalParts = parts.slice(startIndex + 1)
  const end = parts.at(-1)
  assert.is(end?.type, 'end', 'the end comes last')
  assert.is(parts.filter(({ type }) => type === 'end').length, 1, 'the end comes once')
  return {
    text: finalParts.map((part) => (part.type === 'words' ? part.text : '')).join(''),
    calls: finalParts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
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
  return assert.unreachable('it did not fail') as never
}

/**
 * Returns the MindError that `work` rejects with. Its message must not contain the key, parts of the key or
 * text of the prompt.
 */
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

/** Part of prompts. It must not appear in errors. */
const secretWord = 'Blaubeerkuchen'

export const user = (content: string, files: readonly Shown[] = []): Message =>
  files.length > 0 ? { role: 'user', content, files } : { role: 'user', content }

/** Providers must send the text of a prompt and never read its data. */
export const noPromptData: Prompt['data'] = () => {
  throw new Error('a provider asked for the data of a prompt')
}

export const hello: Prompt = {
  system: 'You are Ada.',
  messages: [user(`Hello ${secretWord}`)],
  tools: [],
  data: noPromptData,
}

export const recall: ToolSpec = {
  name: 'recall',
  description: 'Searches earlier conversations.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
}
export const nowTool: ToolSpec = {
  name: 'check_health',
  description: 'Returns the health.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
}

export const createPicture = (name: string, mime: string, bytes: Buffer): Shown => ({
  name,
  mime,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: async () => new Uint8Array(bytes),
})

/** Runs concurrently for every kind. Errors name the kind. */
export const forEachProvider = async (
  work: (kind: Kind) => Promise<void>,
  selectedKinds: readonly Kind[] = kinds,
): Promise<void> => {
  const outcomes = await Promise.allSettled(selectedKinds.map(work))
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    if (outcome.reason instanceof Error)
      outcome.reason.message = `${selectedKinds[at]}: ${outcome.reason.message}`
    throw outcome.reason
  }
}

/** Opens a stage that is closed after the test. */
export const createGivenModels = async (
  { stages }: { readonly stages: Stage[] },
  kind: Kind,
  options: StageOptions = {},
): Promise<Stage> => {
  const stage = await openStage(kind, options)
  stages.push(stage)
  return stage
}

/** Calls two tools, then answers with their results. */
export const twoCalls = ({ messages }: HeardRequest): Answer => {
  // Providers send the results in one message or in several.
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'model') + 1)
    .flatMap((message) => message.results)
  if (results.length > 0)
    return { text: `Gefunden: ${results.map(({ content }) => toPlainText(content)).join(' / ')}` }
  return {
    text: 'Ich sehe nach.',
    calls: [{ name: 'recall', input: { query: 'Füchse "im" Garten\n🦊' } }, { name: 'check_health' }],
  }
}
/** Gemini accepts results only as objects. */
const toPlainText = (content: unknown): string =>
  typeof content === 'string' ? content : String(Object.values(content as object).at(-1))

/** Returns the prompt of the next step of a turn. */
export const createPrompt = (
  prompt: Prompt,
  { text, calls }: { text: string; calls: readonly { id: string; name: string; input: unknown }[] },
): Prompt => ({
  ...prompt,
  messages: [
    ...prompt.messages,
    { role: 'assistant', content: text, calls },
    ...calls.map((call, index) => ({
      role: 'tool' as const,
      call: call.id,
      name: call.name,
      content: `result ${index} of ${call.name}`,
    })),
  ],
})
