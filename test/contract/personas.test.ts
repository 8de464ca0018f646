/** GET /api/personas */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { listenTo } from '../listener.ts'
import { joinKeys, shareSetup } from './setup.ts'

const setup = shareSetup(test)

test('returns an empty list without personas, also if their folder is missing', async () => {
  assert.equal(await setup.get('/api/personas'), [200, { personas: [] }])
  await rm(join(setup.daemon.home, 'personas'), { recursive: true, force: true })
  assert.equal(await setup.get('/api/personas'), [200, { personas: [] }])
})

test('returns the fields of the contract in their order, then the portrait', async () => {
  const id = await setup.born({
    name: 'Zoë 🙂',
    thinking_url: 'http://127.0.0.1:7/v1',
    thinking_api_key: 'sk-never-shown',
  })
  const view = await setup.view(id)
  assert.is(
    joinKeys(view),
    'id name base_model birthday running status thinking imagination mouth eye ear teacher researcher channels portrait',
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
    portrait: null,
  })
  assert.is(joinKeys(view.thinking), 'name provider url')
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('contains no key', async () => {
  await setup.born({ thinking_api_key: 'sk-never-shown' })
  const { text } = await setup.send({ path: '/api/personas' })
  assert.not.match(text, 'sk-never-shown')
  assert.not.match(text, 'api_key')
})

test('shows a model inside the daemon as its own base model', async () => {
  const { base_model, thinking } = await setup.view(await setup.born({ thinking_model: 'embedded/practice' }))
  assert.equal(
    [base_model, thinking],
    ['embedded/practice', { name: 'embedded/practice', provider: null, url: 'embedded:' }],
  )
})

test('shows the configured address of an organ without its own', async () => {
  assert.is((await setup.view(await setup.born())).thinking.url, 'http://127.0.0.1:9')
})

test('reports running independently of status', async () => {
  const id = await setup.born()
  const getState = async () => {
    const { status, running } = await setup.view(id)
    return [status, running]
  }
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal(await getState(), ['active', false])
  await setup.post(`/api/persona/${id}/update`, { status: 'sick' })
  assert.equal(await getState(), ['sick', false])
  await setup.post(`/api/persona/${id}/start`)
  assert.equal(await getState(), ['sick', true])
})

test('lists personas by creation, regardless of later changes', async () => {
  const names = async () => (await setup.get('/api/personas'))[1].personas.map(({ id }: { id: string }) => id)
  const namesBefore = await names()
  const born = [await setup.born(), await setup.born(), await setup.born()]
  await setup.post(`/api/persona/${born[0]}/update`, { name: 'zzz', status: 'hibernate' })
  assert.equal(await names(), [...namesBefore, ...born])
})

test('lists the web channel under the id of the persona while it is open', async () => {
  const id = await setup.born()
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  const open = [{ type: 'web', name: id, verified: true }]
  assert.equal((await setup.view(id)).channels, open)
  assert.is(joinKeys((await setup.view(id)).channels[0]), 'type name verified')
  listener.leave()
  await listener.whenClosed
  assert.equal((await setup.view(id)).channels, open, 'it has been open since the last start')
  await setup.post(`/api/persona/${id}/restart`)
  assert.equal((await setup.view(id)).channels, open, 'a restart keeps it')
  await setup.post(`/api/persona/${id}/stop`)
  assert.equal((await setup.view(id)).channels, [])
  await setup.post(`/api/persona/${id}/start`)
  assert.equal((await setup.view(id)).channels, [], 'a listener before the stop does not count')
})

test('opens the web channel immediately when a persona starts while a client is listening', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  const listener = await listenTo(setup.daemon.url, `/ws/${id}`)
  assert.equal((await setup.view(id)).channels, [])
  await setup.post(`/api/persona/${id}/start`)
  await waitFor('the channel', async () => (await setup.view(id)).channels.length === 1)
  listener.leave()
})

test('leaves out deleted personas', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/delete`)
  assert.is(await setup.view(id), undefined)
})

test('forbids caching of API responses', async () => {
  for (const path of ['/api/personas', '/api/config/providers', '/api/nothing'])
    assert.is((await setup.send({ path })).headers['cache-control'], 'no-store', path)
})

test('ignores unknown parameters', async () => {
  assert.is((await setup.get('/api/personas?limit=abc'))[0], 200)
})

test.run()
