/**
 * Create, update and models with every organ on real models: a local runtime and all providers, as stand-ins
 * that speak their protocols.
 */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, type Reply } from '../calls.ts'
import { startDaemon, type TestDaemon } from '../daemon.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import { createGemini } from '../stand-ins/gemini.ts'
import { createOllama, type OllamaStandIn } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import type { StandIn } from '../stand-ins/provider.ts'
import { createXai } from '../stand-ins/xai.ts'

type Provider = 'anthropic' | 'openai' | 'gemini' | 'xai'
interface World {
  readonly clouds: Readonly<Record<Provider, StandIn>>
  readonly ollama: OllamaStandIn
  readonly daemon: TestDaemon
  readonly lines: string[]
  readonly post: (path: string, body: unknown) => Promise<Reply>
}

const getKey = (provider: Provider) => `key-that-${provider}-knows`

const test = suite<World>('cloud')
test.before.each(async (world) => {
  const options = (provider: Provider) => ({ key: getKey(provider), answer: () => 'ok' })
  const [anthropic, openai, gemini, xai, ollama] = await Promise.all([
    createAnthropic(options('anthropic')),
    createOpenAi(options('openai')),
    createGemini(options('gemini')),
    createXai(options('xai')),
    createOllama({ models: ['llama3'], registry: ['llava'], answer: () => 'ok' }),
  ])
  const clouds = { anthropic, openai, gemini, xai }
  const urls = Object.entries(clouds).map(([name, { url }]) => [`${name.toUpperCase()}_BASE_URL`, url])
  const lines: string[] = []
  const env = {
    ...Object.fromEntries(urls),
    OLLAMA_BASE_URL: ollama.url,
    ...daemonKey,
    DAIMON_LOG_LEVEL: 'trace',
  }
  const daemon = await startDaemon({ env, random: () => 0, logTo: (line) => lines.push(line) })
  const post = (path: string, body: unknown) => call(daemon.url, 'POST', path, body)
  Object.assign(world, { clouds, ollama, daemon, lines, post } satisfies World)
})
test.after.each(async ({ daemon, clouds, ollama }) => {
  await daemon.close()
  await Promise.all([...Object.values(clouds), ollama].map((standIn) => standIn.close()))
})

/** A key from the environment, for organs without their own key. */
const daemonKey = { XAI_API_KEY: getKey('xai') }

const organRows: readonly (readonly [slot: string, provider: Provider | 'local', model: string])[] = [
  ['thinking', 'local', 'llama3'],
  ['imagination', 'gemini', 'gemini-2.5-flash-image'],
  ['mouth', 'openai', 'tts-1'],
  ['eye', 'anthropic', 'claude-sonnet-4-5'],
  ['ear', 'openai', 'whisper-1'],
  ['teacher', 'xai', 'grok-4'],
  ['researcher', 'gemini', 'gemini-2.5-flash'],
]
const organFields = Object.fromEntries(
  organRows.flatMap(([slot, provider, model]) => [
    [`${slot}_model`, model],
    [`${slot}_provider`, provider],
    // The Teacher uses the daemon's key.
    ...(provider === 'local' || provider === 'xai' ? [] : [[`${slot}_api_key`, getKey(provider)]]),
  ]),
)

const create = ({ post }: World, fields: object = {}) =>
  post('/api/persona/create', { name: 'Ada', ...organFields, ...fields })

/** Asserts that each key was sent to its own provider only, and that none is listed or logged. */
const assertKeysSafe = async ({ clouds, lines, daemon }: World): Promise<void> => {
  for (const [provider, { log }] of Object.entries(clouds))
    for (const { key, spilled: hasLeaked, path } of log)
      assert.equal([key, hasLeaked], ['right', false], `${provider} ${path}`)
  const list = JSON.stringify((await call(daemon.url, 'GET', '/api/personas')).body)
  assert.not.match(`${list}\n${lines.join('\n')}`, /key-that-/)
}

