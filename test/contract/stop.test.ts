/** POST /api/persona/{persona_id}/stop */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
import { notActive, shareHouse } from './house.ts'

const house = shareHouse(test)
const notRunning = [404, { detail: 'Persona is not running.' }]

test('her agent is gone, and nothing else changes', async () => {
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

test('a turn in progress does not hold it up, and what was heard is answered in her next life', async () => {
  const at = await house.home()
  house.models.think = () => new Promise(() => {})
  assert.equal(await house.post(`${at}/read?wait=0.1`, { message: 'hello' }), [200, { status: 'received', reply: null }])
  assert.equal(await house.post(`${at}/stop`), [200, { status: 'stopped' }])
  house.models.think = async () => {}
  await house.post(`${at}/start`)
  const said = await until('her answer', async () => {
    const [, { messages }] = await house.get(`${at}/conversation`)
    return messages.length > 1 && messages.map(({ content }: { content: string }) => content)
  })
  assert.equal(said, ['hello', 'You said: hello'])
})

test.run()
