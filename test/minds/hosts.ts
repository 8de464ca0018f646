/**
 * The provider stand-ins behind one interface: one script for the answers, one set of faults, and the
 * settings of a persona that uses them.
 */
import { oneWordAsked } from '../../src/mind/ping-model.ts'
import { chats } from '../models/cloud-stage.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi, type OpenAiOptions } from '../stand-ins/openai.ts'
import type { Answer, HeardRequest, Json, StandIn } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'
import { createFront } from './setup.ts'

/** `openai` is the official host; `compatible` is another server with the same API. */
export const kinds = ['anthropic', 'openai', 'gemini', 'xai', 'compatible', 'ollama'] as const
export type Kind = (typeof kinds)[number]
export const clouds = kinds.filter((kind) => kind !== 'ollama')

/** A prefix that matches no known key format, so that only the exact value can be redacted. */
export const keyBegins = 'Abc123secret'
export const getKey = (kind: Kind): string => `${keyBegins}${kind}Xyz789`

/** Prefix of the key that replaces the first one. */
export const otherKeyBegins = 'Def456hidden'
export const getOtherKey = (kind: Kind): string => `${otherKeyBegins}${kind}Uvw012`

/** A request to the model, in one form for all providers. */
export interface ModelRequest {
  readonly kind: Kind
  /** The newest message of the user that is not empty. */
  readonly text: string
  /** Tool results since the model's last answer. */
  readonly results: readonly string[]
  readonly tools: readonly string[]
  /** The newest message of the request body. */
  readonly last: Json
}

export interface Host {
  readonly kind: Kind
  readonly url: string
  /** The address as error messages show it. */
  readonly address: string
  /** Settings of the organ `thinking` for this host. */
  readonly thinkingFields: Readonly<Record<string, string>>
  /** Returns the requests of turns so far, without health probes. */
  getRequests(): readonly ModelRequest[]
  /** Returns the number of open responses. */
  open(): number
  /**
   * Injects a fault from the next call on; null removes it. Without `times`, every call fails, including the
   * model list. With `times`, only so many model calls fail. A list gives the fault of each of the next model
   * calls.
   */
  strike(fault: Fault | null | readonly (Fault | null)[], times?: number): void
  /** Injects a fault into model calls only; the model list still works. */
  strikeTalk(fault: Fault): void
  /** Changes the only valid key. */
  rekey(key: string): void
  leave(): Promise<void>
  restore(): Promise<void>
  /** Returns true if a key was sent without a request for it, or to the wrong place. */
  spilled(): boolean
  close(): Promise<void>
}

type Script = (request: ModelRequest) => string | Answer

const models: Readonly<Record<Kind, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4o',
  gemini: 'gemini-3-pro-preview',
  xai: 'grok-4',
  compatible: 'qwen3',
  ollama: 'llama3',
}

export const createHost = (kind: Kind, script: Script): Promise<Host> =>
  kind === 'ollama' ? createLocal(script) : createCloud(kind, script)

const makers: Readonly<Record<Exclude<Kind, 'ollama'>, (options: OpenAiOptions) => Promise<StandIn>>> = {
  anthropic: createAnthropic,
  openai: createOpenAi,
  gemini: createGemini,
  xai: createXai,
  compatible: (options) => createOpenAi({ models: [models.compatible], lenient: true, ...options }),
}

const createCloud = async (kind: Exclude<Kind, 'ollama'>, script: Script): Promise<Host> => {
  const standIn = await makers[kind]({
    key: getKey(kind),
    answer: (request) => script(toCloudRequest(kind, request)),
  })
  const { url, faults, log } = standIn
  const address = kind === 'compatible' ? { url } : {}
  // The other providers use the daemon's keys.
  const key = ['anthropic', 'gemini', 'compatible'].includes(kind) ? { api_key: getKey(kind) } : {}
  return {
    kind,
    url,
    open: standIn.open,
    rekey: standIn.rekey,
    leave: standIn.leave,
    restore: standIn.restore,
    close: standIn.close,
    address: kind === 'openai' ? 'https://api.openai.com' : url,
    thinkingFields: {
      model: models[kind],
      provider: kind === 'compatible' ? 'openai' : kind,
      ...address,
      ...key,
    },
    getRequests: () =>
      standIn
        .calls(chats)
        .flatMap(({ conversation }) => (conversation ? [toCloudRequest(kind, conversation)] : []))
        .filter(isTurnRequest),
    strike: (fault, times) => {
      const next = Array.isArray(fault) ? [...fault] : Array(times ?? 0).fill(fault)
      const permanentFault = Array.isArray(fault) || times !== undefined ? null : (fault as Fault | null)
      Object.assign(faults, { on: permanentFault ? null : chats, permanentFault, next })
    },
    strikeTalk: (fault) => void Object.assign(faults, { on: chats, permanentFault: fault, next: [] }),
    spilled: () => log.some(({ spilled }) => spilled),
  }
}