test('prepares the organs of every provider and starts the persona with them', async (world) => {
  const { status, body } = await create(world)
  assert.is(status, 200, JSON.stringify(body))
  for (const [slot, provider, model] of organRows) {
    const { name, api_key, ...organ } = body.persona[slot]
    const url = provider === 'local' ? world.ollama.url : world.clouds[provider].url
    assert.equal(organ, { provider: provider === 'local' ? null : provider, url }, slot)
    assert.is(name, slot === 'thinking' ? `daimon-${body.persona.id}` : model)
    // The daemon's key is used but never returned.
    assert.is(api_key, provider === 'local' || provider === 'xai' ? null : getKey(provider), slot)
  }
  for (const [provider, { log }] of Object.entries(world.clouds))
    assert.ok(log.length > 0, `${provider} was called`)
  assert.is(
    (await world.post(`/api/persona/${body.persona.id}/read?wait=20`, { message: 'hello' })).body.reply
      .content,
    'ok',
  )
  await assertKeysSafe(world)
})

test('pulls the model of a local organ and registers only the Mind', async (world) => {
  const { status, body } = await world.post('/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama3',
    eye_model: 'llava',
  })
  assert.is(status, 200, JSON.stringify(body))
  assert.is(world.ollama.calls('/api/pull').length, 1)
  assert.equal(
    world.ollama.calls('/api/create').map(({ body }) => body.model),
    [`daimon-${body.persona.id}`],
  )
  assert.is(
    (await world.post(`/api/persona/${body.persona.id}/update`, { eye: { model: 'nobody-knows' } })).status,
    400,
  )
  assert.is((await world.post(`/api/persona/${body.persona.id}/delete`, undefined)).status, 200)
})

test('names the organ of a wrong key or an unknown model, does not show the key, and saves nothing', async (world) => {
  const wrong: readonly (readonly [fields: object, title: string])[] = [
    [{ eye_api_key: 'key-that-nobody-knows' }, 'Eye'],
    [{ mouth_api_key: 'key-that-nobody-knows' }, 'Mouth'],
    [{ researcher_model: 'gemini-of-nobody' }, 'Researcher'],
    [
      {
        thinking_model: 'claude-of-nobody',
        thinking_provider: 'anthropic',
        thinking_api_key: getKey('anthropic'),
      },
      'Mind',
    ],
  ]
  for (const [fields, title] of wrong) {
    const { status, body } = await create(world, fields)
    assert.is(status, 400, title)
    assert.match(body.detail, new RegExp(`^The ${title} could not be prepared: `))
    assert.not.match(body.detail, /key-that-/)
  }
  assert.equal((await call(world.daemon.url, 'GET', '/api/personas')).body, { personas: [] })
  assert.not.match(world.lines.join('\n'), /key-that-/)
  assert.equal(world.ollama.calls('/api/create').length, world.ollama.calls('/api/delete').length)
})

