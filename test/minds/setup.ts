/**
 * A daemon whose personas think with an Ollama that can misbehave, vanish and come back, under a clock that
 * stands still.
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
  /** Where the daemon finds it. */
  readonly address: string
  readonly clock: FakeClock
  readonly daemon: TestDaemon
  /** The runtime is gone: nothing listens there. */
  vanish(): Promise<void>
  comeBack(): Promise<void>
  post(path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  /** Creates Ada on `llama3`, or on what is asked for. */
  ada(asked?: Readonly<Record<string, unknown>>): Promise<string>
  /** What it answers to a message within the turn that took it. */
  say(id: string, message: string): Promise<string>
  /** `role: content` of every message. */
  talk(id: string): Promise<readonly string[]>
  // biome-ignore lint/suspicious/noExplicitAny: the view is looked into by tests
  view(id: string): Promise<any>
  /** Calls of `/api/chat` while something is done, the one word not counted that shows whether it answers. */
  chats(work: () => Promise<unknown>): Promise<number>
  /** Time passes in steps until it is so; a heartbeat comes every minute of it. */
  until(what: string, look: () => Promise<boolean> | boolean, step?: number): Promise<void>
  /** Ids that have anything in the home. */
  folders(): Promise<readonly string[]>
  /** The daemon ends and starts anew on the same home. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Milliseconds: what a hanging runtime is given here. */
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
    ollama.calls('/api/chat').filter(({ body }) => lastOf(body)?.content !== oneWordAsked).length

  return {
    ollama,
    address: front.address,
    clock,
    get daemon() {
      return daemon
    },
    vanish: front.close,
    comeBack: front.open,
    post,
    get,
    ada: async (asked = {}) => {
      const { status, body } = await post('/api/persona/create', {
        name: 'Ada',
        thinking_model: 'llama3',
        ...asked,
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
      const before = count()
      await work()
      return count() - before
    },
    until: async (what, look, step = 1) => {
      const end = Date.now() + 30_000
      while (!(await look())) {
        if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
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

const lastOf = ({ messages }: Readonly<Record<string, unknown>>) =>
  (messages as readonly ChatMessage[]).at(-1)

/** The address of a runtime that can vanish and come back, which the runtime itself cannot. */
export const createFront = async (behind: number) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = dial(behind, '127.0.0.1')
    for (const one of [socket, other]) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        socket.destroy()
        other.destroy()
      })
    }
    socket.pipe(other).pipe(socket)
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

/**
 * Retries wait by the clock, so it moves on while a call is on its way, by so many milliseconds at a time.
 */
export const ticking = async <T>(clock: FakeClock, work: Promise<T>, step = 100): Promise<T> => {
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  ended.catch(() => undefined)
  while (!done) {
    await clock.advance(step)
    await pause(1)
  }
  return ended
}
