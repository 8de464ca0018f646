/**
 * A daemon with personas on every provider, each at a stand-in with injectable faults, under a fake clock.
 * Its output and files are searched for keys.
 */
import { rm } from 'node:fs/promises'
import * as assert from 'uvu/assert'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { type CallBounds, createNetwork } from '../../packages/kit/network/network.ts'
import { readConfig } from '../../src/config.ts'
import { createModels } from '../../src/open-models.ts'
import { call, type Reply, waitFor } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { type Listener, listenTo } from '../listener.ts'
import { calm, mapped } from '../models/cloud-stage.ts'
import { createSecret, filesWith, isIn, wordsOfHome } from '../secrets/search.ts'
import type { Answer } from '../stand-ins/provider.ts'
import {
  createHost,
  getKey,
  type Host,
  type Kind,
  keyBegins,
  kinds,
  type ModelRequest,
  otherKeyBegins,
} from './hosts.ts'
import { ticking } from './setup.ts'

export interface HostedPersona {
  readonly id: string
  readonly kind: Kind
  readonly host: Host
  /** All frames of the persona since its creation. */
  readonly listener: Listener
  /** Sends a POST to a route of the persona. */
  post(path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  /** Sends a message without waiting for the turn. */
  tell(message: string): Promise<void>
  /** Sends a message and returns the frames of its turn. The caller must advance the clock meanwhile. */
  say(message: string): Promise<TurnFrames>
  /** Returns the details of the persona's facts of one type, as sent to sockets. */
  // biome-ignore lint/suspicious/noExplicitAny: facts are looked into by tests, which say what they expect there
  facts(title: string): readonly any[]
  /** `role: content` of every message. */
  talk(): Promise<readonly string[]>
}

export interface TurnFrames {
  readonly outcome: string
  /** Messages of the persona, oldest first. */
  readonly texts: readonly string[]
  /** Number of times the streamed text started from offset 0. */
  readonly startCount: number
  /** Duration in milliseconds on the daemon's clock. */
  readonly durationMs: number
}

export interface ProviderSetup {
  readonly clock: FakeClock
  readonly daemon: TestDaemon
  readonly hosts: Readonly<Record<Kind, Host>>
  /** Network limits. Changes apply from the next call on. */
  readonly bounds: { -readonly [K in keyof CallBounds]: CallBounds[K] }
  /** Creates one persona for each of these providers. */
  born(selectedKinds?: readonly Kind[]): Promise<readonly HostedPersona[]>
  get(path: string): Promise<Reply>
  /** Advances the clock in steps of `step` ms until the promise settles. */
  passing<T>(work: Promise<T>, step?: number): Promise<T>
  /** Advances the clock in steps of `step` ms until the condition holds. A heartbeat occurs every minute. */
  waitForEvent(event: string, look: () => Promise<boolean> | boolean, step?: number): Promise<void>
  /** Restarts the daemon on the same home. Sockets are closed. */
  restart(): Promise<void>
  /** Throws if a key is found in replies, logs or files other than the secrets. */
  close(): Promise<void>
}

export interface SetupOptions {
  /** Returns the answer of every model. */
  readonly answer?: (request: ModelRequest) => string | Answer
  readonly random?: () => number
  /** Timeout of health probes in ms. */
  readonly probeTimeout?: number
  /** Work that must finish before the clock wakes its next waiter. */
  readonly settle?: () => Promise<unknown>
  readonly stopwatch?: Stopwatch
}

/** Runs concurrently for all personas. Errors name the provider. */
export const forEachHost = async (
  personas: readonly HostedPersona[],
  work: (persona: HostedPersona) => Promise<void>,
): Promise<void> => {
  const outcomes = await Promise.allSettled(personas.map(work))
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    const { reason } = outcome
    if (reason instanceof Error)
      Object.defineProperty(reason, 'message', { value: `${personas[at]?.kind}: ${reason.message}` })
    throw reason
  }
}

/** Runs a test in a setup, then closes it and searches it for keys. */
export const withProviderSetup = async (
  options: SetupOptions,
  play: (setup: ProviderSetup) => Promise<void>,
): Promise<void> => {
  const setup = await openProviderSetup(options)
  try {
    await play(setup)
  } catch (error) {
    await setup.close().catch(() => undefined)
    throw error
  }
  await setup.close()
}

/** Part of the user's messages. It must not be logged. */
export const secretWord = 'Blaubeerkuchen'

