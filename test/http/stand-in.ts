/** Models that a test can make fail, and a daemon that uses them. */
import type { Slot } from '../../facts/fact-values.ts'
import { type Mind, MindError, type Part } from '../../packages/models/mind.ts'
import { ModelError, type Models, type OrganAsk } from '../../packages/models/models.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { ask, type HttpAsk } from './try.ts'

export interface StandIn extends Models {
  /** The calls, in order: `prepare llama`, `wrap llama daimon-1`. */
  readonly doneCalls: string[]
  /** The calls that fail, each with its reason. */
  readonly brokenMethods: Partial<Record<'prepare' | 'wrap' | 'unwrap' | 'probe' | 'names', string>>
  /** The keys in the calls, in order. */
  readonly keys: (string | null)[]
  /** The names of its models. */
  offered: readonly string[]
  /** Tool calls of the next answers, one each. */
  readonly calls: { name: string; input: unknown }[]
  /** Awaited before each answer. A pending promise keeps the turn running. */
  think: () => Promise<void>
}

export const standIn = (): StandIn => {
  const recordedCalls: string[] = []
  const keys: (string | null)[] = []
  const failures: StandIn['brokenMethods'] = {}
  const recordCall = async (
    name: keyof StandIn['brokenMethods'],
    organ: Omit<OrganAsk, 'model'> & { model?: string },
    wrapper?: string | null,
  ) => {
    recordedCalls.push([name, organ.model, wrapper, organ.url].filter(Boolean).join(' '))
    keys.push(organ.apiKey)
    const reason = failures[name]
    if (reason !== undefined) throw new ModelError(reason)
  }
  const refuse = async (slot: Slot, { model }: OrganAsk): Promise<never> => {
    throw new MindError('refused', `"${model}" serves no ${slot} here.`)
  }
  const models: StandIn = {
    doneCalls: recordedCalls,
    keys,
    brokenMethods: failures,
    offered: ['llama', 'qwen'],
    calls: [],
    think: async () => {},
    prepare: (_slot, organ) => recordCall('prepare', organ),
    wrap: (organ, wrapper) => recordCall('wrap', organ, wrapper),
    unwrap: (organ, wrapper) => recordCall('unwrap', organ, wrapper),
    probe: (organ, wrapper) => recordCall('probe', organ, wrapper),
    names: async (organ) => {
      await recordCall('names', organ)
      return models.offered
    },
    described: async () => [{ name: 'llama', bytes: 1_000, tools: true }],
    mind: (): Mind => ({
      async *think({ messages }, signal): AsyncIterable<Part> {
        await Promise.race([
          models.think(),
          new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
        ])
        signal.throwIfAborted()
        const call = models.calls.shift()
        if (call) yield { type: 'call', call: { id: `call-${messages.length}`, ...call } }
        if (call) return yield { type: 'end', usage: { input: 1, output: 1 } }
        const last = messages.at(-1)
        yield { type: 'words', text: `You said: ${last?.role === 'user' ? last.content : ''}` }
        yield { type: 'end', usage: { input: 1, output: 1 } }
      },
    }),
    ear: (organ) => ({ hear: () => refuse('ear', organ) }),
    mouth: (organ) => ({ speak: () => refuse('mouth', organ) }),
    imagination: (organ) => ({ draw: () => refuse('imagination', organ) }),
    getAcceptedFiles: async () => ({ images: false, documents: false }),
    getContextWindow: async () => null,
    getParameters: async () => null,
    isOnThisMachine: () => false,
    refusals: () => [],
    close: async () => {},
  }
  return models
}

export interface Setup {
  readonly daemon: TestDaemon
  readonly models: StandIn
  /** Returns the status and the parsed body. */
  readonly get: (path: string) => Promise<readonly [number, unknown]>
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<readonly [number, unknown]>
  readonly send: (request: HttpAsk) => ReturnType<typeof ask>
  /** Creates a persona on a local model and returns its id. */
  readonly born: (fields?: object) => Promise<string>
}

export const withSetup =
  (act: (setup: Setup) => Promise<void>, overrides: Overrides = {}) =>
  async (): Promise<void> => {
    const models = standIn()
    const daemon = await startDaemon({ models, ...overrides })
    const send = (request: HttpAsk) => ask(daemon.port, request)
    const post: Setup['post'] = async (path, body, headers = {}) => {
      const options =
        body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } }
      const { status, text } = await send({ method: 'POST', path, ...options })
      return [status, JSON.parse(text)]
    }
    const get: Setup['get'] = async (path) => {
      const { status, text } = await send({ path })
      return [status, JSON.parse(text)]
    }
    const born: Setup['born'] = async (fields = {}) => {
      const [, created] = await post('/api/persona/create', {
        name: 'Ada',
        thinking_model: 'llama',
        ...fields,
      })
      return getId(created)
    }
    try {
      await act({ daemon, models, get, post, send, born })
    } finally {
      await daemon.close()
    }
  }

const getId = (creation: unknown): string => {
  const { persona } = creation as { persona?: { id?: unknown } }
  if (typeof persona?.id !== 'string') throw new Error(`not created: ${JSON.stringify(creation)}`)
  return persona.id
}
