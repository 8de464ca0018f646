/**
 * The stand-ins of all providers as one kind of thing: one script, one set of faults, and what a persona must
 * say to think there.
 */
import { oneWordAsked } from '../../src/mind/ping-model.ts'
import { chats } from '../models/cloud-stage.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import type { Fault } from '../stand-ins/faults.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi, type OpenAiOptions } from '../stand-ins/openai.ts'
import type { Answer, Heard, Json, StandIn } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'
import { createFront } from './setup.ts'

/** `openai` is the real one at its own name, `compatible` another server that speaks like it. */
export const kinds = ['anthropic', 'openai', 'gemini', 'xai', 'compatible', 'ollama'] as const
export type Kind = (typeof kinds)[number]
export const clouds = kinds.filter((kind) => kind !== 'ollama')

/** Of no form by which it could be known for one. */
export const keyBegins = 'Abc123secret'
export const keyOf = (kind: Kind): string => `${keyBegins}${kind}Xyz789`

/** One that may come after it. */
export const otherKeyBegins = 'Def456hidden'
export const otherKeyOf = (kind: Kind): string => `${otherKeyBegins}${kind}Uvw012`

/** What a Mind was asked, in one form for all. */
export interface Asked {
  readonly kind: Kind
  /** Of the newest message that has words of the person. */
  readonly text: string
  /** What tools gave since it last spoke. */
  readonly results: readonly string[]
  readonly tools: readonly string[]
  /** The newest message as it came over the wire. */
  readonly last: Json
}

export interface Host {
  readonly kind: Kind
  readonly url: string
  /** As a sentence must name it. */
  readonly address: string
  /** What an update is asked for. */
  readonly thinking: Readonly<Record<string, string>>
  /** What its Mind was asked so far, the one word not counted that shows whether it answers. */
  asked(): readonly Asked[]
  /** How many answers are open. */
  open(): number
  /**
   * From the next call on; null is well again. Every call, the endpoint too, or so many that ask its Mind. A
   * list: what comes of these calls, one by one.
   */
  strike(fault: Fault | null | readonly (Fault | null)[], times?: number): void
  /** The same, of all calls that ask for words: its models are listed as ever. */
  strikeTalk(fault: Fault): void
  /** Another key is the right one from now on. */
  rekey(key: string): void
  leave(): Promise<void>
  comeBack(): Promise<void>
  /** Whether a key came without being asked for, or where it does not belong. */
  spilled(): boolean
  close(): Promise<void>
}

type Script = (asked: Asked) => string | Answer

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
  const standIn = await makers[kind]({ key: keyOf(kind), answer: (heard) => script(cloudAsked(kind, heard)) })
  const { url, faults, log } = standIn
  const own = kind === 'compatible' ? { url } : {}
  // The others have the daemon's.
  const key = ['anthropic', 'gemini', 'compatible'].includes(kind) ? { api_key: keyOf(kind) } : {}
  return {
    ...{
      kind,
      url,
      open: standIn.open,
      rekey: standIn.rekey,
      leave: standIn.leave,
      comeBack: standIn.comeBack,
      close: standIn.close,
    },
    address: kind === 'openai' ? 'https://api.openai.com' : url,
    thinking: { model: models[kind], provider: kind === 'compatible' ? 'openai' : kind, ...own, ...key },
    asked: () =>
      standIn
        .calls(chats)
        .flatMap(({ heard }) => (heard ? [cloudAsked(kind, heard)] : []))
        .filter(ofATurn),
    strike: (fault, times) => {
      const some = Array.isArray(fault) ? [...fault] : Array(times ?? 0).fill(fault)
      const always = Array.isArray(fault) || times !== undefined ? null : (fault as Fault | null)
      Object.assign(faults, { on: always ? null : chats, always, next: some })
    },
    strikeTalk: (fault) => void Object.assign(faults, { on: chats, always: fault, next: [] }),
    spilled: () => log.some(({ spilled }) => spilled),
  }
}

