/** POST /api/persona/{persona_id}/delete */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openCatalog } from '../../journal/leveldb/catalog.ts'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { createLog } from '../../packages/kit/log.ts'
import { createBus } from '../../src/bus.ts'
import type { RouteDeps } from '../../src/http/route.ts'
import { deleteRoute } from '../../src/http/routes/persona.ts'
import { openPersonas } from '../../src/persona/create-persona-store.ts'
import { call, until } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { ask, silent, withHandlers } from '../http/try.ts'
import { listenTo } from '../listener.ts'
import { first, firstPhrase, migrate, unpacked } from './diaries.ts'
import { notActive, shareSetup, unknownPersona, wrong } from './setup.ts'

const clock = createFakeClock()
const setup = shareSetup(test)
/** The same by a clock that is moved. */
const aging = shareSetup(test, { clock, newPhrase: firstPhrase })
/** Those that stand there, without the mark that it was deleted; undefined where nothing of its own does. */
const diariesOf = (id: string, home = aging.daemon.home): Promise<readonly string[] | undefined> =>
  readdir(join(home, 'diaries', id)).then(
    (names) => names.filter((name) => name.endsWith('.diary')),
    () => undefined,
  )
const day = 24 * 60 * 60 * 1000
/** Whoever passes waits until it is opened. */
const createGate = () => {
  let [open, reach] = [() => {}, () => {}]
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const pass = () => {
    reach()
    return opened
  }
  return { pass, reached, open: () => open() }
}

const folderOf = (id: string) => join(setup.daemon.home, 'personas', id)

test('it and its home are gone for good, and the answer is null', async () => {
  const id = await setup.born({ thinking_api_key: 'sk-to-be-gone' })
  assert.ok(existsSync(folderOf(id)))
  assert.equal(await setup.post(`/api/persona/${id}/delete`), [200, null])
  assert.is(await setup.view(id), undefined)
  assert.not.ok(existsSync(folderOf(id)))
  for (const deed of ['delete', 'start', 'restart', 'hush'])
    assert.equal(await setup.post(`/api/persona/${id}/${deed}`), unknownPersona, deed)
  assert.equal(await setup.post(`/api/persona/${id}/read`, { message: 'hello' }), notActive)
  assert.equal(await setup.get(`/api/persona/${id}/conversation`), unknownPersona)
})

// Seen failing on the build before: the fork opened the journal while it was removed, and was answered 500.
test('a request that was let in before a deletion does not open what is being removed', async () => {
  const [taking, removing] = [createGate(), createGate()]
  const daemon = await startDaemon({
    stores: (stores) => ({
      ...stores,
      take: async (id, folder) => {
        await taking.pass()
        return stores.take(id, folder)
      },
      remove: async (id) => {
        await removing.pass()
        return stores.remove(id)
      },
    }),
  })
  try {
    const { url } = daemon
    const born = async (name: string): Promise<string> =>
      (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body
        .persona.id
    const [ada, ben] = [await born('Ada'), await born('Ben')]
    const fork = (id: string) => call(url, 'POST', `/api/persona/${id}/fork`, { name: 'Fork' })
    const ahead = fork(ada)
    await taking.reached
    // One past is copied at a time: this one waits for the other.
    const behind = fork(ben)
    await until('it waits', async () => (await call(url, 'GET', '/api/health')).status === 200)
    const deletion = call(url, 'POST', `/api/persona/${ben}/delete`, { force: true })
    await removing.reached
    taking.open()
    assert.is((await ahead).status, 200)
    removing.open()
    assert.is((await deletion).status, 200)
    const { status, body } = await behind
    assert.is(status, 404, JSON.stringify(body))
  } finally {
    taking.open()
    removing.open()
    await daemon.close()
  }
})

test('its local model is unregistered', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/delete`)
  assert.ok(setup.models.done.includes(`unwrap llama daimon-${id}`))
})

test('who does not run is deleted too', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal(await setup.post(`/api/persona/${id}/delete`), [200, null])
})

test('with a runtime that cannot be reached nothing is removed, and it runs again if it ran', async () => {
  for (const ran of [true, false]) {
    const id = await setup.born()
    if (!ran) await setup.post(`/api/persona/${id}/stop`)
    const before = await setup.view(id)
    setup.models.broken.unwrap = 'No runtime answers.'
    assert.equal(await setup.post(`/api/persona/${id}/delete`), [400, { detail: 'No runtime answers.' }])
    assert.equal(await setup.view(id), before)
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=false`), [
      400,
      { detail: 'No runtime answers.' },
    ])
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=true`), [200, null])
    assert.is(await setup.view(id), undefined)
    delete setup.models.broken.unwrap
  }
})

test('a force that is no truth is a 422, also for a persona there is not', async () => {
  const at = await setup.home()
  for (const there of [at, '/api/persona/nobody'])
    assert.equal(
      await setup.post(`${there}/delete?force=maybe`),
      wrong(
        'bool_parsing',
        ['query', 'force'],
        'Input should be a valid boolean, unable to interpret input',
        { input: 'maybe' },
      ),
    )
  assert.is((await setup.post(`${at}/hush`))[0], 200)
})

test('whoever listens to it is told goodbye with 4404', async () => {
  const id = await setup.born()
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  await setup.post(`/api/persona/${id}/delete`)
  assert.is(await listener.closed, 4404)
})

test('a turn in progress is cut, and who waits for it is answered', async () => {
  const at = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const waiting = setup.post(`${at}/read?wait=20`, { message: 'hello' })
  await setup.post(`${at}/read?wait=0.1`, { message: 'hello' })
  assert.equal(await setup.post(`${at}/delete`), [200, null])
  const [status] = await waiting
  assert.is(status, 200)
})

test('of two that ask at once nobody fails for a reason of its own', async () => {
  const at = await setup.home()
  const statuses = (await Promise.all([setup.post(`${at}/delete`), setup.post(`${at}/delete`)])).map(
    ([status]) => status,
  )
  assert.ok(statuses.includes(200))
  for (const status of statuses) assert.ok(status === 200 || status === 404, String(statuses))
})

test('nobody else loses anything', async () => {
  const other = await setup.born({ name: 'Eva' })
  const before = [await setup.view(other), await readFile(join(setup.daemon.home, 'daemon'), 'utf8')]
  await setup.post(`${await setup.home()}/delete`)
  assert.equal([await setup.view(other), await readFile(join(setup.daemon.home, 'daemon'), 'utf8')], before)
})

test('there must be such a persona', async () => {
  for (const id of ['nobody', '..', '%2e%2e', '..%2F..', '.'])
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=true`), unknownPersona, id)
})

