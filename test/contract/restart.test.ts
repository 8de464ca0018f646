/** POST /api/persona/{persona_id}/restart */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareHouse, titlesOf, unknownPersona } from './house.ts'

const house = shareHouse(test)
const restarted = [200, { status: 'restarted' }]
const woke = async (id: string) => titlesOf(await house.facts(id)).filter((title) => title.startsWith('Woke'))

test('who runs begins a new life', async () => {
  const id = await house.born()
  const before = await house.view(id)
  assert.equal(await house.post(`/api/persona/${id}/restart`), restarted)
  assert.equal(await house.view(id), before)
  assert.equal(await woke(id), ['Woke 1', 'Woke 2'])
})

test('who does not run is started, whatever its status, which stays', async () => {
  const id = await house.born()
  for (const status of ['active', 'hibernate', 'sick']) {
    await house.post(`/api/persona/${id}/update`, { status })
    if (status === 'active') await house.post(`/api/persona/${id}/stop`)
    assert.equal(await house.post(`/api/persona/${id}/restart`), restarted, status)
    const { running, status: kept } = await house.view(id)
    assert.equal([running, kept], [true, status])
  }
})

test('an agent that runs stays when its Mind cannot be reached', async () => {
  const id = await house.born()
  house.models.broken.probe = 'Nobody at the door.'
  assert.equal(await house.post(`/api/persona/${id}/restart`), [400, { detail: 'Nobody at the door.' }])
  assert.is((await house.view(id)).running, true)
  assert.equal(await woke(id), ['Woke 1'])
})

test('who does not run stays so when its Mind cannot be reached', async () => {
  const id = await house.born()
  await house.post(`/api/persona/${id}/stop`)
  house.models.broken.probe = 'Nobody at the door.'
  assert.equal(await house.post(`/api/persona/${id}/restart`), [400, { detail: 'Nobody at the door.' }])
  assert.is((await house.view(id)).running, false)
})

test('it goes on with what it was told in its former life', async () => {
  const at = await house.home()
  await house.say(at, 'before')
  await house.post(`${at}/restart`)
  await house.say(at, 'after')
  const [, { messages }] = await house.get(`${at}/conversation`)
  assert.equal(
    messages.map(({ content }: { content: string }) => content),
    ['before', 'You said: before', 'after', 'You said: after'],
  )
})

test('there must be such a persona', async () => {
  assert.equal(await house.post('/api/persona/nobody/restart'), unknownPersona)
})

test.run()