const cloudAsked = (kind: Kind, { said, tools, body }: Heard): Asked => {
  const results = said
    .slice(said.findLastIndex(({ role }) => role === 'model') + 1)
    .flatMap((one) => one.results)
  const last = [body.messages, body.contents, body.input]
    .flatMap((all) => (Array.isArray(all) ? (all as readonly Json[]) : []))
    .at(-1)
  return {
    ...{ kind, tools, last: last ?? {} },
    text: said.findLast(({ role, text }) => role === 'user' && text)?.text ?? '',
    results: results.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
  }
}

/** Behind a front that can vanish; it asks for a key, as one behind a gateway does. */
const createLocal = async (script: Script): Promise<Host> => {
  let coming: (Fault | null)[] = []
  const strikeNow = (fault: Fault | null | undefined, times: number) =>
    void Object.assign(ollama.faults, fault ? localFaults(fault, times) : {})
  const ollama: OllamaStandIn = await createOllama({
    models: [models.ollama],
    answer: (request) => {
      // What hits a call before it is read cannot be one of several.
      strikeNow(coming.shift(), 1)
      const { text = '', calls = [], end } = plain(script(localAsked(request)))
      return {
        content: text,
        calls: calls.map(({ name, input }) => ({ name, arguments: input ?? {} })),
        length: end === 'length',
      }
    },
  })
  const front = await createFront(Number(new URL(ollama.url).port))
  const well = { ...ollama.faults }
  return {
    kind: 'ollama',
    ...{
      url: front.address,
      address: front.address,
      open: ollama.open,
      leave: front.close,
      comeBack: front.open,
    },
    thinking: { model: models.ollama, api_key: keyOf('ollama') },
    asked: () =>
      ollama
        .calls('/api/chat')
        .map(({ body }) => localAsked(body as unknown as ChatRequest))
        .filter(ofATurn),
    strike: (fault, times = Infinity) => {
      Object.assign(ollama.faults, well)
      coming = Array.isArray(fault) ? [...fault] : []
      if (!Array.isArray(fault)) strikeNow(fault as Fault | null, times)
    },
    strikeTalk: (fault) => {
      Object.assign(ollama.faults, well)
      strikeNow(fault, Infinity)
      ollama.faults.failsOn = /chat$/
    },
    rekey: () => {
      throw new Error('it knows no key')
    },
    spilled: () => ollama.log.some(({ authorization }) => authorization !== `Bearer ${keyOf('ollama')}`),
    close: async () => {
      await front.close()
      await ollama.close()
    },
  }
}

const ofATurn = ({ text }: Asked): boolean => text !== oneWordAsked

const plain = (made: string | Answer): Answer => (typeof made === 'string' ? { text: made } : made)

const localAsked = ({ messages, tools = [] }: ChatRequest): Asked => ({
  kind: 'ollama',
  text: messages.findLast(({ role, content }) => role === 'user' && content)?.content ?? '',
  results: messages
    .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
  tools: tools.map((tool) => tool.function.name),
  last: { ...messages.at(-1) },
})

/** As far as its stand-in can go wrong in the same way. */
const localFaults = (fault: Fault, times: number) => {
  switch (fault.what) {
    case 'status': {
      const { status, words = 'something broke', retryAfter } = fault
      const later = retryAfter === undefined ? null : String(retryAfter)
      return {
        fails: times,
        failsOn: times === Infinity ? null : /chat$/,
        failStatus: status,
        failWords: words,
        retryAfter: later,
      }
    }
    case 'silence':
      return { hangs: true }
    case 'stall':
      return { hangs: Math.min(fault.after, 2) }
    case 'redirect':
      return { redirect: fault.to }
    case 'cut':
      return { cut: fault.how, cutAlways: true }
    case 'error in stream':
      return { errorLine: fault.words }
    default:
      throw new Error(`an Ollama does not go wrong by ${fault.what}`)
  }
}
