import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newPhrase } from '../../src/persona/phrase.ts'
import { call, type Reply, waitFor } from '../calls.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { type Listener, listenTo } from '../listener.ts'
import { createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createSecret, filesWith, isIn, type Secret, wordsOfHome } from './search.ts'

/**
 * Fails if an organ stores its key in its fact, if an error message quotes a runtime's text unmasked, if a
 * log line contains the phrase, if the sweep does nothing or is not awaited, if a deleted folder stays in the
 * trash, or if a key is stored before its change is committed.
 */
interface World {
  ends: (() => unknown)[]
  home: string
  ollama: OllamaStandIn
  daemon: TestDaemon
  system: Listener
  /** Every log line and every response body. */
  lines: string[]
  bodies: string[]
}
const test = suite<World>('secrets', { ends: [] } as unknown as World)
test.before.each(async (world) => {
  const home = await tempHome()
  world.ends.push(() => rm(home, { recursive: true, force: true }))
  const ollama = await createOllama({ answer: () => 'ok' })
  world.ends.push(ollama.close)
  Object.assign(world, { home, ollama, lines: [], bodies: [] })
  await begin(world)
})
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

const begin = async (world: World): Promise<void> => {
  const env = { OLLAMA_BASE_URL: world.ollama.url, DAIMON_LOG_LEVEL: 'trace' }
  const daemon = await startDaemon({
    newPhrase,
    home: world.home,
    env,
    random: () => 0,
    logTo: (line) => world.lines.push(line),
  })
  world.ends.push(() => daemon.close())
  world.daemon = daemon
  world.system = await listenTo(daemon.url, '/ws/system')
}

const end = async (world: World): Promise<void> => {
  await world.daemon.close()
  world.ends.pop()
}

const newKey = (): string => `marked-${randomBytes(18).toString('hex')}`

const post = async (world: World, path: string, body?: unknown): Promise<Reply> =>
  recordReply(world, await call(world.daemon.url, 'POST', path, body))
const get = async (world: World, path: string): Promise<Reply> =>
  recordReply(world, await call(world.daemon.url, 'GET', path))
const recordReply = (world: World, reply: Reply): Reply => {
  world.bodies.push(JSON.stringify(reply.body))
  return reply
}

/** The response to create may contain secrets, and is not searched. */
const createPersona = async (
  world: World,
  key: string | undefined,
): Promise<{ id: string; phrase: string; listener: Listener }> => {
  const request = {
    name: 'Ada',
    thinking_model: 'llama3',
    ...(key === undefined ? {} : { thinking_api_key: key }),
  }
  const { status, body } = await call(world.daemon.url, 'POST', '/api/persona/create', request)
  assert.is(status, 200, JSON.stringify(body))
  assert.is(body.persona.thinking.api_key, key ?? null)
  const { id } = body.persona
  return { id, phrase: body.recovery_phrase, listener: await listenTo(world.daemon.url, `/ws/${id}?after=0`) }
}

const everythingBut = (path: string) => [path]

/** Asserts that no response, frame or log line contains it, and only the named files. */
const assertHidden = async (
  world: World,
  secret: Secret,
  listeners: readonly Listener[],
  files: readonly string[],
): Promise<void> => {
  const outputs = {
    bodies: world.bodies,
    lines: world.lines,
    frames: [world.system, ...listeners].flatMap(({ texts }) => texts),
  }
  for (const [where, texts] of Object.entries(outputs)) {
    for (const text of texts)
      assert.not.ok(isIn(secret, text), `${secret.name} is in the ${where}: ${text.slice(0, 300)}`)
  }
  assert.equal(await filesWith(secret, world.home), files, secret.name)
}

