// Runs alone: it measures the memory and the handles of its process.
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { call, pause, waitFor } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('a day', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const minute = 60_000
const personas = scaleSize(100)
/** Twelve minutes each: a day has 120. */
const spells = scaleSize(120)
const spell = 12 * minute

test('runs a day of talk, starts and stops, and leaks no memory or handles', async ({ ends }) => {
  const watch = createWatch()
  const clock = createFakeClock('2026-11-23T00:00:00+01:00', 'Europe/Berlin', () => pause(2))
  const troubles: string[] = []
  const daemon = await startDaemon({
    clock,
    stores: watch.around,
    logTo: (line) => /"level":"(warn|error)"/.test(line) && troubles.push(line),
  })
  ends.push(daemon.close)
  const ids: PersonaId[] = []
  for (let n = 0; n < personas; n++) ids.push(await createPersona(daemon, `Ada ${n}`))
  await waitFor('all to run', async () => (await list(daemon)).every(({ running }) => running))

  const startedAt = clock.now()
  const hours: number[] = []
  const heaps: number[] = []
  const files: number[] = []
  const handles: number[] = []
  for (let n = 0; n < spells; n++) {
    await Promise.all(ids.filter((_, place) => place % 5 === n % 5).map((id) => visit(daemon, id)))
    await clock.advance(spell)
    // Bounded caches fill up in the first hours.
    if (n < spells / 4) continue
    files.push((await waitUntilClosed(daemon, clock, watch.open)).length)
    hours.push((clock.now() - startedAt) / (60 * minute))
    heaps.push(await measureHeap())
    handles.push(process.getActiveResourcesInfo().filter((name) => /Wrap$/.test(name)).length)
  }

  // The talk is consolidated, and the nightly consolidation runs for a past date.
  await clock.advance(120 * minute)
  await waitUntilClosed(daemon, clock, watch.open)
  // On a busy machine the fake clock runs ahead: the last persona may start its night some hours later.
  await waitFor(
    'an hour in which no journal is opened',
    async () => (await countOpeningsInAnHour(clock, watch.openings)) === 0,
    300_000,
  )
  const slope = getSlope(hours, heaps)
  assert.ok(slope < (isWhole ? 1 : 4), `${slope.toFixed(2)} MB more an hour`)
  for (const [countName, counts] of Object.entries({ files, handles })) {
    const increase = Math.max(...counts.slice(-3)) - Math.max(...counts.slice(0, 3))
    assert.ok(increase <= 3, `${increase} ${countName} more`)
  }
  assert.equal(troubles, [])
  printFigures(
    'a day',
    `${personas} personas, ${((spells * spell) / (60 * minute)).toFixed(1)} h`,
    `heap ${slope.toFixed(2)} MB an hour`,
    `${files.at(-1)} files`,
  )
})

const createPersona = async ({ url }: TestDaemon, name: string): Promise<PersonaId> => {
  const { status, body } = await call(url, 'POST', '/api/persona/create', {
    name,
    thinking_model: 'embedded/practice',
  })
  assert.is(status, 200, JSON.stringify(body))
  return body.persona.id
}

const list = async ({ url }: TestDaemon): Promise<readonly { readonly running: boolean }[]> =>
  (await call(url, 'GET', '/api/personas')).body.personas

/**
 * Opens a persona's page, sends a message, reads the reply and older messages, and leaves: with a close
 * frame, or without one.
 */
const visit = async ({ url, port }: TestDaemon, id: PersonaId) => {
  const [personaSocket, system] = await Promise.all(
    [`/ws/${id}?after=0`, '/ws/system'].map((path) => openSocket(port, path)),
  )
  const { status, body } = await call(url, 'POST', `/api/persona/${id}/read?wait=30`, {
    message: 'What did I say about Lisbon?',
  })
  assert.is(status, 200)
  assert.ok(body.reply)
  assert.is((await call(url, 'GET', `/api/persona/${id}/conversation?limit=20`)).status, 200)
  personaSocket?.close()
  system?.terminate()
}

const openSocket = (port: number, path: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
    socket.on('message', () => undefined)
    socket.once('open', () => resolve(socket)).once('error', reject)
  })

const countOpeningsInAnHour = async (clock: FakeClock, openings: () => number): Promise<number> => {
  const callCountBefore = openings()
  await clock.advance(60 * minute)
  return openings() - callCountBefore
}

/**
 * Waits until no journal and no index of these personas is open, and returns what is open at that moment:
 * soon after it, a persona may have something to do. On a busy machine the last one closes late.
 */
const waitUntilClosed = async (daemon: TestDaemon, clock: FakeClock, open: () => number) => {
  let paths: readonly string[] = []
  const isClosed = async () => {
    paths = await listOpenPaths()
    const isHeld = open() > 0 || paths.some((path) => path.includes('/personas/'))
    if (isHeld) await clock.advance(minute)
    return !isHeld
  }
  await waitFor('journals and indexes to be closed', isClosed, 60_000)
  await list(daemon)
  return paths
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Heap in MB after a garbage collection. */
const measureHeap = async (): Promise<number> => {
  for (let round = 0; round < 3; round++) {
    collect()
    await pause(5)
  }
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Without connections: `fetch` keeps them open until the server closes them. */
const listOpenPaths = async (): Promise<readonly string[]> => {
  const names = await readdir('/proc/self/fd')
  const paths = await Promise.all(
    names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => 'gone')),
  )
  return paths.filter((path) => !path.startsWith('socket:'))
}

/** Slope of y over x, by least squares. */
const getSlope = (xs: readonly number[], ys: readonly number[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(xs)
  const y = mean(ys)
  const covariance = xs.reduce((sum, value, n) => sum + (value - x) * ((ys[n] ?? 0) - y), 0)
  return covariance / xs.reduce((sum, value) => sum + (value - x) ** 2, 0)
}

/** Counts the open stores, and calls to the disk: each opening and each write. */
const createWatch = () => {
  let touchCount = 0
  const open = new Set<Store>()
  const watch = (store: Store): Store => {
    open.add(store)
    return {
      ...store,
      batch: (ops, options) => {
        touchCount++
        return store.batch(ops, options)
      },
      close: async () => {
        await store.close()
        open.delete(store)
      },
    }
  }
  const wrapStores = (stores: Stores): Stores => ({
    ...stores,
    create: async (id, first) => watch(await stores.create(id, first)),
    open: async (id) => {
      touchCount++
      return watch(await stores.open(id))
    },
  })
  return { openings: () => touchCount, open: () => open.size, around: wrapStores }
}

test.run()