test('names the cause of an error, and the organ', async (world) => {
  const causeOf = async (path: string, body: object) => {
    const response = await fetch(`${world.daemon.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { headers } = response
    return [response.status, headers.get('daimon-fault'), headers.get('daimon-organ')]
  }
  const createWith = (fields: object) =>
    causeOf('/api/persona/create', { name: 'Ada', ...organFields, ...fields })
  assert.equal(await createWith({ eye_api_key: 'key-that-nobody-knows' }), [400, 'key_refused', 'eye'])
  assert.equal(await createWith({ eye_api_key: 'a key' }), [400, 'key_malformed', 'eye'])
  assert.equal(await createWith({ eye_api_key: '' }), [400, 'key_missing', 'eye'])
  assert.equal(await createWith({ researcher_model: 'gemini-of-nobody' }), [
    400,
    'model_unknown',
    'researcher',
  ])
  assert.equal(await createWith({ thinking_model: 'nobody-knows' }), [400, 'model_unknown', 'thinking'])
  assert.equal(await createWith({ thinking_url: 'http://127.0.0.1:65533' }), [400, 'unreachable', 'thinking'])
  assert.equal(await createWith({ eye_url: 'ftp://x', eye_api_key: 'k' }), [400, 'address_wrong', 'eye'])
  assert.equal(await createWith({ eye_url: `${world.ollama.url}/x` }), [400, 'address_wrong', 'eye'])

  const faultOf = async (fields: object) =>
    (await world.post('/api/models', { details: true, ...fields })).body.fault
  assert.is(await faultOf({ provider: 'openai', api_key: 'key-that-nobody-knows' }), 'key_refused')
  assert.is(await faultOf({ provider: 'gemini', api_key: 'key-that-nobody-knows' }), 'key_refused')
  assert.is(await faultOf({ provider: 'openai' }), 'key_missing')
  assert.is(await faultOf({ provider: 'openai', url: 'http://127.0.0.1:65533' }), 'unreachable')
  assert.is(await faultOf({ provider: 'openai', url: 'nonsense' }), 'address_wrong')
  assert.is(await faultOf({ url: 'http://127.0.0.1:65533' }), 'unreachable')
  assert.is(await faultOf({ provider: 'xai' }), null)
})

test('lists models with the key that a persona stores, and shows it nowhere', async (world) => {
  const { body } = await create(world)
  const { id } = body.persona
  const list = (fields: object) => world.post('/api/models', { persona_id: id, ...fields })
  for (const provider of ['anthropic', 'openai', 'gemini'] as const) {
    const { status, body } = await list({ provider, organ: 'thinking' })
    assert.is(status, 200)
    assert.ok(body.models.length > 0)
    world.clouds[provider].clearLog()
  }
  // A program that changes the address gets nothing: the other stand-in is not called.
  for (const url of [world.clouds.xai.url, `${world.clouds.xai.url}/v1`])
    assert.is((await list({ provider: 'openai', url })).status, 400)
  assert.is(world.clouds.xai.calls(/models/).filter(({ key }) => key === 'wrong').length, 0)
  const ear = await world.post(`/api/persona/${id}/update`, {
    teacher: { model: 'claude-haiku-4-5', provider: 'anthropic', api_key_from: 'eye' },
  })
  assert.is(ear.status, 200)
  assert.equal(
    world.clouds.anthropic.log.map(({ key }) => key).filter((key) => key !== 'right'),
    [],
  )
  await assertKeysSafe(world)
})

test('creates no wrapper for a Mind in the cloud and deletes the wrapper of a replaced local one', async (world) => {
  const { body } = await world.post('/api/persona/create', { name: 'Ada', thinking_model: 'llama3' })
  const personaPath = `/api/persona/${body.persona.id}`
  const view = async () => (await call(world.daemon.url, 'GET', '/api/personas')).body.personas[0]
  const mind = { model: 'claude-sonnet-4-5', provider: 'anthropic', api_key: getKey('anthropic') }
  assert.equal((await world.post(`${personaPath}/update`, { thinking: mind })).body, {
    status: 'active',
    running: true,
  })
  const { base_model, thinking } = await view()
  assert.equal(
    [base_model, thinking],
    ['', { name: mind.model, provider: 'anthropic', url: world.clouds.anthropic.url }],
  )
  assert.is((await world.post(`${personaPath}/read?wait=20`, { message: 'hello' })).body.reply.content, 'ok')
  assert.is((await world.post(`${personaPath}/update`, { thinking: { model: 'llama3' } })).status, 200)
  assert.is((await world.post(`${personaPath}/delete`, undefined)).status, 200)
  assert.equal([...world.ollama.models.keys()], ['llama3:latest'])
  await assertKeysSafe(world)
})

test('lists the models of every provider and does not show a wrong key', async (world) => {
  for (const [provider, { url }] of Object.entries(world.clouds)) {
    const api_key = getKey(provider as Provider)
    for (const addressFields of [{}, { url }, { url: `${url}/v1` }]) {
      const { status, body } = await world.post('/api/models', { provider, api_key, ...addressFields })
      assert.is(status, 200, JSON.stringify(body))
      assert.ok(body.models.length > 0 && body.models.every((name: unknown) => typeof name === 'string'))
    }
    const { status, body } = await world.post('/api/models', { provider, api_key: 'key-that-nobody-knows' })
    assert.is(status, 400)
    assert.not.match(body.detail, /key-that-/)
  }
  assert.is((await world.post('/api/models', { provider: 'xai' })).status, 200)
})

test.run()