/** Calls every route of a persona, with valid and invalid input. */
const live = async (world: World, id: string, key: string): Promise<void> => {
  const persona = `/api/persona/${id}`
  const { faults } = world.ollama
  const say = (message: string) => post(world, `${persona}/read?wait=20`, { message })
  assert.is((await say('Hello')).body.reply.content, 'ok')
  assert.is((await post(world, `${persona}/update`, { name: 'Bea', idle_timeout: 60 })).status, 200)
  assert.is((await post(world, `${persona}/update`, { thinking: { model: 'llama3' } })).status, 200)
  assert.is((await post(world, `${persona}/restart`)).status, 200)
  assert.is((await post(world, '/api/models', { api_key: key })).status, 200)
  for (const path of [
    '/api/personas',
    `${persona}/conversation`,
    `${persona}/journal`,
    `${persona}/history?at=1000000`,
    `${persona}/changes?from=0`,
    '/openapi.json',
    '/api/config/providers',
    '/api/health',
  ]) {
    assert.is((await get(world, path)).status, 200, path)
  }

  // The runtime repeats its request in every kind of error.
  const echo = (status: number) =>
    Object.assign(faults, {
      fails: 1000,
      failStatus: status,
      failWords: `no entry with Bearer ${key}, none at all with ${key}`,
    })
  for (const status of [401, 403, 404, 400, 500]) {
    echo(status)
    await post(world, `${persona}/restart`)
    await post(world, `${persona}/update`, { thinking: { model: 'llama3', api_key: key } })
    await post(world, '/api/models', { api_key: key })
    await post(world, '/api/persona/create', {
      name: 'Never',
      thinking_model: 'llama3',
      thinking_api_key: key,
    })
    // If its model is unknown, it can be deleted.
    if (status !== 404) assert.is((await post(world, `${persona}/delete`)).status, 400)
  }
  echo(401)
  assert.match((await say('And now?')).body.reply.content, /\*\*\*/)
  // Its Mind is marked as failed, and no turn begins until its endpoint answers. Pending messages are
  // answered then.
  const waitForAnswers = () =>
    waitFor(
      'her answer',
      async () => (await get(world, `${persona}/conversation`)).body.messages.at(-1).content === 'ok',
    )
  Object.assign(faults, { fails: 0 })
  await post(world, `${persona}/restart`)
  await waitForAnswers()
  Object.assign(faults, { errorLine: `the header was Bearer ${key}` })
  assert.match((await say('And now?')).body.reply.content, /the header was Bearer \*\*\*/)
  Object.assign(faults, { errorLine: null })
  await post(world, `${persona}/restart`)
  await waitForAnswers()

  // Sent in an invalid request: the error must not repeat it.
  await post(world, '/api/persona/create', { name: 5, thinking_model: 'llama3', thinking_api_key: key })
  await post(world, '/api/persona/create', { thinking_model: 'llama3', thinking_api_key: key })
  await post(world, '/api/persona/create', { name: 'Ada', thinking_model: 'llama3', thinking_api_key: [key] })
  await post(world, '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'x',
    thinking_provider: 'nobody',
    thinking_api_key: key,
  })
  await post(world, `${persona}/update`, { thinking: { model: 5, api_key: key } })
  await post(world, `${persona}/update`, { thinking: { model: 'llama3', provider: 'nobody', api_key: key } })
  await post(world, '/api/models', { api_key: key, provider: 'openai' })
}

test('a key is in its secrets file and in the response to create, and nowhere else', async (world) => {
  const key = newKey()
  const secret = createSecret('the key', key)
  const { id, listener } = await createPersona(world, key)
  assert.ok(world.ollama.calls('/api/chat').every(({ authorization }) => authorization === `Bearer ${key}`))
  await live(world, id, key)
  await assertHidden(world, secret, [listener], everythingBut(`personas/${id}/secrets`))
  assert.ok(listener.frames.length > 10)
  assert.ok(world.lines.length > 3)

  await end(world)
  await assertHidden(world, secret, [listener], everythingBut(`personas/${id}/secrets`))
  for (const text of await wordsOfHome(world.home)) assert.not.ok(isIn(secret, text), text)
  // The persona can still use it.
  await begin(world)
  await waitFor('her waking', async () => (await get(world, '/api/personas')).body.personas[0].running)
  const callCountBefore = world.ollama.log.length
  assert.is(
    (await post(world, `/api/persona/${id}/read?wait=20`, { message: 'Good morning' })).body.reply.content,
    'ok',
  )
  assert.ok(
    world.ollama.log.slice(callCountBefore).every(({ authorization }) => authorization === `Bearer ${key}`),
  )
})

