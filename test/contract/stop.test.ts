/** POST /api/persona/{persona_id}/stop */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { notActive, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const notRunning = [404, { detail: 'Persona is not running.' }]

test('stops the persona and changes nothing else', async () => {
  const id = await setup.born()
  const viewBefore = await setup.view(id)
  assert.equal(await setup.post(`/api/persona/${id}/stop`), [200, { status: 'stopped' }])
  assert.equal(await setup.view(id), { ...viewBefore, running: false })
})

test('returns 404 for a stopped and for a missing persona', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  assert.equal(await setup.post(`${personaPath}/stop`), notRunning)
  assert.equal(await setup.post('/api/persona/nobody/stop'), notRunning)
})

test('returns 409 for messages after the stop', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  await setup.post(`${personaPath}/stop`)
  assert.equal(await setup.post(`${personaPath}/read`, { message: 'hello' }), notActive)
  assert.equal(await setup.post(`${personaPath}/read?wait=5`, { message: 'hello' }), notActive)
})

// Fails if a wait watches only for a reply and for the deletion: it then takes its full ten minutes.
test('ends a wait with a null reply when the persona is stopped', async () => {
  for (const [action, body] of [
    ['stop', {}],
    ['update', { status: 'hibernate' }],
  ] as const) {
    const personaPath = await setup.home()
    let callCount = 0
    setup.models.think = () => {
      callCount++
      return new Promise(() => {})
    }
    const pendingReply = setup.post(`${personaPath}/read?wait=600`, { message: 'hello' })
    await waitFor('the model call', () => callCount > 0)
    assert.is((await setup.post(`${personaPath}/${action}`, body))[0], 200)
    assert.equal(await pendingReply, [200, { status: 'received', reply: null }], action)
  }
})

test('does not wait for a running turn, and answers its message after the next start', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  assert.equal(await setup.post(`${personaPath}/read?wait=0.1`, { message: 'hello' }), [
    200,
    { status: 'received', reply: null },
  ])
  assert.equal(await setup.post(`${personaPath}/stop`), [200, { status: 'stopped' }])
  setup.models.think = async () => {}
  await setup.post(`${personaPath}/start`)
  const texts = await waitFor('the answer', async () => {
    const [, { messages }] = await setup.get(`${personaPath}/conversation`)
    return messages.length > 1 && messages.map(({ content }: { content: string }) => content)
  })
  assert.equal(texts, ['hello', 'You said: hello'])
})

test('stops a persona that is still starting', async () => {
  const id = await setup.born()
  await setup.post(`/api/persona/${id}/stop`)
  const usual = setup.models.probe
  let go = () => {}
  const probeEnd = new Promise<void>((resolve) => {
    go = resolve
  })
  let isProbed = false
  setup.models.probe = () => {
    isProbed = true
    return probeEnd
  }
  try {
    const pendingStart = setup.post(`/api/persona/${id}/start`)
    await waitFor('the probe', () => isProbed)
    const pendingStop = setup.post(`/api/persona/${id}/stop`)
    go()
    assert.equal(
      [await pendingStart, await pendingStop],
      [
        [200, { status: 'started' }],
        [200, { status: 'stopped' }],
      ],
    )
    assert.is((await setup.view(id)).running, false)
  } finally {
    setup.models.probe = usual
  }
})

test('ends the retries of a persona that could not be started, though it is not running', async () => {
  const home = await tempHome()
  const models = standIn()
  const first = await startDaemon({ home, models })
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
  })
  await first.close()
  models.brokenMethods.probe = 'Nobody is there.'
  const second = await startDaemon({ home, models })
  models.doneCalls.length = 0
  await waitFor('a retry', () => models.doneCalls.length > 0)
  assert.is((await call(second.url, 'POST', `/api/persona/${body.persona.id}/stop`)).status, 404)
  await second.close()
  delete models.brokenMethods.probe
  const third = await startDaemon({ home, models })
  try {
    models.doneCalls.length = 0
    const persona = `/api/persona/${body.persona.id}`
    assert.is((await call(third.url, 'POST', `${persona}/stop`)).status, 404)
    assert.equal(models.doneCalls, [])
    assert.equal((await call(third.url, 'POST', `${persona}/start`)).body, { status: 'started' })
  } finally {
    await third.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
