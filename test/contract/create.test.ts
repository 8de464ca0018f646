/** POST /api/persona/create */

import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { newPhrase } from '../../src/persona/phrase.ts'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { getTitles, invalidBody, joinKeys, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const create = (fields: object) => setup.post('/api/persona/create', fields)
const requiredFields = { name: 'Ada', thinking_model: 'llama' }
const countPersonas = async () => (await setup.get('/api/personas'))[1].personas.length

test('returns the whole created persona, in the order of the contract', async () => {
  const [status, body] = await create({
    ...requiredFields,
    thinking_api_key: 'sk-local-1234',
    thinking_provider: 'local',
    odd: 1,
  })
  assert.is(status, 200)
  assert.is(joinKeys(body), 'persona recovery_phrase recipient')
  const { persona } = body
  const { id, birthday, ...rest } = persona
  assert.is(
    joinKeys(persona),
    'id name thinking version base_model birthday status idle_timeout imagination mouth eye ear teacher researcher channels',
  )
  assert.is(joinKeys(persona.thinking), 'name provider url api_key')
  assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.match(birthday, /^\d{4}-\d\d-\d\d$/)
  assert.equal(rest, {
    name: 'Ada',
    thinking: { name: `daimon-${id}`, provider: null, url: 'http://127.0.0.1:9', api_key: 'sk-local-1234' },
    version: 'v1',
    base_model: 'llama',
    status: 'active',
    idle_timeout: 3600,
    imagination: null,
    mouth: null,
    eye: null,
    ear: null,
    teacher: null,
    researcher: null,
    channels: [],
  })
})

test('creates a different recovery phrase of 24 English words for each persona', async () => {
  // The real function. The other tests skip its slow key derivation.
  const daemon = await startDaemon({ models: standIn(), newPhrase })
  try {
    const replies = await Promise.all(
      [requiredFields, requiredFields].map((fields) =>
        call(daemon.url, 'POST', '/api/persona/create', fields),
      ),
    )
    const phrases = replies.map(({ body }) => body.recovery_phrase)
    for (const phrase of phrases) {
      assert.is(phrase.split(' ').length, 24)
      assert.ok(validateMnemonic(phrase, wordlist))
    }
    assert.is.not(phrases[0], phrases[1])
  } finally {
    await daemon.close()
  }
})

test('prepares the model, registers it and starts the persona', async () => {
  const [, { persona }] = await create(requiredFields)
  assert.equal(setup.models.doneCalls, ['prepare llama', `wrap llama daimon-${persona.id}`])
  const { status, running } = await setup.view(persona.id)
  assert.equal([status, running], ['active', true])
  assert.equal(getTitles(await setup.facts(persona.id)).slice(0, 4), [
    'PersonaCreated',
    'OrganReplaced',
    'StartAsked',
    'Woke 1',
  ])
})

test('creates no wrapper and no address for a model inside the daemon', async () => {
  const [, { persona }] = await create({ name: 'Ada', thinking_model: 'embedded/practice' })
  assert.equal(persona.thinking, {
    name: 'embedded/practice',
    provider: null,
    url: 'embedded:',
    api_key: null,
  })
  assert.is(persona.base_model, 'embedded/practice')
})

test('returns the address of an organ as it was sent', async () => {
  const [, { persona }] = await create({ ...requiredFields, thinking_url: 'http://127.0.0.1:7/v1/' })
  assert.is(persona.thinking.url, 'http://127.0.0.1:7/v1/')
})

const optionalFields = [
  ...['thinking_url', 'thinking_provider', 'thinking_api_key'],
  ...['imagination', 'mouth', 'eye', 'ear', 'teacher', 'researcher'].flatMap((organ) =>
    ['model', 'url', 'provider', 'api_key', 'api_key_from'].map((part) => `${organ}_${part}`),
  ),
  ...['telegram_token', 'discord_token'],
]

test('treats null and an empty text in an optional field as missing', async () => {
  for (const emptyValue of [null, '']) {
    const [status, { persona }] = await create({
      ...requiredFields,
      ...Object.fromEntries(optionalFields.map((field) => [field, emptyValue])),
    })
    assert.is(status, 200)
    assert.equal(persona.thinking.api_key, null)
    assert.equal([persona.eye, persona.channels], [null, []])
  }
})

test('gives organs the key of the Mind by its name', async () => {
  const mind = { thinking_model: 'gpt-5', thinking_provider: 'openai', thinking_api_key: 'sk-1' }
  const eye = { eye_model: 'gpt-5-mini', eye_provider: 'openai', eye_api_key_from: 'thinking' }
  const [status, { persona }] = await create({ name: 'Ada', ...mind, ...eye })
  assert.equal([status, persona.thinking.api_key, persona.eye.api_key], [200, 'sk-1', 'sk-1'])
  for (const wrong of [
    { eye_url: 'http://127.0.0.1:7' },
    { eye_provider: 'anthropic' },
    { eye_api_key_from: 'ear' },
    { eye_api_key_from: 'eye' },
  ])
    assert.is((await create({ name: 'Ada', ...mind, ...eye, ...wrong }))[0], 400)
})

test('ignores the other fields of an organ without a model', async () => {
  const [status, { persona }] = await create({
    ...requiredFields,
    eye_url: 'http://a',
    eye_provider: 'acme',
    eye_api_key: 'k',
  })
  assert.equal([status, persona.eye], [200, null])
})

test('reports a wrong type of every field and never echoes a key', async () => {
  const personaCountBefore = await countPersonas()
  for (const field of ['name', 'thinking_model', ...optionalFields])
    for (const input of [5, false, [], {}, ['sk-echo'], { a: 'sk-echo' }]) {
      const secret = /api_key|token/.test(field)
      assert.equal(
        await create({ ...requiredFields, [field]: input }),
        invalidBody(
          'string_type',
          ['body', field],
          'Input should be a valid string',
          secret ? {} : { input },
        ),
        field,
      )
    }
  assert.is(await countPersonas(), personaCountBefore)
})

test('requires name and thinking_model as texts', async () => {
  assert.equal(await create({}), [
    422,
    {
      detail: [
        { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} },
        { type: 'missing', loc: ['body', 'thinking_model'], msg: 'Field required', input: {} },
      ],
    },
  ])
  assert.equal(
    await create({ name: 'Ada', thinking_api_key: 'sk-1' }),
    invalidBody('missing', ['body', 'thinking_model'], 'Field required', { input: { name: 'Ada' } }),
  )
  assert.equal(
    await create({ ...requiredFields, name: null }),
    invalidBody('string_type', ['body', 'name'], 'Input should be a valid string', { input: null }),
  )
  assert.equal(
    await setup.post('/api/persona/create'),
    invalidBody('missing', ['body'], 'Field required', { input: null }),
  )
})