test('deletes a cleared, replaced or orphaned key from the disk before the response', async (world) => {
  const otherOllama = await createOllama({ answer: () => 'ok' })
  world.ends.push(otherOllama.close)
  for (const isRunning of [true, false]) {
    const keys = [newKey(), newKey(), newKey()]
    const [first, second, third] = keys.map((key, n) => createSecret(`key ${n + 1}`, key))
    const { id } = await createPersona(world, keys[0])
    const checkThinking = async (organ: object) => {
      const { status, body } = await post(world, `/api/persona/${id}/update`, {
        thinking: { model: 'llama3', ...organ },
      })
      assert.is(status, 200, JSON.stringify(body))
    }
    const listHolding = async (secret: Secret | undefined) => (secret ? filesWith(secret, world.home) : [])
    if (!isRunning) await post(world, `/api/persona/${id}/stop`)
    await checkThinking({})
    assert.equal(await listHolding(first), [`personas/${id}/secrets`])
    await checkThinking({ api_key: keys[1] })
    assert.equal([await listHolding(first), await listHolding(second)], [[], [`personas/${id}/secrets`]])
    await checkThinking({ api_key: '' })
    assert.equal(await listHolding(second), [])
    await checkThinking({ api_key: keys[2] })
    // Another address never inherits a key.
    await checkThinking({ url: otherOllama.url })
    assert.equal(await listHolding(third), [])
    for (const body of world.bodies) for (const key of keys) assert.not.match(body, key)
  }
})

test('does not store the key of a refused change', async (world) => {
  const key = newKey()
  const refusedKey = newKey()
  const { id } = await createPersona(world, key)
  const thinkingFields = { model: 'llama3', api_key: refusedKey }
  for (const absent of ['/api/chat', '/api/create']) {
    Object.assign(world.ollama.faults, { absent: [absent] })
    assert.is((await post(world, `/api/persona/${id}/update`, { thinking: thinkingFields })).status, 400)
    assert.is(
      (
        await post(world, '/api/persona/create', {
          name: 'Never',
          thinking_model: 'llama3',
          thinking_api_key: refusedKey,
        })
      ).status,
      400,
    )
    assert.equal(await filesWith(createSecret('the refused key', refusedKey), world.home), [], absent)
  }
  Object.assign(world.ollama.faults, { absent: [] })
  assert.is(
    (await post(world, `/api/persona/${id}/update`, { thinking: thinkingFields, status: 'nonsense' })).status,
    400,
  )
  assert.equal(await filesWith(createSecret('the refused key', refusedKey), world.home), [])
  assert.equal(await filesWith(createSecret('the key', key), world.home), [`personas/${id}/secrets`])
})

test('purging a persona deletes its key and its messages', async (world) => {
  const key = newKey()
  const secretText = `words ${randomBytes(12).toString('hex')}`
  const { id } = await createPersona(world, key)
  await post(world, `/api/persona/${id}/read?wait=20`, { message: secretText })
  assert.is((await filesWith(createSecret('what was said', secretText), world.home)).length > 0, true)
  assert.equal(await post(world, `/api/persona/${id}/delete`), { status: 200, body: null })
  assert.equal(await filesWith(createSecret('the key', key), world.home), [])
  assert.equal(await filesWith(createSecret('what was said', secretText), world.home), [])
  await end(world)
  assert.equal(await filesWith(createSecret('the key', key), world.home), [])
})

test('the recovery phrase is returned once, and stored nowhere', async (world) => {
  const key = newKey()
  const { id, phrase, listener } = await createPersona(world, key)
  const words = phrase.split(' ')
  assert.is(words.length, 24)
  const entropy = mnemonicToEntropy(phrase, wordlist)
  const otherPersona = await createPersona(world, undefined)
  assert.is.not(otherPersona.phrase, phrase)

  await live(world, id, key)
  const secrets = [
    createSecret('the phrase', phrase),
    createSecret('its entropy', entropy),
    // No four of its words appear together, with any separator.
    ...[' ', ',', '\n', '","'].flatMap((separator) =>
      [0, 4, 8, 12, 16, 20].map((offset) =>
        createSecret('words of the phrase', words.slice(offset, offset + 4).join(separator)),
      ),
    ),
  ]
  for (const secret of secrets) await assertHidden(world, secret, [listener, otherPersona.listener], [])
  await end(world)
  for (const secret of secrets) assert.equal(await filesWith(secret, world.home), [], secret.name)
  for (const storedText of await wordsOfHome(world.home))
    for (const secret of secrets) assert.not.ok(isIn(secret, storedText), storedText)
  assert.equal(await filesWith(createSecret('an age identity', 'AGE-SECRET-KEY-'), world.home), [])
  for (const line of world.lines) assert.not.match(line, 'AGE-SECRET-KEY-')
})

test.run()