// Seen failing with no diary written for it: what was said today was in none.
test('its last diary stays alone, all that was said is in it, and it brings it back', async () => {
  const id = await aging.born()
  await clock.advance(1000)
  assert.is((await aging.post(`/api/persona/${id}/sleep`))[0], 200)
  await aging.say(`/api/persona/${id}`, 'I live in Lisbon.')
  await clock.advance(1000)
  assert.equal(await aging.post(`/api/persona/${id}/delete`), [200, null])
  const [name = '', ...more] = (await diariesOf(id)) ?? []
  assert.equal(more, [])
  const diary = await readFile(join(aging.daemon.home, 'diaries', id, name))
  const { facts } = await unpacked(diary, first)
  assert.ok(facts.some(({ content }) => content === 'You said: I live in Lisbon.'))
  assert.is((await migrate(aging.daemon, { diary, filename: name }))[0], 200)
  const [, { messages }] = await aging.get(`/api/persona/${id}/conversation`)
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['I live in Lisbon.', 'You said: I live in Lisbon.'],
  )
  assert.is((await aging.view(id)).running, true)
  assert.equal(await aging.post(`/api/persona/${id}/delete?purge=true`), [200, null])
  assert.is(await diariesOf(id), undefined)
  assert.equal(
    (await readdir(aging.daemon.home, { recursive: true })).filter((path) => path.includes(id)),
    [],
  )
})

// Seen failing with diaries cleared by what the clock says alone, with none cleared while the service runs,
// and with those of everybody who is not listed.
test('it stays for thirty days, and goes on the next; those of the living stay', async () => {
  const [id, other] = [await aging.born(), await aging.born({ name: 'Eva' })]
  await aging.post(`/api/persona/${other}/stop`)
  assert.equal(await aging.post(`/api/persona/${id}/delete`), [200, null])
  const deleted = clock.now()
  const witness = join(aging.daemon.home, 'diaries', 'long-gone')
  await mkdir(witness)
  await writeFile(join(witness, 'a.diary'), 'of one who was deleted last year')
  await writeFile(join(witness, 'deleted'), '2025-01-01T00:00:00.000Z\n')
  // Of one who is only not to be found: nobody deleted it.
  const lost = join(aging.daemon.home, 'diaries', 'not-here-today')
  await mkdir(lost)
  await writeFile(join(lost, 'a.diary'), 'all there is of her')
  await utimes(join(lost, 'a.diary'), new Date(0), new Date(0))
  const looked = async () =>
    (await readFile(join(aging.daemon.home, 'ages'), 'utf8').catch(() => '')).match(
      /"looked": "(.*)"/,
    )?.[1] ?? ''
  const lookOn = async (on: number) => {
    clock.set(deleted + on * day)
    await clock.advance(1000)
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    await until(`a look on ${date}`, async () => (await looked()).startsWith(date))
  }
  // A clock that is a year ahead for a while is believed by nobody.
  clock.leap(365 * day)
  await lookOn(366)
  clock.leap(-365 * day)
  for (let on = 2; on < 29; on++) await lookOn(on)
  assert.is((await diariesOf(id))?.length, 1)
  assert.is((await diariesOf('long-gone'))?.length, 1)
  for (let on = 29; on < 35; on++) await lookOn(on)
  await until('it to go', async () => (await diariesOf(id)) === undefined)
  assert.is(await diariesOf('long-gone'), undefined)
  assert.ok(((await diariesOf(other)) ?? []).length > 0)
  assert.equal(await diariesOf('not-here-today'), ['a.diary'])
})

