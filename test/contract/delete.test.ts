/** POST /api/persona/{persona_id}/delete */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { createKeyedMutex } from '../../packages/kit/flow/keyed-mutex.ts'
import { createLog } from '../../packages/kit/log.ts'
import { createBus } from '../../src/bus.ts'
import type { RouteDeps } from '../../src/http/route.ts'
import { deleteRoute } from '../../src/http/routes/persona.ts'
import { createPersonaStore } from '../../src/persona/create-persona-store.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { ask, silent, withHandlers } from '../http/try.ts'
import { listenTo } from '../listener.ts'
import { first, firstPhrase, migrate, unpacked } from './diaries.ts'
import { invalidBody, notActive, shareSetup, unknownPersona } from './setup.ts'

const clock = createFakeClock()
const setup = shareSetup(test)
/** The same with a fake clock. */
const agingSetup = shareSetup(test, { clock, newPhrase: firstPhrase })
/**
 * Returns the diaries of a persona without the file that marks the deletion. Returns undefined if there is no
 * folder.
 */
const listDiaries = (id: string, home = agingSetup.daemon.home): Promise<readonly string[] | undefined> =>
  readdir(join(home, 'diaries', id)).then(
    (names) => names.filter((name) => name.endsWith('.diary')),
    () => undefined,
  )
const dayMs = 24 * 60 * 60 * 1000
/** Creates a gate: `pass` waits until `open` is called. */
const createGate = () => {
  let open = () => {}
  let reach = () => {}
  const gateOpened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reachedGate = new Promise<void>((resolve) => {
    reach = resolve
  })
  const pass = () => {
    reach()
    return gateOpened
  }
  return { pass, reached: reachedGate, open: () => open() }
}

const getFolder = (id: string) => join(setup.daemon.home, 'personas', id)

test('deletes the persona and its folder permanently and returns null', async () => {
  const id = await setup.born({ thinking_api_key: 'sk-to-be-gone' })
  assert.ok(existsSync(getFolder(id)))
  assert.equal(await setup.post(`/api/persona/${id}/delete`), [200, null])
  assert.is(await setup.view(id), undefined)
  assert.not.ok(existsSync(getFolder(id)))
  for (const action of ['delete', 'start', 'restart', 'hush'])
    assert.equal(await setup.post(`/api/persona/${id}/${action}`), unknownPersona, action)
  assert.equal(await setup.post(`/api/persona/${id}/read`, { message: 'hello' }), notActive)
  assert.equal(await setup.get(`/api/persona/${id}/conversation`), unknownPersona)
})

