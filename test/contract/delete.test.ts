/** POST /api/persona/{persona_id}/delete */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Unavailable } from '../../journal/errors.ts'
import { createTurns } from '../../src/http/one-at-a-time.ts'
import type { RouteDeps } from '../../src/http/route.ts'
import { deletion } from '../../src/http/routes/delete.ts'
import { standIn } from '../http/stand-in.ts'
import { ask, silent, withHandlers } from '../http/try.ts'
import { listenTo } from '../listener.ts'
import { notActive, shareHouse, unknownPersona, wrong } from './house.ts'

const house = shareHouse(test)
const folderOf = (id: string) => join(house.daemon.home, 'personas', id)

test('she and her home are gone for good, and the answer is null', async () => {
  const id = await house.born({ thinking_api_key: 'sk-to-be-gone' })
  assert.ok(existsSync(folderOf(id)))
  assert.equal(await house.post(`/api/persona/${id}/delete`), [200, null])
  assert.is(await house.view(id), undefined)
  assert.not.ok(existsSync(folderOf(id)))
  for (const deed of ['delete', 'start', 'restart', 'hush'])
    assert.equal(await house.post(`/api/persona/${id}/${deed}`), unknownPersona, deed)
  assert.equal(await house.post(`/api/persona/${id}/read`, { message: 'hello' }), notActive)
  assert.equal(await house.get(`/api/persona/${id}/conversation`), unknownPersona)
})

test('her local model is unregistered', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/delete`)
  assert.ok(house.models.done.includes(`unwrap llama daimon-${id}`))
})

test('who does not run is deleted too', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/stop`)
  assert.equal(await house.post(`/api/persona/${id}/delete`), [200, null])
})

test('with a runtime that cannot be reached nothing is removed, and she runs again if she ran', async () => {
  for (const ran of [true, false]) {
    const id = await house.born()
    if (!ran) await house.post(`/api/persona/${id}/stop`)
    const before = await house.view(id)
    house.models.broken.unwrap = 'No runtime answers.'
    assert.equal(await house.post(`/api/persona/${id}/delete`), [400, { detail: 'No runtime answers.' }])
    assert.equal(await house.view(id), before)
    assert.equal(await house.post(`/api/persona/${id}/delete?force=false`), [400, { detail: 'No runtime answers.' }])
    assert.equal(await house.post(`/api/persona/${id}/delete?force=true`), [200, null])
    assert.is(await house.view(id), undefined)
    delete house.models.broken.unwrap
  }
})

test('a force that is no truth is a 422, also for a persona there is not', async () => {
  const at = await house.home()
  for (const there of [at, '/api/persona/nobody'])
    assert.equal(
      await house.post(`${there}/delete?force=maybe`),
      wrong('bool_parsing', ['query', 'force'], 'Input should be a valid boolean, unable to interpret input', { input: 'maybe' }),
    )
  assert.is((await house.post(`${at}/hush`))[0], 200)
})

test('whoever listens to her is told goodbye with 4404', async () => {
  const id = await house.born()
  const listener = await listenTo(house.daemon.url, `/ws/${id}`)
  await house.post(`/api/persona/${id}/delete`)
  assert.is(await listener.closed, 4404)
})

test('a turn in progress is cut, and who waits for it is answered', async () => {
  const at = await house.home()
  house.models.think = () => new Promise(() => {})
  const waiting = house.post(`${at}/read?wait=20`, { message: 'hello' })
  await house.post(`${at}/read?wait=0.1`, { message: 'hello' })
  assert.equal(await house.post(`${at}/delete`), [200, null])
  const [status] = await waiting
  assert.is(status, 200)
})

test('of two that ask at once nobody fails for a reason of its own', async () => {
  const at = await house.home()
  const statuses = (await Promise.all([house.post(`${at}/delete`), house.post(`${at}/delete`)])).map(([status]) => status)
  assert.ok(statuses.includes(200))
  for (const status of statuses) assert.ok(status === 200 || status === 404, String(statuses))
})

test('nobody else loses anything', async () => {
  const other = await house.born({ name: 'Eva' })
  const before = [await house.view(other), await readFile(join(house.daemon.home, 'daemon'), 'utf8')]
  await house.post(`${await house.home()}/delete`)
  assert.equal([await house.view(other), await readFile(join(house.daemon.home, 'daemon'), 'utf8')], before)
})

test('there must be such a persona', async () => {
  for (const id of ['nobody', '..', '%2e%2e', '..%2F..', '.'])
    assert.equal(await house.post(`/api/persona/${id}/delete?force=true`), unknownPersona, id)
})

/** The route alone, over a persona whose journal is in trouble. */
const troubled = async (trouble: string | null, run: (post: (query: string) => Promise<unknown>, did: string[]) => Promise<void>) => {
  const models = standIn()
  const did = models.done
  const organ = { model: 'llama', provider: null, url: null, key: null }
  const personas = {
    listed: () => ({ self: { id: 'ada', organs: { thinking: organ } }, trouble }),
    execute: async (_id: string, { type }: { type: string }) => {
      did.push(type)
      if (type === 'DeletePersona') throw new Unavailable('no space')
    },
    remove: async () => did.push('removed'),
  }
  const agents = { running: () => true, settled: async () => ({ running: false, failed: null }) }
  const deps = { agents, personas, models, log: silent, inTurn: createTurns() } as unknown as RouteDeps
  await withHandlers(deletion.serve(deps), (port) =>
    run(async (query) => {
      const { status, text } = await ask(port, { method: 'POST', path: `/${query}` })
      return [status, JSON.parse(text)]
    }, did),
  )
}

test('a deletion that cannot be written leaves her registered, and running if she ran', () =>
  troubled(null, async (post, did) => {
    assert.equal(await post(''), [400, { detail: 'She could not be deleted: JournalUnavailable: no space' }])
    assert.equal(did, ['AskStop', 'unwrap llama daimon-ada', 'DeletePersona', 'wrap llama daimon-ada', 'AskStart'])
  }))

test('a damaged journal is deleted only when it is forced, and nothing is unregistered before', () =>
  troubled('record 7: does not match', async (post, did) => {
    const detail = 'Her journal can only be read: record 7: does not match. Ask with ?force=true to delete her all the same.'
    assert.equal(await post(''), [400, { detail }])
    assert.equal(did, [])
    assert.equal(await post('?force=true'), [200, null])
    assert.equal(did, ['unwrap llama daimon-ada', 'removed'])
  }))

test.run()
