/** GET /api/personas */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
import { listenTo } from '../listener.ts'
import { keysOf, shareHouse } from './house.ts'

const house = shareHouse(test)

test('without a persona, and without their folder, the list is empty', async () => {
  assert.equal(await house.get('/api/personas'), [200, { personas: [] }])
  await rm(join(house.daemon.home, 'personas'), { recursive: true, force: true })
  assert.equal(await house.get('/api/personas'), [200, { personas: [] }])
})

test('a view has the fields of the contract in their order, and nothing beside', async () => {
  const id = await house.born({
    name: 'Zoë 🙂',
    thinking_url: 'http://127.0.0.1:7/v1',
    thinking_api_key: 'sk-never-shown',
  })
  const view = await house.view(id)
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
  await house.born({ thinking_api_key: 'sk-never-shown' })
  const { text } = await house.send({ path: '/api/personas' })
  assert.not.match(text, 'sk-never-shown')
  assert.not.match(text, 'api_key')
})

test('a model inside the daemon is its own base model', async () => {
  const { base_model, thinking } = await house.view(await house.born({ thinking_model: 'embedded/practice' }))
  assert.equal(
    [base_model, thinking],
    ['embedded/practice', { name: 'embedded/practice', provider: null, url: 'embedded:' }],
  )
})

test('an organ without an address of its own shows the configured one', async () => {
  assert.is((await house.view(await house.born())).thinking.url, 'http://127.0.0.1:9')
})

test('running is apart from status', async () => {
  const id = await house.born()
  const shown = async () => {
    const { status, running } = await house.view(id)
    return [status, running]
  }
  await house.post(`/api/persona/${id}/stop`)
  assert.equal(await shown(), ['active', false])
  await house.post(`/api/persona/${id}/update`, { status: 'sick' })
  assert.equal(await shown(), ['sick', false])
  await house.post(`/api/persona/${id}/start`)
  assert.equal(await shown(), ['sick', true])
})

test('personas are listed by creation, however they change later', async () => {
  const names = async () => (await house.get('/api/personas'))[1].personas.map(({ id }: { id: string }) => id)
  const before = await names()
  const born = [await house.born(), await house.born(), await house.born()]
  await house.post(`/api/persona/${born[0]}/update`, { name: 'zzz', status: 'hibernate' })
  assert.equal(await names(), [...before, ...born])
})

test('the web channel is shown while it is open, and by its id', async () => {
  const id = await house.born()
  const listener = await listenTo(house.daemon.url, `/ws/${id}`)
  const open = [{ type: 'web', name: id, verified: true }]
  assert.equal((await house.view(id)).channels, open)
  assert.is(keysOf((await house.view(id)).channels[0]), 'type name verified')
  listener.leave()
  await listener.closed
  assert.equal((await house.view(id)).channels, open, 'it was open since she last woke')
  await house.post(`/api/persona/${id}/restart`)
  assert.equal((await house.view(id)).channels, open, 'a restart keeps it')
  await house.post(`/api/persona/${id}/stop`)
  assert.equal((await house.view(id)).channels, [])
  await house.post(`/api/persona/${id}/start`)
  assert.equal((await house.view(id)).channels, [], 'whoever listened before does not count')
})

test('who wakes while somebody listens has its web channel open at once', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/stop`)
  const listener = await listenTo(house.daemon.url, `/ws/${id}`)
  assert.equal((await house.view(id)).channels, [])
  await house.post(`/api/persona/${id}/start`)
  await until('the channel', async () => (await house.view(id)).channels.length === 1)
  listener.leave()
})

test('a deleted persona is gone from it', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/delete`)
  assert.is(await house.view(id), undefined)
})

test('what the API says is kept in no cache', async () => {
  for (const path of ['/api/personas', '/api/config/providers', '/api/nothing'])
    assert.is((await house.send({ path })).headers['cache-control'], 'no-store', path)
})

test('the list is always 200, whatever is asked beside', async () => {
  assert.is((await house.get('/api/personas?limit=abc'))[0], 200)
})

test.run()