// Seen failing with diaries cleared by what the clock says alone: the start a year ahead threw the last one
// away.
test('a start with a clock that is a year ahead throws no diary away, nor the one after it with the clock put right', async () => {
  const home = setup.daemon.home.concat('-ahead')
  const now = Date.parse('2026-11-23T10:15:00+01:00')
  let id = ''
  for (const [n, at] of [now, now + 365 * day, now + 1000, now + 400 * day, now + 2000].entries()) {
    const daemon = await startDaemon({ home, newPhrase: firstPhrase, clock: createFakeClock(at) })
    if (n === 0) {
      id = (
        await call(daemon.url, 'POST', '/api/persona/create', {
          name: 'Ada',
          thinking_model: 'embedded/practice',
        })
      ).body.persona.id
      assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/delete`)).status, 200)
    }
    // Closing waits for the look of the start.
    await daemon.close()
    assert.is((await diariesOf(id, home))?.length, 1, `start ${n}`)
  }
  await rm(home, { recursive: true })
})

// Seen failing with what is to become of its diaries forgotten by the start: they stayed both times.
test('a deletion that was cut off between its fact and its end is finished at the next start, with its last diary or without', async () => {
  const home = setup.daemon.home.concat('-cut-off')
  for (const purge of [true, false]) {
    const one = await startDaemon({ home, newPhrase: firstPhrase })
    const { body } = await call(one.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    const { id } = body.persona
    await one.close()
    assert.is((await diariesOf(id, home))?.length, 1)
    const catalog = await openCatalog(home)
    const journals = openJournals({ stores: await openLevelStores(home), witness: async () => undefined })
    const log = await createLog({ level: 'silent' })
    const personas = openPersonas({ home, journals, catalog, bus: createBus(), clock, log })
    await personas.ready
    // All that is on disk of it when the process dies right after its fact.
    await personas.execute(id, { type: 'DeletePersona', purge }, 'person')
    await personas.close()
    await catalog.close()
    const two = await startDaemon({ home })
    assert.equal((await call(two.url, 'GET', '/api/personas')).body.personas, [])
    assert.not.ok(existsSync(join(home, 'personas', id)))
    assert.is((await diariesOf(id, home))?.length, purge ? undefined : 1)
    await two.close()
  }
  await rm(home, { recursive: true })
})

/** The route alone, over a persona whose journal is in trouble. */
const troubled = async (
  trouble: string | null,
  run: (post: (query: string) => Promise<unknown>, did: string[]) => Promise<void>,
  { writable = false } = {},
) => {
  const models = standIn()
  const did = models.done
  const organ = { model: 'llama', provider: null, url: null, key: null }
  const personas = {
    listed: () => ({ self: { id: 'ada', organs: { thinking: organ } }, trouble }),
    execute: async (_id: string, { type }: { type: string }) => {
      did.push(type)
      if (type === 'DeletePersona' && !writable) throw new Unavailable('no space')
    },
    remove: async () => did.push('removed'),
    read: async () => writable,
  }
  const diaries = {
    cut: () => undefined,
    write: async () => {
      did.push('diary')
      throw new Unavailable('no space')
    },
  }
  const agents = {
    settled: async () => ({ running: false, failed: null }),
    rest: async (_id: string, work: () => Promise<void>) => {
      did.push('rest')
      await work().catch((error: unknown) => {
        did.push('wake')
        throw error
      })
    },
  }
  const deps = {
    agents,
    diaries,
    personas,
    models,
    log: silent,
    inTurn: createKeyedMutex().run,
  } as unknown as RouteDeps
  await withHandlers(deleteRoute.serve(deps), (port) =>
    run(async (query) => {
      const { status, text } = await ask(port, { method: 'POST', path: `/${query}` })
      return [status, JSON.parse(text)]
    }, did),
  )
}

test('a deletion that cannot be written leaves its registered, and running if it ran', () =>
  troubled(null, async (post, did) => {
    assert.equal(await post(''), [
      400,
      { detail: 'The persona could not be deleted: JournalUnavailable: no space' },
    ])
    assert.equal(did, ['rest', 'unwrap llama daimon-ada', 'DeletePersona', 'wrap llama daimon-ada', 'wake'])
  }))

// Seen failing with a diary that cannot be written taken for a deletion that cannot be done.
test('it is gone also where the disk takes no diary', () =>
  troubled(
    null,
    async (post, did) => {
      assert.equal(await post('?purge=false'), [200, null])
      assert.equal(did, ['rest', 'diary', 'unwrap llama daimon-ada', 'DeletePersona', 'removed'])
    },
    { writable: true },
  ))

test('a damaged journal is deleted only when it is forced, and nothing is unregistered before', () =>
  troubled('record 7: does not match', async (post, did) => {
    const detail =
      'Its journal can only be read: record 7: does not match. Ask with ?force=true to delete it anyway.'
    assert.equal(await post(''), [400, { detail }])
    assert.equal(did, [])
    assert.equal(await post('?force=true'), [200, null])
    assert.equal(did, ['rest', 'unwrap llama daimon-ada', 'removed'])
  }))

test.run()
