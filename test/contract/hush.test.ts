/** POST /api/persona/{persona_id}/hush */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
import { shareHouse, unknownPersona } from './house.ts'

const house = shareHouse(test)

test('without a turn it is quiet, running or not', async () => {
  const at = await house.home()
  assert.equal(await house.post(`${at}/hush`), [200, { status: 'quiet' }])
  await house.post(`${at}/stop`)
  assert.equal(await house.post(`${at}/hush`), [200, { status: 'quiet' }])
})

test('a turn in progress ends, once, and who waited is told what was said', async () => {
  const at = await house.home()
  house.models.think = () => new Promise(() => {})
  const waiting = house.post(`${at}/read?wait=20`, { message: 'hello' })
  await until('a turn to hush', async () => (await house.post(`${at}/hush`))[1].status === 'hushed')
  assert.equal(await house.post(`${at}/hush`), [200, { status: 'quiet' }])
  const [status, { reply }] = await waiting
  assert.equal([status, reply.content], [200, ''])
})

test('it answers the next message', async () => {
  const at = await house.home()
  house.models.think = () => new Promise(() => {})
  const waiting = house.post(`${at}/read?wait=20`, { message: 'hello' })
  await until('a turn to hush', async () => (await house.post(`${at}/hush`))[1].status === 'hushed')
  await waiting
  house.models.think = async () => {}
  assert.is(await house.say(at, 'again'), 'You said: again')
})

test('there must be such a persona', async () => {
  assert.equal(await house.post('/api/persona/nobody/hush'), unknownPersona)
})

test.run()
