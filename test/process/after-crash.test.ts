import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { simple } from '../../packages/history-import/test/made.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import type { Part } from '../../packages/models/mind.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { call, type Reply, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { type StandIn, standIn } from '../http/stand-in.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { walk } from './daemon.ts'

const test = suite<{ ends: (() => unknown)[] }>('after a crash', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const newHome = async ({ ends }: { ends: (() => unknown)[] }): Promise<string> => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  return home
}

/** Creates a home as a SIGKILL leaves it, with this many personas that received one message each. */
const createCrashedHome = async (
  world: { ends: (() => unknown)[] },
  count: number,
): Promise<{ home: string; ids: readonly string[] }> => {
  const daemon = await startDaemon()
  world.ends.push(daemon.close)
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: `No. ${n}`,
      thinking_model: 'embedded/practice',
    })
    await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/read?wait=10`, {
      message: `Hello, No. ${n}`,
    })
    ids.push(body.persona.id)
  }
  const home = await newHome(world)
  await cp(daemon.home, home, { recursive: true })
  return { home, ids }
}

// Fails if the server accepts requests before the journals are listed: each gets a 404.
test('finds every persona right after the start, even if the catalog is lost', async (world) => {
  const { home, ids } = await createCrashedHome(world, 3)
  await rm(join(home, 'catalog'), { recursive: true })
  const daemon = await startDaemon({ home })
  world.ends.push(daemon.close)
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<readonly Reply[]> =>
    Promise.all(ids.map((id) => call(daemon.url, method, `/api/persona/${id}/${path}`, body)))
  const [talks, hushReplies, updateReplies] = await Promise.all([
    ask('GET', 'conversation'),
    ask('POST', 'hush'),
    ask('POST', 'update', { idle_timeout: 60 }),
  ])
  for (const [n, { status, body }] of talks.entries()) {
    assert.is(status, 200, JSON.stringify(body))
    assert.is(body.messages[0].content, `Hello, No. ${n}`)
  }
  for (const { status, body } of [...hushReplies, ...updateReplies])
    assert.is(status, 200, JSON.stringify(body))
})

// Fails if folders without a journal are not removed.
test('removes the remains of an interrupted creation, and nothing else', async (world) => {
  const home = await newHome(world)
  const first = await startDaemon({ home })
  await first.close()
  const place = (...path: string[]) => join(home, 'personas', ...path)
  await mkdir(place('0b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11'), { recursive: true })
  await mkdir(place('2b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11'), { recursive: true })
  await writeFile(place('2b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11', 'secrets'), 'a key')
  await mkdir(place('1b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11', 'media'), { recursive: true })
  await mkdir(join(home, 'trash', 'fork-3b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11'), { recursive: true })
  const second = await startDaemon({ home })
  world.ends.push(second.close)
  await call(second.url, 'GET', '/api/personas')
  const paths = (await walk(home)).map(({ path }) => path)
  for (const id of ['0b7c8a52', '2b7c8a52', '3b7c8a52'])
    assert.not.ok(
      paths.some((path) => path.includes(id)),
      id,
    )
  assert.ok(paths.includes('personas/1b7c8a52-7b1e-4c52-9a52-1f1a6f6a1c11/media'))
})

// Fails if `keepSecret` and `create` do not wait: the cleanup removes the key of a persona that is being
// created.
test('does not mistake a creation right after the start for the remains of a crash', async (world) => {
  const home = await newHome(world)
  const catalog = await openCatalog(home)
  world.ends.push(() => catalog.close())
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  let look: () => void = () => undefined
  const whenListed = new Promise<void>((resolve) => {
    look = resolve
  })
  // The list is known, and the cleanup runs a moment later.
  const ids = async () => {
    const ids = await journals.ids()
    await whenListed
    return ids
  }
  const log = await createLog({ level: 'silent' })
  const personas = createPersonaStore({
    home,
    journals: { ...journals, ids },
    catalog,
    bus: createBus(),
    clock: systemClock(),
    log,
  })
  world.ends.push(() => personas.close())
  const pendingKeep = personas.keepSecret('ada', 'key-of-the-host')
  await new Promise((resolve) => setTimeout(resolve, 200))
  look()
  const key = await pendingKeep
  await personas.ready
  const thinkingOrgan = { model: 'llama3', provider: null, url: null, key }
  await personas.create({
    type: 'CreatePersona',
    id: 'ada',
    name: 'Ada',
    birthday: '2026-11-23',
    recipient: 'age1',
    organs: { thinking: thinkingOrgan },
  })
  assert.ok((await walk(home)).some(({ path }) => path === 'personas/ada/secrets'))
})

// Fails if a deleted persona is only removed from the list.
test('finishes an interrupted deletion', async (world) => {
  const { home, ids } = await createCrashedHome(world, 2)
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const log = await createLog({ level: 'silent' })
  const personas = createPersonaStore({
    home,
    journals,
    catalog,
    bus: createBus(),
    clock: systemClock(),
    log,
  })
  await personas.ready
  // The state on disk if the process dies right after the fact.
  await personas.execute(ids[0] ?? '', { type: 'DeletePersona', purge: false }, 'person')
  await personas.close()
  await catalog.close()

  const daemon = await startDaemon({ home })
  world.ends.push(daemon.close)
  const { body } = await call(daemon.url, 'GET', '/api/personas')
  assert.equal(
    body.personas.map(({ id }: { id: string }) => id),
    ids.slice(1),
  )
  const paths = (await walk(home)).map(({ path }) => path).filter((path) => path.includes(ids[0] ?? ''))
  assert.ok(
    paths.every((path) => path.startsWith('diaries/')),
    paths.join(),
  )
})

// Fails if the gate looks for the key only among the latest messages.
test('a message that is repeated after a restart is stored once', async (world) => {
  const home = await newHome(world)
  const ollama = await createOllama({ answer: () => 'ok' })
  world.ends.push(ollama.close)
  const start = () => startDaemon({ home, env: { OLLAMA_BASE_URL: ollama.url } })
  const first = await start()
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const path = `/api/persona/${body.persona.id}/read?wait=10`
  const firstReply = await call(first.url, 'POST', path, { message: 'once' }, { key: 'k1' })
  // More messages than the state remembers.
  for (let n = 0; n < 150; n++)
    await call(first.url, 'POST', path.replace('10', '0'), { message: `${n}` }, { key: `other ${n}` })
  await first.close()

  const second = await start()
  world.ends.push(second.close)
  let secondReply: Reply
  do secondReply = await call(second.url, 'POST', path, { message: 'once' }, { key: 'k1' })
  while (secondReply.status === 409)
  assert.equal(secondReply.body, firstReply.body)
  const { messages } = (await call(second.url, 'GET', path.replace(/read.*/, 'conversation?limit=1000'))).body
  assert.is(messages.filter(({ content }: { content: string }) => content === 'once').length, 1)
})

/** A model that does not answer from the third conversation on, until it is released. */
const createHaltingModels = (): {
  readonly models: StandIn
  readonly halted: () => boolean
  readonly goOn: () => void
} => {
  let calls = 0
  let isHalted = false
  let goOn = () => {}
  const whenReleased = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const mind = () => ({
    async *think(_: unknown, signal: AbortSignal): AsyncIterable<Part> {
      if (++calls === 3) {
        isHalted = true
        await whenReleased
        signal.throwIfAborted()
      }
      yield { type: 'words', text: '{"summary": "So it was.", "operations": []}' }
      yield { type: 'end', usage: { input: 1, output: 1 } }
    },
  })
  return { models: Object.assign(standIn(), { mind }), halted: () => isHalted, goOn }
}

// Fails if earlier imports are not read: the first two conversations were imported twice.
test('an interrupted history import continues the next time, and imports each conversation once', async (world) => {
  const { models, halted: isHalted, goOn } = createHaltingModels()
  const first = await startDaemon({ models })
  world.ends.push(first.close)
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
  })
  const path = `/api/persona/${body.persona.id}`
  const feed = async ({ url }: { readonly url: string }) => {
    const form = new FormData()
    form.append('source', 'chatgpt')
    form.append('history', new Blob([JSON.stringify([1, 2, 3, 4].map((n) => simple(`No. ${n}`)))]))
    return (await fetch(`${url}${path}/feed`, { method: 'POST', body: form })).status
  }
  const pendingFeed = feed(first)
  await waitFor('the third conversation', isHalted)
  const home = await newHome(world)
  await cp(first.home, home, { recursive: true })
  goOn()
  await pendingFeed

  const second = await startDaemon({ home, models })
  world.ends.push(second.close)
  let status: number
  do status = await feed(second)
  while (status === 409)
  assert.is(status, 200)
  const { found: matches } = (await call(second.url, 'GET', `${path}/search?q=so+it+was&kind=history`)).body
  assert.equal(
    matches.map(({ text }: { text: string }) => text.slice(0, 5)),
    ['No. 4', 'No. 3', 'No. 2', 'No. 1'],
  )
})

test.run()