const toCloudRequest = (kind: Kind, { messages, tools, body }: HeardRequest): ModelRequest => {
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role === 'model') + 1)
    .flatMap((message) => message.results)
  const last = [body.messages, body.contents, body.input]
    .flatMap((all) => (Array.isArray(all) ? (all as readonly Json[]) : []))
    .at(-1)
  return {
    kind,
    tools,
    last: last ?? {},
    text: messages.findLast(({ role, text }) => role === 'user' && text)?.text ?? '',
    results: results.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
  }
}

/** An Ollama behind a proxy that can go offline. It checks the key, like one behind a gateway. */
const createLocal = async (script: Script): Promise<Host> => {
  let comingFaults: (Fault | null)[] = []
  const strikeNow = (fault: Fault | null | undefined, times: number) =>
    void Object.assign(ollama.faults, fault ? localFaults(fault, times) : {})
  const ollama: OllamaStandIn = await createOllama({
    models: [models.ollama],
    answer: (request) => {
      // Faults that occur before the request is read cannot be used in a list.
      strikeNow(comingFaults.shift(), 1)
      const { text = '', calls = [], end } = toAnswer(script(toLocalRequest(request)))
      return {
        content: text,
        calls: calls.map(({ name, input }) => ({ name, arguments: input ?? {} })),
        length: end === 'length',
      }
    },
  })
  const front = await createFront(Number(new URL(ollama.url).port))
  const healthyFaults = { ...ollama.faults }
  return {
    kind: 'ollama',
    url: front.address,
    address: front.address,
    open: ollama.open,
    leave: front.close,
    restore: front.open,
    thinkingFields: { model: models.ollama, api_key: getKey('ollama') },
    getRequests: () =>
      ollama
        .calls('/api/chat')
        .map(({ body }) => toLocalRequest(body as unknown as ChatRequest))
        .filter(isTurnRequest),
    strike: (fault, times = Infinity) => {
      Object.assign(ollama.faults, healthyFaults)
      comingFaults = Array.isArray(fault) ? [...fault] : []
      if (!Array.isArray(fault)) strikeNow(fault as Fault | null, times)
    },
    strikeTalk: (fault) => {
      Object.assign(ollama.faults, healthyFaults)
      strikeNow(fault, Infinity)
      ollama.faults.failsOn = /chat$/
    },
    rekey: () => {
      throw new Error('the Ollama stand-in has no keys')
    },
    spilled: () => ollama.log.some(({ authorization }) => authorization !== `Bearer ${getKey('ollama')}`),
    close: async () => {
      await front.close()
      await ollama.close()
    },
  }
}

const isTurnRequest = ({ text }: ModelRequest): boolean => text !== oneWordAsked

const toAnswer = (answer: string | Answer): Answer => (typeof answer === 'string' ? { text: answer } : answer)

const toLocalRequest = ({ messages, tools = [] }: ChatRequest): ModelRequest => ({
  kind: 'ollama',
  text: messages.findLast(({ role, content }) => role === 'user' && content)?.content ?? '',
  results: messages
    .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
  tools: tools.map((tool) => tool.function.name),
  last: { ...messages.at(-1) },
})

/** Translates a fault for the Ollama stand-in, if it supports the fault. */
const localFaults = (fault: Fault, times: number) => {
  switch (fault.what) {
    case 'status': {
      const { status, words = 'something broke', retryAfter } = fault
      const retryAfterHeader = retryAfter === undefined ? null : String(retryAfter)
      return {
        fails: times,
        failsOn: times === Infinity ? null : /chat$/,
        failStatus: status,
        failWords: words,
        retryAfter: retryAfterHeader,
      }
    }
    case 'silence':
      return { hangs: true }
    case 'stall':
      return { hangs: Math.min(fault.after, 2) }
    case 'redirect':
      return { redirect: fault.target }
    case 'cut':
      return { cutMode: fault.mode, isAlwaysCut: true }
    case 'error in stream':
      return { errorLine: fault.words }
    default:
      throw new Error(`the Ollama stand-in does not support the fault "${fault.what}"`)
  }
}
