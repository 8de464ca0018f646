/**
 * A daemon with stand-ins of every provider. Each model answers as a test scripts it, and the calls are
 * recorded in one form.
 */
import { hash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Slot } from '../../facts/fact-values.ts'
import { file } from '../../packages/documents/test/place.ts'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { createModels } from '../../src/open-models.ts'
import { call, type Reply } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { mapped } from '../models/cloud-stage.ts'
import { providerUrls } from '../provider-urls.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { type ChatRequest, createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import type { Answer, HeardRequest, StandIn } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'

/** `sighted` is an Ollama whose model has 'vision'. */
export const clouds = ['anthropic', 'openai', 'gemini', 'xai'] as const
export type Cloud = (typeof clouds)[number]
export type ServerKind = 'ollama' | 'sighted' | Cloud

const chatModels: Readonly<Record<ServerKind, string>> = {
  ollama: 'llama3',
  sighted: 'llava',
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-4o',
  gemini: 'gemini-2.5-flash',
  xai: 'grok-4',
}

/** One model call. `role` is derived from the system prompt. */
export interface ModelCall {
  readonly provider: ServerKind
  readonly role: 'mind' | 'eye' | 'researcher' | 'teacher' | 'other'
  readonly model: string
  readonly system: string
  readonly messages: readonly {
    readonly role: string
    readonly text: string
    readonly files: readonly string[]
  }[]
  /** SHA-256 of every file in the call. */
  readonly files: readonly string[]
  /** The newest message. */
  readonly last: string
  readonly tools: readonly string[]
  /** The tool definitions as JSON. Models of Ollama only. */
  readonly toolDefinitions: string
}
export type Script = (modelRequest: ModelCall) => string | Answer | Promise<string | Answer>

