/** GET /api/projections and POST /api/persona/{persona_id}/projections/{name}/rebuild */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { isRecord, seqInKey } from '../../journal/log/keys.ts'
import type { Store, Stores } from '../../journal/log/store.ts'
import { foldTable, type Persona, personaVersion } from '../../projections/persona.ts'
import { fold, projector } from '../../src/persona/fold.ts'
import { call, pause, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('projections', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const createPersona = async ({ url }: TestDaemon): Promise<string> => {
  const body = { name: 'Ada', thinking_model: 'embedded/practice' }
  return (await call(url, 'POST', '/api/persona/create', body)).body.persona.id
}
const say = ({ url }: TestDaemon, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const list = async ({ url }: TestDaemon, query = '') =>
  (await call(url, 'GET', `/api/projections${query}`)).body.projections
const rebuild = ({ url }: TestDaemon, id: string, name: string) =>
  call(url, 'POST', `/api/persona/${id}/projections/${name}/rebuild`)

/** Opens the journal of a closed home. */
const withJournal = async <T>(
  home: string,
  id: string,
  work: (journal: Awaited<ReturnType<ReturnType<typeof openPersonaJournals>['open']>>) => Promise<T>,
): Promise<T> => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(id, 'writer')
  try {
    return await work(journal)
  } finally {
    await journal.close()
  }
}

test('lists the projections of one persona, and those in memory of all', async ({ ends }) => {
  const daemon = await startDaemon()
  ends.push(daemon.close)
  const id = await createPersona(daemon)
  await say(daemon, id, 'I live in Lisbon.')
  const [state, search, links] = await list(daemon, `?persona=${id}`)
  assert.equal([links.name, links.position], ['links', null])
  for (const [projection, name] of [
    [state, 'state'],
    [search, 'search'],
  ]) {
    assert.equal([projection.persona, projection.name, projection.state], [id, name, 'current'])
    assert.ok(projection.position > 5)
    assert.equal([projection.lag, projection.reason], [0, null])
  }
  assert.is(state.version, personaVersion)
  assert.ok(search.bytes > 0)
  assert.match(search.rebuilt_at, /^20\d\d-/)
  assert.equal(
    (await list(daemon)).map(({ name, lag }: { name: string; lag: number }) => [name, lag]),
    [
      ['state', 0],
      ['search', 0],
      ['links', null],
    ],
  )
  assert.is((await call(daemon.url, 'GET', '/api/projections?persona=nobody')).status, 404)
  assert.is((await rebuild(daemon, 'nobody', 'state')).status, 404)
  const { status, body } = await rebuild(daemon, id, 'dreams')
  assert.equal([status, body.detail], [404, 'There is no projection with this name.'])
  const metrics = await (await fetch(`${daemon.url}/metrics`)).text()
  assert.match(metrics, /^daimon_projection_lag\{projection="state"\} 0$/m)
  assert.match(metrics, /^daimon_projections_stale\{projection="search"\} 0$/m)
})

test('rebuilds each projection to the same while the persona talks and is searched', async ({ ends }) => {
  const daemon = await startDaemon()
  ends.push(daemon.close)
  const id = await createPersona(daemon)
  for (let n = 0; n < 30; n++) await say(daemon, id, `Remember that I like number ${n}.`)
  let isDone = false
  const talk = (async () => {
    for (let n = 0; !isDone; n++) {
      assert.is((await say(daemon, id, `Remember that I dislike number ${n}.`)).status, 200)
      const { body } = await call(daemon.url, 'GET', `/api/persona/${id}/search?q=Remember`)
      assert.ok(body.found.length > 0)
    }
  })()
  for (let round = 0; round < 3; round++)
    for (const name of ['state', 'search']) {
      const { status, body } = await rebuild(daemon, id, name)
      assert.is(status, 200, JSON.stringify(body))
      assert.equal([body.name, body.equal, body.differing], [name, true, []])
      assert.ok(body.position > 60)
    }
  isDone = true
  await talk
  const verdict = (await call(daemon.url, 'POST', `/api/persona/${id}/verify?deep=1`)).body
  assert.equal([verdict.intact, verdict.snapshots.wrong], [true, []])
  const [state] = await list(daemon, `?persona=${id}`)
  assert.match(state.rebuilt_at, /^20\d\d-/)
})

test('replaces a wrong state and reports its wrong parts', async ({ ends }) => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const id = await createPersona(first)
  await say(first, id, 'Remember that I live in Lisbon.')
  await first.close()
  await withJournal(home, id, async (journal) => {
    const { persona } = await fold(journal)
    const { knowledge } = (await fold(journal, 1)).persona as Persona
    const state = { ...persona, knowledge }
    await journal.keepSnapshot({ projector, version: personaVersion, head: journal.head, state })
  })
  const logged: string[] = []
  const daemon = await startDaemon({ home, logTo: (line) => void logged.push(line) })
  ends.push(daemon.close)
  const readMemories = async () =>
    (await call(daemon.url, 'GET', `/api/persona/${id}/memories`)).body.memories.map(
      ({ text }: { text: string }) => text,
    )
  assert.equal(await readMemories(), [])
  const { body } = await rebuild(daemon, id, 'state')
  assert.equal([body.equal, body.differing.includes('knowledge')], [false, true])
  assert.match((await readMemories()).join(), 'Lisbon')
  assert.ok(logged.some((line) => line.includes('a state differed from its facts')))
  assert.not.match(logged.filter((line) => line.includes('differed')).join(), 'Lisbon')
  assert.equal((await rebuild(daemon, id, 'state')).body.equal, true)
})

/** Delays each page of records until `open` is called. */
const createSlowStores = () => {
  let release: () => void = () => undefined
  let whenOpen = Promise.resolve()
  const slow = (store: Store): Store => ({
    ...store,
    values: async function* (span) {
      for await (const page of store.values(span)) {
        await whenOpen
        yield page
      }
    },
  })
  const wrap = (stores: Stores): Stores => ({
    ...stores,
    create: async (id, first) => slow(await stores.create(id, first)),
    open: async (id) => slow(await stores.open(id)),
  })
  const hold = () => {
    whenOpen = new Promise((resolve) => {
      release = resolve
    })
  }
  return { wrap, hold, release: () => release() }
}

test('rebuilds one projection once at a time, and keeps it when the client leaves', async ({ ends }) => {
  const slow = createSlowStores()
  const daemon = await startDaemon({ stores: slow.wrap })
  ends.push(daemon.close, slow.release)
  const id = await createPersona(daemon)
  await say(daemon, id, 'I live in Lisbon.')
  slow.hold()
  const leaving = new AbortController()
  const path = `${daemon.url}/api/persona/${id}/projections/state/rebuild`
  const request = fetch(path, { method: 'POST', signal: leaving.signal }).catch(() => null)
  const isRebuilding = async () => (await list(daemon))[0].state === 'rebuilding'
  await waitFor('the rebuild', isRebuilding)
  const { status, body } = await rebuild(daemon, id, 'state')
  assert.equal([status, body.detail], [409, 'This projection is being rebuilt already.'])
  leaving.abort()
  assert.is(await request, null)
  // The daemon sees the closed connection before later requests.
  for (let n = 0; n < 3; n++) await list(daemon)
  slow.release()
  await waitFor('the end of the rebuild', async () => !(await isRebuilding()))
  assert.is((await list(daemon))[0].rebuilt_at, null)
  assert.is((await rebuild(daemon, id, 'state')).body.equal, true)
})

/**
 * Reads from the first fact that begin between `hold` and `pass` get one record per page, each only after a
 * `step`.
 */
const createSteppedStores = () => {
  let isHolding = false
  let stepCount = 0
  const waitingReads: (() => void)[] = []
  async function* stepThrough(pages: AsyncIterable<readonly Buffer[]>) {
    for await (const page of pages)
      for (const value of page) {
        await new Promise<void>((resolve) => waitingReads.push(resolve))
        stepCount++
        yield [value]
      }
  }
  const stepped = ({ recordPages: _, ...store }: Store): Store => ({
    ...store,
    values: (span) => {
      const isWhole = isRecord(span.from) && seqInKey(span.from) <= 1
      return isHolding && isWhole ? stepThrough(store.values(span)) : store.values(span)
    },
  })
  return {
    wrap: (stores: Stores): Stores => ({
      ...stores,
      create: async (id, first) => stepped(await stores.create(id, first)),
      open: async (id) => stepped(await stores.open(id)),
    }),
    hold: () => {
      isHolding = true
      stepCount = 0
    },
    pass: () => {
      isHolding = false
    },
    step: () => {
      for (const resolve of waitingReads.splice(0)) resolve()
    },
    getStepCount: () => stepCount,
  }
}

for (const name of ['state', 'search', 'links'] as const)
  test(`ends a rebuild of ${name} within a page when the persona is erased from, deleted or closed`, async ({
    ends,
  }) => {
    const stores = createSteppedStores()
    const daemon = await startDaemon({ stores: stores.wrap })
    let closing: Promise<void> | undefined
    const close = () => {
      closing ??= daemon.close()
      return closing
    }
    ends.push(close)
    /** Rebuilds, calls `work` meanwhile, and lets the rebuild read single records until the work is done. */
    const during = async <T>(id: string, work: () => Promise<T>) => {
      stores.hold()
      const rebuilding = rebuild(daemon, id, name)
      // An index first checks whether it is of this journal, which reads the first facts, too.
      await waitFor('the rebuild', () => {
        stores.step()
        return stores.getStepCount() >= 10
      })
      stores.pass()
      let isDone = false
      const result = work().finally(() => {
        isDone = true
      })
      // Slow enough that only few records are read before a busy machine asks for the end of the rebuild.
      while (!isDone) {
        stores.step()
        await pause(100)
      }
      const reply = await rebuilding
      return { result: await result, reply, steps: stores.getStepCount() }
    }
    const createTalkative = async () => {
      const id = await createPersona(daemon)
      for (let n = 0; n < 8; n++) await say(daemon, id, `I like number ${n}.`)
      return id
    }
    const [first, second] = [await createTalkative(), await createTalkative()]
    const { body: talk } = await call(daemon.url, 'GET', `/api/persona/${first}/conversation`)
    const seqs = [talk.messages[0].id]
    const factCount = (await list(daemon, `?persona=${first}`))[0].position
    const maxSteps = factCount / 2
    assert.ok(maxSteps > 30)

    const erased = await during(first, () =>
      call(daemon.url, 'POST', `/api/persona/${first}/erase`, { seqs }),
    )
    assert.is(erased.result.status, 200, JSON.stringify(erased.result.body))
    assert.is(erased.reply.status, 409, JSON.stringify(erased.reply.body))
    assert.ok(erased.steps < maxSteps, `${erased.steps} records were read`)
    const again = await rebuild(daemon, first, name)
    assert.is(again.status, 200, JSON.stringify(again.body))
    assert.is(again.body.equal, name === 'links' ? null : true)

    const deleted = await during(first, () => call(daemon.url, 'POST', `/api/persona/${first}/delete`))
    assert.is(deleted.result.status, 200, JSON.stringify(deleted.result.body))
    assert.ok([404, 409].includes(deleted.reply.status), JSON.stringify(deleted.reply.body))
    assert.ok(deleted.steps < maxSteps, `${deleted.steps} records were read`)

    const closed = await during(second, close)
    assert.is(closed.reply.status, 503, JSON.stringify(closed.reply.body))
    assert.ok(closed.steps < maxSteps, `${closed.steps} records were read`)
  })

test('keeps a persona working when a stored fact cannot be applied to one part', async ({ ends }) => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const id = await createPersona(first)
  await say(first, id, 'Remember that I live in Lisbon.')
  const statement = { document: 'person', text: 'They like tea.' }
  const { id: poison } = (await call(first.url, 'POST', `/api/persona/${id}/memories`, statement)).body
  await first.close()
  const { knowledge: foldKnowledge } = foldTable
  const broken = foldTable as { -readonly [P in keyof typeof foldTable]: (typeof foldTable)[P] }
  let seq = 0
  broken.knowledge = (knowledge, fact) => {
    if (!('id' in fact.event && fact.event.id === poison)) return foldKnowledge(knowledge, fact)
    seq = fact.seq
    throw new RangeError('a defect')
  }
  ends.push(() => {
    broken.knowledge = foldKnowledge
  })
  const daemon = await startDaemon({ home })
  ends.push(() => daemon.close().catch(() => undefined))
  const [state, search] = await list(daemon, `?persona=${id}`)
  assert.equal([state.state, state.lag, search.state], ['stale', 0, 'current'])
  assert.match(state.reason, `knowledge (fact ${seq}, RangeError)`)
  assert.is((await say(daemon, id, 'Hello')).status, 200)
  const plan = { kind: 'reminder', content: 'Call Mum', when: '2099-01-01T09:00' }
  assert.is((await call(daemon.url, 'POST', `/api/persona/${id}/calendar`, plan)).status, 200)
  const { status, body } = await call(daemon.url, 'POST', `/api/persona/${id}/memories`, statement)
  assert.is(status, 500, JSON.stringify(body))
  assert.match(JSON.stringify(body), `fact ${seq} to the part “knowledge”`)
  const { memories } = (await call(daemon.url, 'GET', `/api/persona/${id}/memories`)).body
  assert.match(memories.map(({ text }: { text: string }) => text).join(), 'Lisbon')
  const { reason } = (await call(daemon.url, 'GET', `/api/persona/${id}/diagnose`)).body
  assert.match(reason, 'Some facts could not be applied: knowledge')
  assert.is((await rebuild(daemon, id, 'state')).body.equal, true)
  const metrics = await (await fetch(`${daemon.url}/metrics`)).text()
  assert.match(metrics, /^daimon_projections_stale\{projection="state"\} 1$/m)

  // A corrected daemon applies everything.
  await daemon.close()
  broken.knowledge = foldKnowledge
  const corrected = await startDaemon({ home })
  ends.push(corrected.close)
  const [current] = await list(corrected, `?persona=${id}`)
  assert.equal([current.state, current.reason], ['current', null])
  const all = (await call(corrected.url, 'GET', `/api/persona/${id}/memories`)).body.memories
  assert.match(all.map(({ text }: { text: string }) => text).join(), /Lisbon.*They like tea/)
})

test.run()
