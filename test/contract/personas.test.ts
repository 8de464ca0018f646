/** GET /api/personas */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
import { listenTo } from '../listener.ts'
import { keysOf, shareSetup } from './setup.ts'

const setup = shareSetup(test)

test('without a persona, and without their folder, the list is empty', async () => {
  assert.equal(await setup.get('/api/personas'), [200, { personas: [] }])
  await rm(join(setup.daemon.home, 'personas'), { recursive: true, force: true })
  assert.equal(await setup.get('/api/personas'), [200, { personas: [] }])
})

test('a view has the fields of the contract in their order, and nothing beside', async () => {
  const id = await setup.born({
    name: 'Zoë 🙂',
    thinking_url: 'http://127.0.0.1:7/v1',
    thinking_api_key: 'sk-never-shown',
  })
  const view = await setup.view(id)
  assert.is(
    keysOf(view),
    'id name base_model birthday running status thinking imagination mouth eye ear teacher researcher channels',
  )
  const { birthday, ...rest } = view
  assert.match(birthday, /^\d{4}-\d\d-\d\d$/)
  assert.equal(rest, {
    id,
    name: 'Zoë 🙂',
    base_model: 'llama',
    running: true,
    status: 'active',
    thinking: { name: 'llama', provider: null, url: 'http://127.0.0.1:7/v1' },
    imagination: null,
    mouth: null,
    eye: null,
    ear: null,
    teacher: null,
    researcher: null,
    channels: [],
  })
  assert.is(keysOf(view.thinking), 'name provider url')
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('no key of anybody is in the list', async () => {
  await setup.born({ thinking_api_key: 'sk-never-shown' })
  const { text } = await setup.send({ path: '/api/personas' })
  assert.not.match(text, 'sk-never-shown')
  assert.not.match(text, 'api_key')
})

test('a model inside the daemon is its own base model', async () => {
  const { base_model, thinking } = await setup.view(await setup.born({ thinking_model: 'embedded/practice' }))
  assert.equal(
    [base_model, thinking],
    ['embedded/practice', { name: 'embedded/practice', provider: null, url: 'embedded:' }],
  )
})

test('an organ without an address of its own shows the configured one', async () => {
  assert.is((await setup.view(await setup.born())).thinking.url, 'http://127.0.0.1:9')
})

test('running is apart from status', async () => {
  const id = await setup.born()
  const shown = async () => {
    const { status, running } = await setup.view(id)
    return [status, running]
  }
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal(await shown(), ['active', false])
  await setup.post(`/api/persona/${id}/update`, { status: 'sick' })
  assert.equal(await shown(), ['sick', false])
  await setup.post(`/api/persona/${id}/start`)
  assert.equal(await shown(), ['sick', true])
})

test('personas are listed by creation, however they change later', async () => {
  const names = async () => (await setup.get('/api/personas'))[1].personas.map(({ id }: { id: string }) => id)
  const before = await names()
  const born = [await setup.born(), await setup.born(), await setup.born()]
  await setup.post(`/api/persona/${born[0]}/update`, { name: 'zzz', status: 'hibernate' })
  assert.equal(await names(), [...before, ...born])
})

test('the web channel is shown while it is open, and by its id', async () => {
  const id = await setup.born()
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  const open = [{ type: 'web', name: id, verified: true }]
  assert.equal((await setup.view(id)).channels, open)
  assert.is(keysOf((await setup.view(id)).channels[0]), 'type name verified')
  listener.leave()
  await listener.closed
  assert.equal((await setup.view(id)).channels, open, 'it was open since she last woke')
  await setup.post(`/api/persona/${id}/restart`)
  assert.equal((await setup.view(id)).channels, open, 'a restart keeps it')
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal((await setup.view(id)).channels, [])
  await setup.post(`/api/persona/${id}/start`)
  assert.equal((await setup.view(id)).channels, [], 'whoever listened before does not count')
})

test('who wakes while somebody listens has its web channel open at once', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  assert.equal((await setup.view(id)).channels, [])
  await setup.post(`/api/persona/${id}/start`)
  await until('the channel', async () => (await setup.view(id)).channels.length === 1)
  listener.leave()
})

test('a deleted persona is gone from it', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/delete`)
  assert.is(await setup.view(id), undefined)
})

test('what the API says is kept in no cache', async () => {
  for (const path of ['/api/personas', '/api/config/providers', '/api/nothing'])
    assert.is((await setup.send({ path })).headers['cache-control'], 'no-store', path)
})

test('the list is always 200, whatever is asked beside', async () => {
  assert.is((await setup.get('/api/personas?limit=abc'))[0], 200)
})

test.run()
