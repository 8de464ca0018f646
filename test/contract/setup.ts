/**
 * One daemon for all tests of a file, with models that can be made to fail. Each test creates its own
 * personas.
 */
import type { Test } from 'uvu'
import { call, waitFor } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon } from '../daemon.ts'
import { type StandIn, standIn } from '../http/stand-in.ts'
import { ask, type HttpAsk, type Reply } from '../http/try.ts'
import { listenTo } from '../listener.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests assert the bodies
export type Answer = readonly [status: number, body: any]
export type Headers = Readonly<Record<string, string>>

export interface Setup {
  readonly daemon: TestDaemon
  /** Reset before each test. */
  readonly models: StandIn
  send(request: HttpAsk): Promise<Reply>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  /** Creates a persona on a local model and returns its id. */
  born(fields?: object): Promise<string>
  /** Creates a persona and returns the path of its routes. */
  home(fields?: object): Promise<string>
  /** Returns the persona's entry in the list. */
  view(id: string): Answer[1]
  /** Sends a message and returns the text of the reply. */
  say(personaPath: string, message: string): Promise<string>
  /**
   * Returns the frames of all facts of the journal as text. Appends one fact, by which it knows that it has
   * received all: it is the last one.
   */
  facts(id: string): Promise<readonly string[]>
}

export const shareSetup = (test: Test, overrides: Overrides = {}): Setup => {
  let daemon: TestDaemon
  const models = standIn()
  test.before(async () => {
    daemon = await startDaemon({ models, ...overrides })
  })
  test.before.each(() => resetModels(models))
  test.after(() => daemon.close())

  const send = (request: HttpAsk) => ask(daemon.port, request)
  const post: Setup['post'] = async (path, body, headers = {}) => {
    const options =
      body === undefined ? { headers } : { body: JSON.stringify(body), headers: { ...json, ...headers } }
    return toAnswer(await send({ method: 'POST', path, ...options }))
  }
  const get: Setup['get'] = async (path) => toAnswer(await send({ path }))
  const born: Setup['born'] = async (fields = {}) => {
    const [status, body] = await post('/api/persona/create', {
      name: 'Ada',
      thinking_model: 'llama',
      ...fields,
    })
    if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`)
    return body.persona.id
  }

  return {
    get daemon() {
      return daemon
    },
    models,
    send,
    get,
    post,
    born,
    home: async (fields) => `/api/persona/${await born(fields)}`,
    view: async (id) =>
      (await get('/api/personas'))[1].personas.find((persona: { id: string }) => persona.id === id),
    say: async (personaPath, message) =>
      (await post(`${personaPath}/read?wait=20`, { message }))[1].reply?.content,
    facts: (id) => readFacts(daemon, id),
  }
}

export const json = { 'Content-Type': 'application/json' }

const toAnswer = ({ status, text }: Reply): Answer => [status, JSON.parse(text)]

const resetModels = (models: StandIn): void => {
  for (const action of ['prepare', 'wrap', 'unwrap', 'probe', 'names'] as const)
    delete models.brokenMethods[action]
  models.doneCalls.length = 0
  models.keys.length = 0
  models.offered = ['llama', 'qwen']
  models.think = async () => {}
}

const readFacts = async ({ url }: TestDaemon, id: string): Promise<readonly string[]> => {
  const listener = await listenTo(url, `/ws/${id}?after=0`)
  try {
    markCount += 1
    const mark = `mark ${markCount}`
    const { status } = await call(url, 'POST', `/api/persona/${id}/update`, { name: mark })
    if (status !== 200) throw new Error(`the facts could not be marked: ${status}`)
    await waitFor('the last fact', () => listener.frames.some(({ details }) => details?.name === mark))
    return listener.texts.filter((_, i) => typeof listener.frames[i].seq === 'number')
  } finally {
    listener.leave()
  }
}
let markCount = 0

/** Returns the titles of facts, with the number of the life they begin: `Woke 2`. */
export const getTitles = (facts: readonly string[]): readonly string[] =>
  facts.map((text) => {
    const { title, type, details } = JSON.parse(text)
    return [title ?? type, details?.life].filter((part) => part !== undefined).join(' ')
  })

export const unknownPersona: Answer = [404, { detail: 'Persona not found.' }]
export const notActive: Answer = [409, { detail: 'Persona is not active.' }]

/** The 422 response for a missing or wrong part of a body or query. */
export const invalidBody = (
  type: string,
  loc: readonly (string | number)[],
  msg: string,
  fields: object = {},
): Answer => [422, { detail: [{ type, loc, msg, ...fields }] }]

/** Returns the keys in order. A missing key and an undefined value differ, which equality ignores. */
export const joinKeys = (value: object): string => Object.keys(value).join(' ')
