/** POST /api/persona/{persona_id}/stop */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, until } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { notActive, shareHouse } from './house.ts'

const house = shareHouse(test)
const notRunning = [404, { detail: 'Persona is not running.' }]

test('its agent is gone, and nothing else changes', async () => {
  const id = await house.born()
  const before = await house.view(id)
  assert.equal(await house.post(`/api/persona/${id}/stop`), [200, { status: 'stopped' }])
  assert.equal(await house.view(id), { ...before, running: false })
})

test('who does not run, or is not there, is not running', async () => {
  const at = await house.home()
  await house.post(`${at}/stop`)
  assert.equal(await house.post(`${at}/stop`), notRunning)
  assert.equal(await house.post('/api/persona/nobody/stop'), notRunning)
})

test('what only a live agent does is refused after it', async () => {
  const at = await house.home()
  await house.say(at, 'hello')
  await house.post(`${at}/stop`)
  assert.equal(await house.post(`${at}/read`, { message: 'hello' }), notActive)
  assert.equal(await house.post(`${at}/read?wait=5`, { message: 'hello' }), notActive)
})

// Seen failing with a wait that looks for its words and for its deletion alone: it ended with its ten
// minutes.
test('whoever waits for its words is told that none will come', async () => {
  for (const [deed, body] of [
    ['stop', {}],
    ['update', { status: 'hibernate' }],
  ] as const) {
    const at = await house.home()
    let asked = 0
    house.models.think = () => {
      asked++
      return new Promise(() => {})
    }
    const waiting = house.post(`${at}/read?wait=600`, { message: 'hello' })
    await until('her Mind', () => asked > 0)
    assert.is((await house.post(`${at}/${deed}`, body))[0], 200)
    assert.equal(await waiting, [200, { status: 'received', reply: null }], deed)
  }
})

test('a turn in progress does not hold it up, and what was heard is answered in its next life', async () => {
  const at = await house.home()
  house.models.think = () => new Promise(() => {})
  assert.equal(await house.post(`${at}/read?wait=0.1`, { message: 'hello' }), [
    200,
    { status: 'received', reply: null },
  ])
  assert.equal(await house.post(`${at}/stop`), [200, { status: 'stopped' }])
  house.models.think = async () => {}
  await house.post(`${at}/start`)
  const said = await until('her answer', async () => {
    const [, { messages }] = await house.get(`${at}/conversation`)
    return messages.length > 1 && messages.map(({ content }: { content: string }) => content)
  })
  assert.equal(said, ['hello', 'You said: hello'])
})

test('a stop that is asked while it is being woken is carried out', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/stop`)
  const usual = house.models.probe
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  let asked = false
  house.models.probe = () => {
    asked = true
    return held
  }
  try {
    const starting = house.post(`/api/persona/${id}/start`)
    await until('the door to be asked', () => asked)
    const stopping = house.post(`/api/persona/${id}/stop`)
    go()
    assert.equal(
      [await starting, await stopping],
      [
        [200, { status: 'started' }],
        [200, { status: 'stopped' }],
      ],
    )
    assert.is((await house.view(id)).running, false)
  } finally {
    house.models.probe = usual
  }
})

test('who is only tried again since the daemon started is told to rest, though it does not run', async () => {
  const [home, models] = [await tempHome(), standIn()]
  const first = await startDaemon({ home, models })
  const { body } = await call(first.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
  })
  await first.close()
  models.broken.probe = 'Nobody at the door.'
  const second = await startDaemon({ home, models })
  models.done.length = 0
  await until('a try', () => models.done.length > 0)
  assert.is((await call(second.url, 'POST', `/api/persona/${body.persona.id}/stop`)).status, 404)
  await second.close()
  delete models.broken.probe
  const third = await startDaemon({ home, models })
  try {
    models.done.length = 0
    const her = `/api/persona/${body.persona.id}`
    assert.is((await call(third.url, 'POST', `${her}/stop`)).status, 404)
    assert.equal(models.done, [])
    assert.equal((await call(third.url, 'POST', `${her}/start`)).body, { status: 'started' })
  } finally {
    await third.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