// Fails if the fork opens the journal while it is being removed: it then gets 500.
test('does not open a persona that is being removed for a request accepted before the deletion', async () => {
  const takeGate = createGate()
  const removing = createGate()
  const daemon = await startDaemon({
    stores: (stores) => ({
      ...stores,
      take: async (id, folder) => {
        await takeGate.pass()
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
    const ada = await born('Ada')
    const ben = await born('Ben')
    const fork = (id: string) => call(url, 'POST', `/api/persona/${id}/fork`, { name: 'Fork' })
    const earlierFork = fork(ada)
    await takeGate.reached
    // Forks are copied one at a time: this one waits for the other.
    const secondFork = fork(ben)
    await waitFor('the fork to wait', async () => (await call(url, 'GET', '/api/health')).status === 200)
    const deletion = call(url, 'POST', `/api/persona/${ben}/delete`, { force: true })
    await removing.reached
    takeGate.open()
    assert.is((await earlierFork).status, 200)
    removing.open()
    assert.is((await deletion).status, 200)
    const { status, body } = await secondFork
    assert.is(status, 404, JSON.stringify(body))
  } finally {
    takeGate.open()
    removing.open()
    await daemon.close()
  }
})

test('unregisters the local model', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/delete`)
  assert.ok(setup.models.doneCalls.includes(`unwrap llama daimon-${id}`))
})

test('deletes a stopped persona', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal(await setup.post(`/api/persona/${id}/delete`), [200, null])
})

test('removes nothing if the runtime cannot be reached, and restarts the persona if it was running', async () => {
  for (const isRunning of [true, false]) {
    const id = await setup.born()
    if (!isRunning) await setup.post(`/api/persona/${id}/stop`)
    const viewBefore = await setup.view(id)
    setup.models.brokenMethods.unwrap = 'No runtime answers.'
    assert.equal(await setup.post(`/api/persona/${id}/delete`), [400, { detail: 'No runtime answers.' }])
    assert.equal(await setup.view(id), viewBefore)
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=false`), [
      400,
      { detail: 'No runtime answers.' },
    ])
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=true`), [200, null])
    assert.is(await setup.view(id), undefined)
    delete setup.models.brokenMethods.unwrap
  }
})

test('returns 422 if force is not a boolean, also for a missing persona', async () => {
  const personaPath = await setup.home()
  for (const path of [personaPath, '/api/persona/nobody'])
    assert.equal(
      await setup.post(`${path}/delete?force=maybe`),
      invalidBody(
        'bool_parsing',
        ['query', 'force'],
        'Input should be a valid boolean, unable to interpret input',
        { input: 'maybe' },
      ),
    )
  assert.is((await setup.post(`${personaPath}/hush`))[0], 200)
})

test('closes the sockets of the persona with 4404', async () => {
  const id = await setup.born()
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  await setup.post(`/api/persona/${id}/delete`)
  assert.is(await listener.whenClosed, 4404)
})

test('aborts a running turn and answers the client that waits for it', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const pendingReply = setup.post(`${personaPath}/read?wait=20`, { message: 'hello' })
  await setup.post(`${personaPath}/read?wait=0.1`, { message: 'hello' })
  assert.equal(await setup.post(`${personaPath}/delete`), [200, null])
  const [status] = await pendingReply
  assert.is(status, 200)
})

test('answers two concurrent deletions with 200 or 404', async () => {
  const personaPath = await setup.home()
  const statuses = (
    await Promise.all([setup.post(`${personaPath}/delete`), setup.post(`${personaPath}/delete`)])
  ).map(([status]) => status)
  assert.ok(statuses.includes(200))
  for (const status of statuses) assert.ok(status === 200 || status === 404, String(statuses))
})

test('leaves other personas unchanged', async () => {
  const otherId = await setup.born({ name: 'Eva' })
  const viewsBefore = [await setup.view(otherId), await readFile(join(setup.daemon.home, 'daemon'), 'utf8')]
  await setup.post(`${await setup.home()}/delete`)
  assert.equal(
    [await setup.view(otherId), await readFile(join(setup.daemon.home, 'daemon'), 'utf8')],
    viewsBefore,
  )
})

test('returns 404 for a missing persona', async () => {
  for (const id of ['nobody', '..', '%2e%2e', '..%2F..', '.'])
    assert.equal(await setup.post(`/api/persona/${id}/delete?force=true`), unknownPersona, id)
})

// Fails if the deletion writes no diary: the messages of today are then in none.
test('keeps a last diary with all messages, which restores the persona', async () => {
  const id = await agingSetup.born()
  await clock.advance(1000)
  assert.is((await agingSetup.post(`/api/persona/${id}/sleep`))[0], 200)
  await agingSetup.say(`/api/persona/${id}`, 'I live in Lisbon.')
  await clock.advance(1000)
  assert.equal(await agingSetup.post(`/api/persona/${id}/delete`), [200, null])
  const [name = '', ...otherNames] = (await listDiaries(id)) ?? []
  assert.equal(otherNames, [])
  const diary = await readFile(join(agingSetup.daemon.home, 'diaries', id, name))
  const { facts } = await unpacked(diary, first)
  assert.ok(facts.some(({ content }) => content === 'You said: I live in Lisbon.'))
  assert.is((await migrate(agingSetup.daemon, { diary, filename: name }))[0], 200)
  const [, { messages }] = await agingSetup.get(`/api/persona/${id}/conversation`)
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['I live in Lisbon.', 'You said: I live in Lisbon.'],
  )
  assert.is((await agingSetup.view(id)).running, true)
  assert.equal(await agingSetup.post(`/api/persona/${id}/delete?purge=true`), [200, null])
  assert.is(await listDiaries(id), undefined)
  assert.equal(
    (await readdir(agingSetup.daemon.home, { recursive: true })).filter((path) => path.includes(id)),
    [],
  )
})

// Fails if diaries are purged by the clock alone, if none is purged while the daemon runs, and if those of
// every unlisted persona are purged.
test('keeps the last diary for thirty days and purges it the next day; diaries of existing personas stay', async () => {
  const id = await agingSetup.born()
  const otherId = await agingSetup.born({ name: 'Eva' })
  await agingSetup.post(`/api/persona/${otherId}/stop`)
  assert.equal(await agingSetup.post(`/api/persona/${id}/delete`), [200, null])
  const deletedAt = clock.now()
  const witness = join(agingSetup.daemon.home, 'diaries', 'long-gone')
  await mkdir(witness)
  await writeFile(join(witness, 'a.diary'), 'of one who was deleted last year')
  await writeFile(join(witness, 'deleted'), '2025-01-01T00:00:00.000Z\n')
  // The diary of a persona that is missing but was not deleted.
  const lostFolder = join(agingSetup.daemon.home, 'diaries', 'not-here-today')
  await mkdir(lostFolder)
  await writeFile(join(lostFolder, 'a.diary'), 'all there is of her')
  await utimes(join(lostFolder, 'a.diary'), new Date(0), new Date(0))
  const getPurgeTime = async () =>
    (await readFile(join(agingSetup.daemon.home, 'ages'), 'utf8').catch(() => '')).match(
      /"looked": "(.*)"/,
    )?.[1] ?? ''
  const lookOn = async (days: number) => {
    clock.setTime(deletedAt + days * dayMs)
    await clock.advance(1000)
    const date = new Date(clock.now()).toISOString().slice(0, 10)
    await waitFor(`a purge on ${date}`, async () => (await getPurgeTime()).startsWith(date))
  }
  // A clock that is temporarily a year ahead purges nothing.
  clock.leap(365 * dayMs)
  await lookOn(366)
  clock.leap(-365 * dayMs)
  for (let days = 2; days < 29; days++) await lookOn(days)
  assert.is((await listDiaries(id))?.length, 1)
  assert.is((await listDiaries('long-gone'))?.length, 1)
  for (let days = 29; days < 35; days++) await lookOn(days)
  await waitFor('the diaries to be purged', async () => (await listDiaries(id)) === undefined)
  assert.is(await listDiaries('long-gone'), undefined)
  assert.ok(((await listDiaries(otherId)) ?? []).length > 0)
  assert.equal(await listDiaries('not-here-today'), ['a.diary'])
})

// Fails if diaries are purged by the clock alone: the start a year ahead deletes the last one.
test('purges no diary on a start with a clock that is a year ahead, nor on the next start with the right clock', async () => {
  const home = setup.daemon.home.concat('-ahead')
  const nowEpoch = Date.parse('2026-11-23T10:15:00+01:00')
  let id = ''
  for (const [n, at] of [
    nowEpoch,
    nowEpoch + 365 * dayMs,
    nowEpoch + 1000,
    nowEpoch + 400 * dayMs,
    nowEpoch + 2000,
  ].entries()) {
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
    // close() waits for the purge of the start.
    await daemon.close()
    assert.is((await listDiaries(id, home))?.length, 1, `start ${n}`)
  }
  await rm(home, { recursive: true })
})

// Fails if the start forgets whether to purge the diaries: they then stay both times.
test('finishes an interrupted deletion at the next start, with or without its last diary', async () => {
  const home = setup.daemon.home.concat('-cut-off')
  for (const purge of [true, false]) {
    const firstDaemon = await startDaemon({ home, newPhrase: firstPhrase })
    const { body } = await call(firstDaemon.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    const { id } = body.persona
    await firstDaemon.close()
    assert.is((await listDiaries(id, home))?.length, 1)
    const catalog = await openCatalog(home)
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async () => undefined,
    })
    const log = await createLog({ level: 'silent' })
    const personas = createPersonaStore({ home, journals, catalog, bus: createBus(), clock, log })
    await personas.ready
    // The state on disk if the process dies right after the fact was written.
    await personas.execute(id, { type: 'DeletePersona', purge }, 'person')
    await personas.close()
    await catalog.close()
    const secondDaemon = await startDaemon({ home })
    assert.equal((await call(secondDaemon.url, 'GET', '/api/personas')).body.personas, [])
    assert.not.ok(existsSync(join(home, 'personas', id)))
    assert.is((await listDiaries(id, home))?.length, purge ? undefined : 1)
    await secondDaemon.close()
  }
  await rm(home, { recursive: true })
})

/** Serves the route alone, for a persona whose journal has a problem. */
const withBrokenJournal = async (
  trouble: string | null,
  act: (post: (query: string) => Promise<unknown>, did: string[]) => Promise<void>,
  { writable = false } = {},
) => {
  const models = standIn()
  const did = models.doneCalls
  const organ = { model: 'llama', provider: null, url: null, key: null }
  const personas = {
    getRow: () => ({ self: { id: 'ada', organs: { thinking: organ } }, trouble }),
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
    waitUntilSettled: async () => ({ running: false, failed: null }),
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
    act(async (query) => {
      const { status, text } = await ask(port, { method: 'POST', path: `/${query}` })
      return [status, JSON.parse(text)]
    }, did),
  )
}

test('keeps the model registered, and the persona running if it ran, when the deletion cannot be written', () =>
  withBrokenJournal(null, async (post, did) => {
    assert.equal(await post(''), [
      400,
      { detail: 'The persona could not be deleted: JournalUnavailable: no space' },
    ])
    assert.equal(did, ['rest', 'unwrap llama daimon-ada', 'DeletePersona', 'wrap llama daimon-ada', 'wake'])
  }))

// Fails if a diary that cannot be written prevents the deletion.
test('deletes the persona even if its diary cannot be written', () =>
  withBrokenJournal(
    null,
    async (post, did) => {
      assert.equal(await post('?purge=false'), [200, null])
      assert.equal(did, ['rest', 'diary', 'unwrap llama daimon-ada', 'DeletePersona', 'removed'])
    },
    { writable: true },
  ))

test('deletes a damaged journal only with force and unregisters nothing before', () =>
  withBrokenJournal('record 7: does not match', async (post, did) => {
    const detail =
      'Its journal can only be read: record 7: does not match. Ask with ?force=true to delete it anyway.'
    assert.equal(await post(''), [400, { detail }])
    assert.equal(did, [])
    assert.equal(await post('?force=true'), [200, null])
    assert.equal(did, ['rest', 'unwrap llama daimon-ada', 'removed'])
  }))

test.run()
