/** POST /api/persona/{persona_id}/restart */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getTitles, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const restartReply = [200, { status: 'restarted' }]
const listWakings = async (id: string) =>
  getTitles(await setup.facts(id)).filter((title) => title.startsWith('Woke'))

test('begins a new life for a running persona', async () => {
  const id = await setup.born()
  const viewBefore = await setup.view(id)
  assert.equal(await setup.post(`/api/persona/${id}/restart`), restartReply)
  assert.equal(await setup.view(id), viewBefore)
  assert.equal(await listWakings(id), ['Woke 1', 'Woke 2'])
})

test('starts a persona that is not running, with any status, and keeps the status', async () => {
  const id = await setup.born()
  for (const status of ['active', 'hibernate', 'sick']) {
    await setup.post(`/api/persona/${id}/update`, { status })
    if (status === 'active') await setup.post(`/api/persona/${id}/stop`)
    assert.equal(await setup.post(`/api/persona/${id}/restart`), restartReply, status)
    const { running, status: statusAfter } = await setup.view(id)
    assert.equal([running, statusAfter], [true, status])
  }
})

test('leaves a running persona unchanged when its model cannot be reached', async () => {
  const id = await setup.born()
  setup.models.brokenMethods.probe = 'Nobody is there.'
  assert.equal(await setup.post(`/api/persona/${id}/restart`), [400, { detail: 'Nobody is there.' }])
  assert.is((await setup.view(id)).running, true)
  assert.equal(await listWakings(id), ['Woke 1'])
})

test('leaves a stopped persona stopped when its model cannot be reached', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  setup.models.brokenMethods.probe = 'Nobody is there.'
  assert.equal(await setup.post(`/api/persona/${id}/restart`), [400, { detail: 'Nobody is there.' }])
  assert.is((await setup.view(id)).running, false)
})

test('continues the conversation after a restart', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'before')
  await setup.post(`${personaPath}/restart`)
  await setup.say(personaPath, 'after')
  const [, { messages }] = await setup.get(`${personaPath}/conversation`)
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['before', 'You said: before', 'after', 'You said: after'],
  )
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.post('/api/persona/nobody/restart'), unknownPersona)
})

test.run()
