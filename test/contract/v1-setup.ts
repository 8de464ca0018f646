/** A daemon whose personas use a scripted Ollama, and a client of OpenAI for its endpoint. */
import OpenAI from 'openai'
import type { Test } from 'uvu'
import { call, waitFor } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { listenTo } from '../listener.ts'
import {
  type Answer,
  type ChatRequest,
  createOllama,
  type OllamaStandIn,
  type Options,
} from '../stand-ins/ollama.ts'

export interface Setup {
  readonly daemon: TestDaemon
  readonly ollama: OllamaStandIn
  readonly client: OpenAI
  /** The answer of the model. Tests replace it; reset to `ok` before each test. */
  answer: (request: ChatRequest) => string | Answer
  /** Creates a running persona and returns its id. */
  born(fields?: object): Promise<string>
  post(path: string, body?: unknown): ReturnType<typeof call>
  get(path: string): ReturnType<typeof call>
  /** Returns the requests to the model, oldest first. */
  getRequests(): readonly ChatRequest[]
  /** Returns the frames of the persona's facts. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the frames
  facts(id: string): Promise<readonly any[]>
}

export const shareSetup = (
  test: Test,
  { options = {}, ...overrides }: Overrides & { readonly options?: Options } = {},
): Setup => {
  let daemon: TestDaemon
  let ollama: OllamaStandIn
  let client: OpenAI
  let callsBefore = 0
  test.before(async () => {
    ollama = await createOllama({ ...options, answer: (request) => setup.answer(request) })
    daemon = await startDaemon({
      random: () => 0,
      ...overrides,
      env: { OLLAMA_BASE_URL: ollama.url, ...overrides.env },
    })
    client = createClient(daemon)
  })
  test.before.each(() => {
    setup.answer = () => 'ok'
    Object.assign(ollama.faults, {
      hangs: false,
      cutMode: null,
      isAlwaysCut: false,
      errorLine: null,
      fails: 0,
    })
    callsBefore = ollama.log.length
  })
  test.after(async () => {
    await daemon.close()
    await ollama.close()
  })

  const post: Setup['post'] = (path, body = {}) => call(daemon.url, 'POST', path, body)
  const get: Setup['get'] = (path) => call(daemon.url, 'GET', path)
  const setup: Setup = {
    get daemon() {
      return daemon
    },
    get ollama() {
      return ollama
    },
    get client() {
      return client
    },
    answer: () => 'ok',
    born: async (fields = {}) => {
      const { status, body } = await post('/api/persona/create', {
        name: 'Ada',
        thinking_model: 'llama3',
        ...fields,
      })
      if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`)
      callsBefore = ollama.log.length
      return body.persona.id
    },
    post,
    get,
    getRequests: () =>
      ollama.log
        .slice(callsBefore)
        .flatMap(({ path, body }) => (path === '/api/chat' ? [body as unknown as ChatRequest] : [])),
    facts: async (id) => {
      const listener = await listenTo(daemon.url, `/ws/${id}?after=0`)
      await waitFor('the first facts', () => listener.frames.length > 0)
      const { body } = await post(`/api/persona/${id}/verify`)
      const all = await waitFor(
        'all facts',
        () => listener.frames.some(({ seq }) => seq >= body.events) && listener.frames,
      )
      listener.leave()
      return all.filter(({ seq }) => seq !== null)
    },
  }
  return setup
}

export const createClient = ({ url }: { readonly url: string }): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'whatever', maxRetries: 0 })

/** Returns the thrown API error. Throws if none was thrown. */
export const getApiError = async (work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> => {
  try {
    await work
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

export const user = (content: string) => ({ role: 'user' as const, content })