export const openProviderSetup = async ({
  answer = () => 'fine again',
  random = () => 0,
  probeTimeout = 10_000,
  settle,
  stopwatch,
}: SetupOptions = {}): Promise<ProviderSetup> => {
  const entries = await Promise.all(
    kinds.map(async (kind) => [kind, await createHost(kind, answer)] as const),
  )
  const hosts = Object.fromEntries(entries) as Record<Kind, Host>
  const clock = createFakeClock(undefined, undefined, settle)
  const home = await tempHome()
  const bounds = { ...calm }
  const env = {
    OLLAMA_BASE_URL: hosts.ollama.url,
    ANTHROPIC_BASE_URL: hosts.anthropic.url,
    GEMINI_BASE_URL: hosts.gemini.url,
    XAI_BASE_URL: hosts.xai.url,
    // xAI and OpenAI use keys of the daemon; the others use keys of each persona.
    XAI_API_KEY: getKey('xai'),
    OPENAI_API_KEY: getKey('openai'),
    DAIMON_LOG_LEVEL: 'trace',
  }
  const lines: string[] = []
  const replies: string[] = []
  const listeners: Listener[] = []

  const start = () => {
    const { urls, keys } = readConfig({ ...env, DAIMON_HOME: home })
    const plainNetwork = createNetwork({
      env: {},
      limits: { local: bounds, remote: bounds, download: bounds },
    })
    const network = mapped(plainNetwork, 'https://api.openai.com', hosts.openai.url)
    const models = createModels({ urls, keys, env: {}, network, now: clock.now, probeTimeout })
    return startDaemon({
      models,
      clock,
      ...(stopwatch && { stopwatch }),
      random,
      env,
      home,
      logTo: (line) => lines.push(line),
    })
  }
  let daemon = await start()
  const listenIn = async () => void listeners.push(await listenTo(daemon.url, '/ws/system'))
  await listenIn()

  const ask: Ask = async (method, path, body) => {
    const reply = await call(daemon.url, method, path, body)
    // Only the reply to the creation may contain keys.
    if (path !== '/api/persona/create') replies.push(JSON.stringify(reply))
    return reply
  }

  const createPersona = async (kind: Kind): Promise<HostedPersona> => {
    const thinkingParams = Object.entries(hosts[kind].thinkingFields).map(([name, value]) => [
      `thinking_${name}`,
      value,
    ])
    const { status, body } = await ask('POST', '/api/persona/create', {
      name: `Ada of ${kind}`,
      ...Object.fromEntries(thinkingParams),
    })
    assert.is(status, 200, `${kind}: ${JSON.stringify(body)}`)
    const { id } = body.persona
    const listener = await listenTo(daemon.url, `/ws/${id}`)
    listeners.push(listener)
    return createHosted({ id, kind, host: hosts[kind], listener, clock, ask })
  }

  return {
    clock,
    hosts,
    bounds,
    get daemon() {
      return daemon
    },
    passing: (work, step) => ticking(clock, work, step),
    born: (selectedKinds = kinds) => Promise.all(selectedKinds.map(createPersona)),
    get: (path) => ask('GET', path),
    waitForEvent: async (event, look, step = 15_000) => {
      const end = Date.now() + 30_000
      while (!(await look())) {
        if (Date.now() > end) throw new Error(`timed out waiting for ${event}`)
        await clock.advance(step)
      }
    },
    restart: async () => {
      await daemon.close()
      daemon = await start()
      await listenIn()
    },
    close: async () => {
      await daemon.close()
      await Promise.all(Object.values(hosts).map((host) => host.close()))
      try {
        const texts = [...listeners.flatMap((listener) => listener.texts), ...lines, ...replies]
        await assertNoKeys(home, texts)
        for (const line of lines) assert.not.ok(line.includes(secretWord), line)
        for (const host of Object.values(hosts))
          assert.not.ok(host.spilled(), `the key of ${host.kind} was sent to the wrong place`)
      } finally {
        await rm(home, { recursive: true, force: true })
      }
    },
  }
}

type Ask = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Reply>

type Born = Pick<HostedPersona, 'id' | 'kind' | 'host' | 'listener'> & {
  readonly clock: FakeClock
  readonly ask: Ask
}

const createHosted = ({ clock, ask, ...persona }: Born): HostedPersona => {
  const { id, kind, listener } = persona
  const { frames } = listener
  const post = (path: string, body?: unknown) => ask('POST', `/api/persona/${id}/${path}`, body)
  const get = (path: string) => ask('GET', `/api/persona/${id}/${path}`)
  const tell = async (message: string) => {
    const { status, body } = await post('read', { message })
    assert.is(status, 200, JSON.stringify(body))
  }
  return {
    ...persona,
    post,
    get,
    tell,
    say: async (message) => {
      const countBefore = frames.length
      const startedAt = clock.now()
      await tell(message)
      const end = await waitFor(`${kind} to end its turn`, () =>
        frames.slice(countBefore).find(({ title }) => title === 'TurnEnded'),
      )
      const newFrames = frames.slice(countBefore)
      const texts = newFrames.flatMap(({ type, content }) => (type === 'chat_message' ? [content] : []))
      return {
        outcome: end.details.outcome,
        texts: texts,
        startCount: countStarts(newFrames),
        durationMs: clock.now() - startedAt,
      }
    },
    facts: (title) => frames.filter((frame) => frame.title === title).map(({ details }) => details),
    talk: async () => {
      const { status, body } = await get('conversation')
      assert.is(status, 200, JSON.stringify(body))
      return body.messages.map(
        ({ role, content }: { role: string; content: string }) => `${role}: ${content}`,
      )
    },
  }
}

/** Throws if a key is found in the texts or the home, except in the secrets. */
const assertNoKeys = async (home: string, texts: readonly string[]): Promise<void> => {
  const storedTexts = await wordsOfHome(home)
  for (const key of [keyBegins, otherKeyBegins]) {
    const secret = createSecret(key, key)
    const files = (await filesWith(secret, home)).filter((path) => !/^personas\/[^/]+\/secrets$/.test(path))
    assert.equal(files, [], key)
    for (const text of [...texts, ...storedTexts]) assert.not.ok(isIn(secret, text), `${key} in: ${text}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: frames are looked into by tests, which say what they expect there
const countStarts = (frames: readonly any[]): number => {
  let starts = 0
  let text = ''
  for (const { type, offset, delta } of frames) {
    if (type !== 'chat_delta') continue
    if (offset === 0) {
      starts++
      text = ''
    }
    assert.is(offset, text.length, 'the text has no gaps')
    text += delta
  }
  return starts
}