export interface Setup {
  readonly daemon: TestDaemon
  readonly ollama: OllamaStandIn
  readonly standIns: Readonly<Record<Cloud, StandIn>>
  /** Answers for every model. Reset before each test. */
  answer: Script
  /** The calls since the last persona was created. */
  readonly calls: readonly ModelCall[]
  forget(): void
  /** Returns the calls of models with this role. */
  callsTo(role: ModelCall['role']): readonly ModelCall[]
  /** Returns the organ as the update route expects it. */
  organ(provider: ServerKind, model?: string): Readonly<Record<string, string>>
  /** Creates a persona with a Mind at this provider and these organs. */
  born(
    mind: ServerKind | 'embedded',
    organs?: Partial<Record<Slot, ServerKind | readonly [ServerKind, string]>>,
  ): Promise<HostedPersona>
  restart(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert the bodies
type Body = any

export interface HostedPersona {
  readonly id: string
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
  /** Sends a message and returns the reply. */
  say(message: string): Promise<string>
  /** Attaches a file, by its name in the test files or with its own bytes, and returns the reply. */
  show(name: string, options?: SentMessage): Promise<string>
  /** Sends a recording and returns the reply. */
  hear(name: string, options?: SentMessage): Promise<string>
  /** Sends a file without waiting for a reply. Returns the status. */
  send(path: 'attach' | 'hear', name: string, options?: SentMessage): Promise<number>
  talk(): Promise<Body[]>
  /** Returns the newest turn. */
  turn(): Promise<Body>
}

export interface SentMessage {
  readonly bytes?: Uint8Array | string
  readonly caption?: string
}

export const key = 'Abc123secretXyz789'
export const readFixture = (name: string): Promise<Buffer> => readFile(file(name))
export const hashBytes = (bytes: Uint8Array | string): string => hash('sha256', bytes)
export const hashFixture = async (name: string): Promise<string> => hashBytes(await readFixture(name))

export const shareSetup = (test: Test, overrides: Overrides = {}): Setup => {
  const rooms = {} as { daemon: TestDaemon; ollama: OllamaStandIn; sighted: OllamaStandIn } & Record<
    Cloud,
    StandIn
  >
  const recordedCalls: ModelCall[] = []
  const answer = async (modelCall: ModelCall): Promise<Answer> => {
    recordedCalls.push(modelCall)
    const scripted = await setup.answer(modelCall)
    return typeof scripted === 'string' ? { text: scripted } : scripted
  }
  const cloud = (provider: Cloud) => ({
    key,
    answer: (request: HeardRequest) => answer(toModelCall(provider, request)),
  })
  const local = (provider: ServerKind, capabilities: readonly string[]) =>
    createOllama({
      models: ['llama3', 'llava'],
      capabilities,
      answer: async (request) => {
        const { text = '', calls = [] } = await answer(toLocalAsked(provider, request))
        return { content: text, calls: calls.map(({ name, input }) => ({ name, arguments: input })) }
      },
    })
  let home = ''
  const open = async () => {
    const urls = providerUrls({
      local: rooms.ollama.url,
      anthropic: rooms.anthropic.url,
      openai: openAiUrl,
      gemini: rooms.gemini.url,
      xai: rooms.xai.url,
    })
    const network = mapped(createNetwork({ env: {} }), openAiUrl, rooms.openai.url)
    const models = createModels({ urls, env: {}, network })
    const env = {
      OLLAMA_BASE_URL: urls.local,
      ANTHROPIC_BASE_URL: urls.anthropic,
      GEMINI_BASE_URL: urls.gemini,
      XAI_BASE_URL: urls.xai,
    }
    rooms.daemon = await startDaemon({
      models,
      random: () => 0,
      ...overrides,
      env: { ...env, ...overrides.env },
      home,
    })
  }

  test.before(async () => {
    rooms.ollama = await local('ollama', ['completion', 'tools'])
    rooms.sighted = await local('sighted', ['completion', 'tools', 'vision'])
    rooms.anthropic = await createAnthropic(cloud('anthropic'))
    rooms.openai = await createOpenAi({
      ...cloud('openai'),
      models: ['gpt-4o', 'whisper-1', 'tts-1', 'gpt-image-1', 'dall-e-3'],
    })
    rooms.gemini = await createGemini(cloud('gemini'))
    rooms.xai = await createXai(cloud('xai'))
    home = await tempHome()
    await open()
  })
  test.before.each(() => {
    setup.answer = ({ role }) => (role === 'mind' ? 'I see.' : `The ${role} tells.`)
  })
  test.after(async () => {
    await rooms.daemon.close()
    await rm(home, { recursive: true, force: true })
    await Promise.all(['ollama', 'sighted', ...clouds].map((name) => rooms[name as 'ollama'].close()))
  })

  const organ: Setup['organ'] = (provider, model = chatModels[provider]) => {
    if (provider === 'ollama' || provider === 'sighted') return { model, url: rooms[provider].url }
    return { model, provider, api_key: key }
  }

  const setup: Setup = {
    get daemon() {
      return rooms.daemon
    },
    get ollama() {
      return rooms.ollama
    },
    get standIns() {
      return rooms
    },
    answer: () => '',
    calls: recordedCalls,
    forget: () => void recordedCalls.splice(0),
    callsTo: (role) => recordedCalls.filter((modelCall) => modelCall.role === role),
    organ,
    born: async (mind, organs = {}) => {
      const organFields = {
        thinking: mind === 'embedded' ? { model: 'embedded/practice' } : organ(mind),
      } as Record<string, object>
      for (const [slot, provider] of Object.entries(organs))
        organFields[slot] = organ(...([provider].flat() as [ServerKind, string?]))
      const fields = Object.entries(organFields).flatMap(([slot, organParts]) =>
        Object.entries(organParts).map(([name, value]) => [`${slot}_${name}`, value]),
      )
      const { status, body } = await call(rooms.daemon.url, 'POST', '/api/persona/create', {
        name: 'Ada',
        ...Object.fromEntries(fields),
      })
      assert.is(status, 200, JSON.stringify(body))
      setup.forget()
      return persona(() => rooms.daemon.url, body.persona.id)
    },
    restart: async () => {
      await rooms.daemon.close()
      await open()
    },
  }
  return setup
}

/** At this address the client treats the provider as OpenAI itself, not as a compatible one. */
const openAiUrl = 'https://api.openai.com'

export const persona = (url: () => string, id: string): HostedPersona => {
  const personaPath = `/api/persona/${id}`
  const get: HostedPersona['get'] = (path) => call(url(), 'GET', `${personaPath}${path}`)
  const post: HostedPersona['post'] = (path, body) => call(url(), 'POST', `${personaPath}${path}`, body)
  const getReply = ({ status, body }: Reply): string => {
    assert.is(status, 200, JSON.stringify(body))
    assert.ok(body.reply, 'there is no reply')
    return body.reply.content
  }
  const form = async (
    path: string,
    part: string,
    name: string,
    { bytes, caption }: SentMessage,
  ): Promise<Reply> => {
    const parts = new FormData()
    parts.set(
      part,
      new File([new Uint8Array(Buffer.from((bytes ?? (await readFixture(name))) as Uint8Array))], name),
    )
    if (caption !== undefined) parts.set('caption', caption)
    const response = await fetch(`${url()}${personaPath}/${path}`, {
      method: 'POST',
      body: parts,
      signal: AbortSignal.timeout(40_000),
    })
    return { status: response.status, body: await response.json() }
  }
  return {
    id,
    get,
    post,
    say: async (message) => getReply(await post('/read?wait=30', { message })),
    show: async (name, options = {}) => getReply(await form('attach?wait=30', 'file', name, options)),
    hear: async (name, options = {}) => getReply(await form('hear?wait=30', 'audio', name, options)),
    send: async (path, name, options = {}) =>
      (await form(path, path === 'attach' ? 'file' : 'audio', name, options)).status,
    talk: async () => (await get('/conversation')).body.messages,
    turn: async () => {
      const { messages } = (await get('/conversation')).body
      const id = messages.findLast(({ turn }: Body) => turn !== null)?.turn
      return (await get(`/turns/${id}`)).body
    },
  }
}

const roles: readonly (readonly [ModelCall['role'], RegExp])[] = [
  ['mind', /^You are .*\nYou are (?:software, a companion|a persistent persona)/],
  ['eye', /^You (are the eye of|look at a picture for) a persona/],
  ['researcher', /^You read (documents|a document) for a persona/],
  ['teacher', /^You are the teacher of a persona/],
]
const getRole = (system: string): ModelCall['role'] =>
  roles.find(([, begins]) => begins.test(system))?.[0] ?? 'other'

const toModelCall = (
  provider: ServerKind,
  { model, system, messages: heardMessages, tools }: HeardRequest,
): ModelCall => {
  const messages = heardMessages.map(({ role, text, files, results }) => ({
    role,
    text: results.length > 0 ? JSON.stringify(results.map(({ content }) => content)) : text,
    files: files.map(({ bytes }) => hashBytes(bytes)),
  }))
  const common = { provider, model, system, tools, toolDefinitions: '' }
  return { ...common, role: getRole(system), messages, ...getEnd(messages) }
}

const toLocalAsked = (provider: ServerKind, { model, messages, tools = [] }: ChatRequest): ModelCall => {
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  const chatMessages = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content, images = [] }) => ({
      role,
      text: content,
      files: images.map((image) => hashBytes(Buffer.from(image, 'base64'))),
    }))
  return {
    provider,
    model,
    system,
    tools: tools.map((tool) => tool.function.name),
    toolDefinitions: JSON.stringify(tools),
    role: getRole(system),
    messages: chatMessages,
    ...getEnd(chatMessages),
  }
}

const getEnd = (messages: ModelCall['messages']) => ({
  files: messages.flatMap(({ files }) => files),
  last: messages.at(-1)?.text ?? '',
})