test('accepts an empty name and one of 1000 characters', async () => {
  for (const name of ['', '\u0000', 'ä'.repeat(1000), '../../etc']) {
    const [status, body] = await create({ ...requiredFields, name })
    assert.equal([status, body.persona?.name], [200, name])
  }
  assert.is((await create({ ...requiredFields, name: 'x'.repeat(1001) }))[0], 400)
})

test('refuses an invalid request before it calls a model', async () => {
  const personaCountBefore = await countPersonas()
  const assertRefused = async (fields: object, message: string | RegExp) => {
    const [status, { detail }] = await create({ ...requiredFields, ...fields })
    assert.is(status, 400, JSON.stringify(fields))
    if (typeof message === 'string') assert.is(detail, message)
    else assert.match(detail, message)
  }
  await assertRefused(
    { thinking_provider: 'openai', thinking_model: '' },
    'A model name is required when using a remote provider.',
  )
  await assertRefused({ thinking_model: '' }, 'A model name is required.')
  for (const thinking_provider of ['acme', 'OpenAI', ' openai', 'ollama'])
    await assertRefused(
      { thinking_provider },
      'Provider must be one of: anthropic, openai, xai, gemini, or local.',
    )
  assert.equal(setup.models.doneCalls, [])
  assert.is(await countPersonas(), personaCountBefore)
})

test('creates no persona if its model cannot be prepared or registered', async () => {
  const personaCountBefore = await countPersonas()
  const reason = 'No runtime answers.'
  for (const [action, detail] of [
    ['prepare', `The Mind could not be prepared: ${reason}`],
    ['wrap', reason],
  ] as const) {
    setup.models.brokenMethods[action] = reason
    assert.equal(await create(requiredFields), [400, { detail }])
    delete setup.models.brokenMethods[action]
  }
  assert.is(await countPersonas(), personaCountBefore)
})

test('creates several personas in parallel, each with its own id', async () => {
  const personaCountBefore = await countPersonas()
  const born = await Promise.all(Array.from({ length: 3 }, () => create(requiredFields)))
  assert.is(new Set(born.map(([, { persona }]) => persona.id)).size, 3)
  assert.is(await countPersonas(), personaCountBefore + 3)
})

test('forbids caching of the response', async () => {
  const { headers } = await setup.send({
    method: 'POST',
    path: '/api/persona/create',
    body: JSON.stringify(requiredFields),
    headers: { 'Content-Type': 'application/json' },
  })
  assert.is(headers['cache-control'], 'no-store')
  assert.is(headers['content-type'], 'application/json; charset=utf-8')
})

test('refuses an address with a name or password before it calls a model', async () => {
  assert.equal(await create({ ...requiredFields, thinking_url: 'http://me:pw@host' }), [
    400,
    { detail: 'An address must not hold a name or password; give the key as api_key.' },
  ])
  assert.equal(setup.models.doneCalls, [])
})

test.run()
