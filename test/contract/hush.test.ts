/** POST /api/persona/{persona_id}/hush */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)

test('returns quiet without a turn, for a running and a stopped persona', async () => {
  const personaPath = await setup.home()
  assert.equal(await setup.post(`${personaPath}/hush`), [200, { status: 'quiet' }])
  await setup.post(`${personaPath}/stop`)
  assert.equal(await setup.post(`${personaPath}/hush`), [200, { status: 'quiet' }])
})

test('ends a running turn once and returns the partial reply to the waiting client', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const pendingReply = setup.post(`${personaPath}/read?wait=20`, { message: 'hello' })
  await waitFor(
    'a turn to hush',
    async () => (await setup.post(`${personaPath}/hush`))[1].status === 'hushed',
  )
  assert.equal(await setup.post(`${personaPath}/hush`), [200, { status: 'quiet' }])
  const [status, { reply }] = await pendingReply
  assert.equal([status, reply.content], [200, ''])
})

test('answers the next message', async () => {
  const personaPath = await setup.home()
  setup.models.think = () => new Promise(() => {})
  const pendingReply = setup.post(`${personaPath}/read?wait=20`, { message: 'hello' })
  await waitFor(
    'a turn to hush',
    async () => (await setup.post(`${personaPath}/hush`))[1].status === 'hushed',
  )
  await pendingReply
  setup.models.think = async () => {}
  assert.is(await setup.say(personaPath, 'again'), 'You said: again')
})

test('returns 404 for a missing persona', async () => {
  assert.equal(await setup.post('/api/persona/nobody/hush'), unknownPersona)
})

test.run()
