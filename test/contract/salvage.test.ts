/** POST /api/persona/{persona_id}/verify and /salvage */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../journal/log/store.ts'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal, spoilRecord } from '../damage-journal.ts'

const createPersona = async (url: string, name: string): Promise<string> =>
  (await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'embedded/practice' })).body.persona
    .id
const say = (url: string, id: string, message: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
const getView = async (url: string, id: string) =>
  (await call(url, 'GET', '/api/personas')).body.personas.find((persona: { id: string }) => persona.id === id)

test('shows a damaged persona as sick and readable up to the damage, and salvages the valid facts', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const ada = await createPersona(first.url, 'Ada')
  await createPersona(first.url, 'Bea')
  await say(first.url, ada, 'My name is Kim.')
  await say(first.url, ada, 'I live in Lisbon.')
  const { events } = (await call(first.url, 'POST', `/api/persona/${ada}/verify`)).body
  assert.equal(await call(first.url, 'POST', `/api/persona/${ada}/salvage`), {
    status: 400,
    body: { detail: 'Its journal is not damaged. There is nothing to salvage.' },
  })
  const [message] = (await call(first.url, 'GET', `/api/persona/${ada}/conversation`)).body.messages
  await first.close()
  await damageJournal(home, ada, message.id)

  const { url, close } = await startDaemon({ home })
  try {
    const personaPath = `/api/persona/${ada}`
    await waitFor(
      'the damage to be found',
      async () =>
        (await getView(url, ada)).status === 'sick' ||
        call(url, 'POST', `${personaPath}/start`).then(() => false),
    )
    assert.is((await call(url, 'POST', `${personaPath}/start`)).status, 400)
    assert.is((await call(url, 'GET', `${personaPath}/conversation`)).body.messages.length, 0)
    const { head, diaries, ...verdict } = (await call(url, 'POST', `${personaPath}/verify`)).body
    assert.equal(verdict, {
      events: message.id - 1,
      intact: false,
      first_bad: message.id,
      media: null,
      snapshots: null,
    })
    assert.ok(diaries.length > 0)
    assert.match(head, /^[0-9a-f]{64}$/)

    const { status, body } = await call(url, 'POST', `${personaPath}/salvage`)
    assert.is(status, 200)
    const { copy, ...rest } = body
    assert.equal(rest, { kept: events, lost: 1, first_lost: message.id, running: true })
    assert.match(copy, ada)
    assert.is((await getView(url, ada)).status, 'active')
    const { messages } = (await call(url, 'GET', `${personaPath}/conversation`)).body
    assert.is(messages[0].role, 'assistant')
    assert.match((await say(url, ada, 'Where do I live?')).body.reply.content, /Lisbon/)
    const verdictAfter = (await call(url, 'POST', `${personaPath}/verify`)).body
    assert.ok(verdictAfter.intact && verdictAfter.events > events)
  } finally {
    await close()
    await rm(home, { recursive: true, force: true })
  }
})

test('shows damage found by a full verification and stops the persona', async () => {
  const openStores = new Map<string, Store>()
  const { url, close } = await startDaemon({
    stores: (stores) => ({
      ...stores,
      create: async (id, ops) => {
        const store = await stores.create(id, ops)
        openStores.set(id, store)
        return store
      },
    }),
  })
  try {
    const ada = await createPersona(url, 'Ada')
    const bea = await createPersona(url, 'Bea')
    await say(url, ada, 'My name is Kim.')
    const personaPath = `/api/persona/${ada}`
    const [message] = (await call(url, 'GET', `${personaPath}/conversation`)).body.messages
    const store = openStores.get(ada)
    await spoilRecord(store as Store, message.id)
    const { intact, first_bad } = (await call(url, 'POST', `${personaPath}/verify`)).body
    assert.equal([intact, first_bad], [false, message.id])
    await waitFor('the persona to stop', async () => !(await getView(url, ada)).running)
    assert.is((await getView(url, ada)).status, 'sick')
    assert.is((await call(url, 'POST', `${personaPath}/read`, { message: 'hi' })).status, 409)
    assert.is((await say(url, bea, 'hi')).status, 200)
    assert.is((await call(url, 'POST', `${personaPath}/salvage`)).body.lost, 1)
    assert.is((await say(url, ada, 'hi')).status, 200)
  } finally {
    await close()
  }
})

test('returns 404 for a missing persona', async () => {
  const { url, close } = await startDaemon()
  try {
    for (const route of ['verify', 'salvage'])
      assert.equal(await call(url, 'POST', `/api/persona/nobody/${route}`), {
        status: 404,
        body: { detail: 'Persona not found.' },
      })
  } finally {
    await close()
  }
})

test.run()
