/** POST /api/persona/{persona_id}/start */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getTitles, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

test('starts a persona that is not running, with any status', async () => {
  const personaPath = await setup.home()
  for (const status of ['active', 'hibernate', 'sick']) {
    await setup.post(`${personaPath}/update`, { status })
    if (status === 'active') await setup.post(`${personaPath}/stop`)
    assert.equal(await setup.post(`${personaPath}/start`), [200, { status: 'started' }], status)
    const { running, status: statusAfter } = await setup.view(personaPath.split('/')[3] ?? '')
    assert.equal([running, statusAfter], [true, status])
  }
})

test('does nothing for a running persona, even if its model cannot be reached', async () => {
  const id = await setup.born()
  setup.models.brokenMethods.probe = 'Nobody is there.'
  assert.equal(await setup.post(`/api/persona/${id}/start`), [200, { status: 'already running' }])
  assert.equal(getTitles(await setup.facts(id)), [
    'PersonaCreated',
    'OrganReplaced',
    'StartAsked',
    'Woke 1',
    'DiaryWritten',
    'Renamed',
  ])
})

test('returns 400 and starts nothing when the model cannot be reached', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  setup.models.brokenMethods.probe = 'Nobody is there.'
  assert.equal(await setup.post(`/api/persona/${id}/start`), [400, { detail: 'Nobody is there.' }])
  assert.is((await setup.view(id)).running, false)
  delete setup.models.brokenMethods.probe
  assert.equal(await setup.post(`/api/persona/${id}/start`), [200, { status: 'started' }])
})

test('answers concurrent requests and starts once', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  const answers = await Promise.all(Array.from({ length: 5 }, () => setup.post(`/api/persona/${id}/start`)))
  for (const [status, body] of answers)
    assert.ok(status === 200 && ['started', 'already running'].includes(body.status))
  assert.equal(
    getTitles(await setup.facts(id)).filter((title) => title.startsWith('Woke')),
    ['Woke 1', 'Woke 2'],
  )
})

test('ignores a body of any kind', async () => {
  const personaPath = await setup.home()
  for (const headers of [
    { 'Content-Type': 'application/json' },
    { 'Content-Type': 'text/plain' },
    { 'Content-Encoding': 'odd' },
  ]) {
    const { status, text } = await setup.send({
      method: 'POST',
      path: `${personaPath}/start`,
      headers,
      body: '{broken',
    })
    assert.equal([status, text], [200, '{"status":"already running"}'])
  }
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.post('/api/persona/nobody/start'), unknownPersona)
})

test.run()
