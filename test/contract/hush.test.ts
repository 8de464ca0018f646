/** POST /api/persona/{persona_id}/hush */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

test('returns quiet without a turn, for a running and a stopped persona', async () => {
  const at = await setup.home()
  assert.equal(await setup.post(`${at}/hush`), [200, { status: 'quiet' }])
  await setup.post(`${at}/stop`)
  assert.equal(await setup.post(`${at}/hush`), [200, { status: 'quiet' }])
})

test('ends a running turn once and returns the partial reply to the waiting client', async () => {
  const at = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const waiting = setup.post(`${at}/read?wait=20`, { message: 'hello' })
  await waitFor('a turn to hush', async () => (await setup.post(`${at}/hush`))[1].status === 'hushed')
  assert.equal(await setup.post(`${at}/hush`), [200, { status: 'quiet' }])
  const [status, { reply }] = await waiting
  assert.equal([status, reply.content], [200, ''])
})

test('answers the next message', async () => {
  const at = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const waiting = setup.post(`${at}/read?wait=20`, { message: 'hello' })
  await waitFor('a turn to hush', async () => (await setup.post(`${at}/hush`))[1].status === 'hushed')
  await waiting
  setup.models.think = async () => {}
  assert.is(await setup.say(at, 'again'), 'You said: again')
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.post('/api/persona/nobody/hush'), unknownPersona)
})

test.run()
