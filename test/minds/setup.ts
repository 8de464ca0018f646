/**
 * A daemon with personas on an Ollama stand-in that can fail, go offline and come back, under a fake clock.
 */

import { readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { oneWordAsked } from '../../src/mind/ping-model.ts'
import { createModels } from '../../src/open-models.ts'
import { call, pause, type Reply } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { providerUrls } from '../provider-urls.ts'
import { type ChatMessage, createOllama, type OllamaStandIn, type Options } from '../stand-ins/ollama.ts'

export interface Setup {
  readonly ollama: OllamaStandIn
  /** Address that the daemon uses for Ollama. */
  readonly address: string
  readonly clock: FakeClock
  readonly daemon: TestDaemon
  /** Takes the runtime offline: connections are refused. */
  vanish(): Promise<void>
  restore(): Promise<void>
  post(path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  /** Creates Ada on `llama3`, or with the given settings. */
  ada(settings?: Readonly<Record<string, unknown>>): Promise<string>
  /** Sends a message and returns the reply of its turn. */
  say(id: string, message: string): Promise<string>
  /** `role: content` of every message. */
  talk(id: string): Promise<readonly string[]>
  // biome-ignore lint/suspicious/noExplicitAny: the view is looked into by tests
  view(id: string): Promise<any>
  /** Counts the calls of `/api/chat` during `work`, without health probes. */
  chats(work: () => Promise<unknown>): Promise<number>
  /** Advances the clock in steps of `step` ms until the condition holds. A heartbeat occurs every minute. */
  waitForEvent(event: string, look: () => Promise<boolean> | boolean, step?: number): Promise<void>
  /** Returns the ids that have a folder in the home. */
  folders(): Promise<readonly string[]>
  /** Restarts the daemon on the same home. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Network limits in ms and bytes, short because some tests let the runtime hang. */
const quick = { firstByte: 400, silence: 300, whole: 2000, size: 1024 * 1024 }

export const openSetup = async (options: Options = {}): Promise<Setup> => {
  const ollama = await createOllama(options)
  const front = await createFront(Number(new URL(ollama.url).port))
  const clock = createFakeClock()
  const urls = providerUrls({ local: front.address })
  const home = await tempHome()
  const start = () => {
    const network = createNetwork({ env: {}, limits: { local: quick, download: quick } })
    const models = createModels({ urls, network, now: clock.now, probeTimeout: 500 })
    return startDaemon({ models, clock, random: () => 0, env: { OLLAMA_BASE_URL: front.address }, home })
  }
  let daemon = await start()

  const post = (path: string, body?: unknown) => ticking(clock, call(daemon.url, 'POST', path, body))
  const get = (path: string) => call(daemon.url, 'GET', path)
  const view = async (id: string) =>
    (await get('/api/personas')).body.personas.find((persona: { id: string }) => persona.id === id)
  const count = () =>
    ollama.calls('/api/chat').filter(({ body }) => getLast(body)?.content !== oneWordAsked).length

  return {
    ollama,
    address: front.address,
    clock,
    get daemon() {
      return daemon
    },
    vanish: front.close,
    restore: front.open,
    post,
    get,
    ada: async (settings = {}) => {
      const { status, body } = await post('/api/persona/create', {
        name: 'Ada',
        thinking_model: 'llama3',
        ...settings,
      })
      assert.is(status, 200, JSON.stringify(body))
      return body.persona.id
    },
    say: async (id, message) => {
      const { status, body } = await post(`/api/persona/${id}/read?wait=600`, { message })
      assert.is(status, 200, JSON.stringify(body))
      return body.reply.content
    },
    talk: async (id) => {
      const { body } = await get(`/api/persona/${id}/conversation`)
      return body.messages.map(
        ({ role, content }: { role: string; content: string }) => `${role}: ${content}`,
      )
    },
    view,
    chats: async (work) => {
      const countBefore = count()
      await work()
      return count() - countBefore
    },
    waitForEvent: async (event, look, step = 1) => {
      const end = Date.now() + 30_000
      while (!(await look())) {
        if (Date.now() > end) throw new Error(`timed out waiting for ${event}`)
        await clock.advance(step)
      }
    },
    folders: () => readdir(join(daemon.home, 'personas')).catch(() => []),
    restart: async () => {
      await daemon.close()
      daemon = await start()
    },
    close: async () => {
      await daemon.close()
      await front.close()
      await ollama.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const getLast = ({ messages }: Readonly<Record<string, unknown>>) =>
  (messages as readonly ChatMessage[]).at(-1)

/** A TCP proxy before the runtime that can go offline and come back. The stand-in itself cannot. */
export const createFront = async (targetPort: number) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const otherConnection = dial(targetPort, '127.0.0.1')
    for (const endpoint of [socket, otherConnection]) {
      sockets.add(endpoint)
      endpoint.on('error', () => undefined)
      endpoint.on('close', () => {
        sockets.delete(endpoint)
        socket.destroy()
        otherConnection.destroy()
      })
    }
    socket.pipe(otherConnection).pipe(socket)
  })
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
    )
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    open: () => listen(port),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Advances the clock in steps of `step` ms until the promise settles, because retries wait by the clock. */
export const ticking = async <T>(clock: FakeClock, work: Promise<T>, step = 100): Promise<T> => {
  let isDone = false
  const settledWork = work.finally(() => {
    isDone = true
  })
  settledWork.catch(() => undefined)
  while (!isDone) {
    await clock.advance(step)
    await pause(1)
  }
  return settledWork
}
