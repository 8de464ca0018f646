// Runs alone: it measures the response time of a page.
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaId } from '../../facts/fact-values.ts'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { wholeSnapshots } from '../../journal/log/keys.ts'
import type { Item, Span, Store, Stores } from '../../journal/log/store.ts'
import { createLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'
import { createBus } from '../../src/bus.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { projector } from '../../src/persona/fold.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'
import { createName, fillHome } from './homes.ts'

interface Long {
  home: string
  ends: (() => unknown)[]
}
const test = suite<Long>('a long life', { home: '', ends: [] })

const facts = scaleSize(1_000_000, 50)
const longLife = createName(0)
const shortLife = createName(1)
/** The facts after the newest snapshot, and the one record that certifies it. */
const tail = 1024 + 5

test.before(async (context) => {
  context.home = await tempHome()
  const startedAt = performance.now()
  await fillHome(context.home, [facts, 1000])
  printFigures('a long life', `${facts} facts`, `written in ${Math.round(performance.now() - startedAt)} ms`)
})
test.after(({ home }) => rm(home, { recursive: true, force: true }))
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('reads only the records of the page that it shows', async ({ home, ends }) => {
  const counter = createCounter()
  // The clock shows the day of the last message, so that no nightly consolidation reads records too.
  const daemon = await startDaemon({
    home,
    stores: counter.around,
    clock: createFakeClock('2026-01-01T08:10:00Z'),
  })
  ends.push(daemon.close)
  const page = async (id: PersonaId, query: string) => {
    const callCountBefore = counter.read()
    const startedAt = performance.now()
    const { status, body } = await call(
      daemon.url,
      'GET',
      `/api/persona/${id}/conversation?limit=200${query}`,
    )
    const ms = performance.now() - startedAt
    assert.is(status, 200)
    assert.is(body.messages.length, 200)
    assert.ok(body.has_more)
    return { read: counter.read() - callCountBefore, ms }
  }
  await waitFor('both to run', async () => {
    const { personas } = (await call(daemon.url, 'GET', '/api/personas')).body
    return personas.every(({ running }: { running: boolean }) => running)
  })
  await page(longLife, '')
  await page(shortLife, '')
  const times: Record<'newest' | 'middle' | 'short', number[]> = { newest: [], middle: [], short: [] }
  for (let n = 0; n < 20; n++) {
    const reads = {
      newest: await page(longLife, ''),
      middle: await page(longLife, `&before=${facts / 2 + 37 * n}`),
      short: await page(shortLife, ''),
    }
    // Two of five facts are messages: skipping the others is faster than fetching each by position.
    for (const [readName, { read, ms }] of Object.entries(reads)) {
      assert.ok(read <= 4 * 202, `${read} records read`)
      times[readName as keyof typeof times].push(ms)
    }
  }
  printFigures(
    'a page of 200',
    `${facts} facts`,
    `newest ${median(times.newest)} ms, middle ${median(times.middle)} ms, of 1000 facts ${median(times.short)} ms`,
  )
  if (isWhole)
    assert.ok(
      Number(median(times.middle)) < 20 + 2 * Number(median(times.short)),
      'it takes longer than with a short journal',
    )
})

/** Fails if `fold` ignores snapshots (`100005 records read`). */
test('opens by reading only the end of the journal, after a close and after a kill', async ({ home }) => {
  for (const id of [longLife, shortLife])
    assert.ok(
      (await countReadsAtStart(home, id)) <= 2 * 65,
      `${await countReadsAtStart(home, id)} records read`,
    )

  const { personas, close } = await setup(home)
  const channel = { type: 'web', name: 'web' } as const
  const hear = (n: number) =>
    personas.execute(
      longLife,
      { type: 'Hear', channel, content: `and number ${n}`, media: null, key: null },
      'person',
    )
  await Promise.all(Array.from({ length: 1024 + 200 }, (_, n) => hear(n)))
  await close()
  const inOrder = await countReadsAtStart(home, longLife)
  await forgetClosing(home, longLife)
  const afterKill = await countReadsAtStart(home, longLife)
  assert.ok(afterKill <= 2 * tail, `${afterKill} records read`)
  printFigures('waking', `${facts} facts`, `${inOrder} records read after a close, ${afterKill} after a kill`)
})

test('rebuilds any past state from a snapshot and few records', async ({ home, ends }) => {
  const counter = createCounter()
  const journals = openPersonaJournals({
    stores: counter.around(await openHomeStores(home)),
    witness: async () => undefined,
  })
  const journal = await journals.open(longLife, 'reader')
  ends.push(() => journal.close())
  const times: number[] = []
  for (let n = 1; n <= 20; n++) {
    const seq = Math.floor((facts * n) / 21)
    const callCountBefore = counter.read()
    const startedAt = performance.now()
    const persona = await moment(journal, seq)
    times.push(performance.now() - startedAt)
    assert.is(persona?.self.name, `Ada ${longLife}`)
    assert.ok(counter.read() - callCountBefore <= tail, `${counter.read() - callCountBefore} records read`)
  }
  printFigures('a past state', `${facts} facts`, `median ${median(times)} ms`)
})

test('is forked by reading each record once, and the fork is complete', async ({ home }) => {
  const counter = createCounter()
  const { personas, close } = await setup(home, counter.around)
  const pastState = await personas.getPast(longLife, null)
  const { seq: pastSeq, hash } = pastState.head
  const callCountBefore = counter.read()
  const startedAt = performance.now()
  const command = {
    type: 'ForkPersona',
    id: 'fork',
    name: null,
    at: pastSeq,
    hash,
    recipient: 'age1',
    organs: {},
  } as const
  await personas.fork(longLife, pastState, command, new AbortController().signal)
  const took = performance.now() - startedAt
  assert.ok(
    counter.read() - callCountBefore <= pastSeq + tail,
    `${counter.read() - callCountBefore} records read`,
  )
  printFigures('a fork', `${facts} facts`, `${Math.round(took)} ms`)
  await personas.read('fork', async ({ journal }) => {
    assert.is(await journal.hashAt(pastSeq), hash)
    assert.ok((await journal.verify()).intact)
  })
  await personas.remove('fork', true)
  await close()
})

/** Fails if all snapshots are kept (`67 are kept`). */
test('does not accumulate a snapshot for every close', async ({ ends }) => {
  const home = await tempHome()
  ends.push(() => rm(home, { recursive: true, force: true }))
  await fillHome(home, [100])
  for (let day = 0; day < 12; day++) {
    const { personas, close } = await setup(home)
    const channel = { type: 'web', name: 'web' } as const
    await Promise.all(
      Array.from({ length: 70 }, (_, n) =>
        personas.execute(
          createName(0),
          { type: 'Hear', channel, content: `day ${day}, ${n}`, media: null, key: null },
          'person',
        ),
      ),
    )
    await close()
  }
  const store = await (await openHomeStores(home)).open(createName(0))
  let snapshotCount = 0
  for await (const page of store.items(wholeSnapshots)) snapshotCount += page.length
  await store.close()
  assert.ok(snapshotCount <= 2 * Math.ceil((100 + 12 * 70) / 1024) + 1, `${snapshotCount} are kept`)
  assert.ok((await countReadsAtStart(home, createName(0))) <= 2 * 71)
})

/** Number of records that are read until its state is available. */
const countReadsAtStart = async (home: string, id: PersonaId): Promise<number> => {
  const counter = createCounter()
  const { personas, close } = await setup(home, counter.around)
  await personas.read(id, async ({ persona }) => assert.is(persona.self.id, id))
  const readCount = counter.read()
  await close()
  return readCount
}

/** Simulates a kill by removing the snapshot that was stored when closing. */
const forgetClosing = async (home: string, id: PersonaId) => {
  const store = await (await openHomeStores(home)).open(id)
  for await (const [newest] of store.items({ ...wholeSnapshots, reverse: true, limit: 1 }))
    if (newest) await store.batch([{ type: 'del', key: newest[0] }], { sync: true })
  await store.close()
}

/** Opens the personas of a home without starting any. */
const setup = async (home: string, wrapStores = (stores: Stores) => stores) => {
  const catalog = await openCatalog(home)
  const journals = openPersonaJournals({
    stores: wrapStores(await openHomeStores(home)),
    witness: async (id) => catalog.get(id)?.head,
  })
  const log = await createLog({ level: 'silent' })
  const personas = createPersonaStore({
    home,
    journals,
    catalog,
    bus: createBus(),
    clock: createFakeClock(),
    stopwatch: systemClock(),
    log,
  })
  // Journals that were not closed are read here, before the measured part.
  await personas.ready
  const close = async () => {
    await personas.close()
    await catalog.close()
  }
  return { personas, close }
}

const moment = async (journal: Journal, seq: number): Promise<Persona | undefined> => {
  const snapshot = await journal.snapshot(projector, personaVersion, seq)
  let persona = snapshot?.state as Persona | undefined
  for await (const entry of journal.read({ after: snapshot?.head.seq ?? 0, upTo: seq }))
    persona = evolve(persona, entry)
  return persona
}

/** Stores that count the records read. */
const createCounter = () => {
  let readCount = 0
  const isRecord = (key: Buffer) => key.toString('latin1', 0, 2) === 'e/'
  const count = (store: Store): Store => ({
    ...store,
    get: (key) => {
      if (isRecord(key)) readCount++
      return store.get(key)
    },
    getMany: (keys) => {
      readCount += keys.filter(isRecord).length
      return store.getMany(keys)
    },
    values: (span) => tally(span, store.values(span)),
    items: (span) => tally<Item>(span, store.items(span)),
  })
  async function* tally<T>({ from }: Span, pages: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[]> {
    for await (const page of pages) {
      if (isRecord(from)) readCount += page.length
      yield page
    }
  }
  const wrapStores = (stores: Stores): Stores => ({
    ...stores,
    open: async (id) => count(await stores.open(id)),
  })
  return { read: () => readCount, around: wrapStores }
}

const median = (times: readonly number[]): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0).toFixed(1)

test.run()
