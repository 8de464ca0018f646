/** POST /api/models */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { invalidBody, shareSetup, unknownPersona } from './setup.ts'

const setup = shareSetup(test)
const postModels = (body: unknown) => setup.post('/api/models', body)

test('lists the models of a local runtime, using the given address and key', async () => {
  for (const body of [
    {},
    { provider: null, url: null, api_key: null },
    { provider: 'local' },
    { provider: '', url: '', api_key: '' },
    { odd: 1 },
  ])
    assert.equal(await postModels(body), [200, { models: ['llama', 'qwen'] }])
  assert.is((await postModels({ url: 'http://127.0.0.1:7', api_key: 'sk-1' }))[0], 200)
  assert.equal(
    [setup.models.doneCalls.at(-1), setup.models.keys.at(-1)],
    ['names http://127.0.0.1:7', 'sk-1'],
  )
})

test('returns 400 with the reason when the runtime cannot be reached', async () => {
  setup.models.brokenMethods.names = 'No runtime answers.'
  assert.equal(await postModels({}), [400, { detail: 'No runtime answers.' }])
})

test('returns details of each model on request, and a reason instead of an error', async () => {
  const [status, details] = await postModels({ details: true })
  const { memory, ...rest } = details as { memory: number }
  assert.equal(
    [status, rest],
    [
      200,
      {
        models: ['llama', 'qwen'],
        details: [{ name: 'llama', bytes: 1_000, tools: true }],
        reason: null,
        fault: null,
      },
    ],
  )
  assert.ok(memory > 0)

  setup.models.brokenMethods.names = 'No runtime answers.'
  const [statusCode, problem] = await postModels({ details: true })
  assert.is(statusCode, 200)
  assert.is((problem as { reason: string }).reason, 'No runtime answers.')
  assert.equal((await postModels({ provider: 'acme', details: true }))[0], 400)
})

test('calls a provider at the given address with the given key', async () => {
  for (const provider of ['anthropic', 'openai', 'xai', 'gemini'])
    assert.equal(await postModels({ provider, url: 'http://127.0.0.1:7', api_key: `sk-${provider}` }), [
      200,
      { models: ['llama', 'qwen'] },
    ])
  assert.equal(setup.models.keys, ['sk-anthropic', 'sk-openai', 'sk-xai', 'sk-gemini'])
})

test('refuses an unknown provider without a call', async () => {
  for (const provider of ['acme', 'OpenAI', ' gemini'])
    assert.equal(await postModels({ provider }), [
      400,
      { detail: 'Provider must be one of: anthropic, openai, xai, gemini, or local.' },
    ])
  assert.equal(setup.models.doneCalls, [])
})

test('uses the stored key of a persona for the same provider and address only', async () => {
  const keyed = await setup.born({
    thinking_model: 'gpt-5',
    thinking_provider: 'openai',
    thinking_api_key: 'sk-stored',
    eye_model: 'claude-sonnet-5',
    eye_provider: 'anthropic',
    eye_url: 'http://127.0.0.1:7',
    eye_api_key: 'sk-of-the-eye',
    ear_model: 'gemini-3-flash',
    ear_provider: 'gemini',
  })
  const ask = async (fields: object) => {
    setup.models.keys.length = 0
    const [status, body] = await postModels({ persona_id: keyed, ...fields })
    assert.not.match(JSON.stringify(body), /sk-/)
    return [status, status === 200 ? setup.models.keys : body.detail]
  }
  assert.equal(await ask({ provider: 'openai' }), [200, ['sk-stored']])
  assert.equal(await ask({ provider: 'openai', url: '' }), [200, ['sk-stored']])
  assert.equal(await ask({ provider: 'openai', url: 'https://api.openai.com/v1/' }), [200, ['sk-stored']])
  assert.equal(await ask({ provider: 'openai', api_key: 'sk-typed' }), [200, ['sk-typed']])
  assert.equal(await ask({ provider: 'anthropic', url: 'http://127.0.0.1:7/v1' }), [200, ['sk-of-the-eye']])
  assert.equal(await ask({ provider: 'gemini' }), [200, [null]])
  assert.equal(await ask({ provider: 'openai', details: true }), [200, ['sk-stored']])

  const elsewhere =
    'The stored key of this provider belongs to another address, and is sent nowhere else. Give the key of this address as api_key.'
  for (const url of [
    'http://127.0.0.1:7',
    'https://api.openai.com.example',
    'https://api.openai.com:8443',
    'https://api.openai.com@127.0.0.1:7',
    'https://api.openai.com/v1/../x',
    'http://api.openai.com',
    'nonsense',
  ])
    for (const details of [true, false])
      assert.equal(await ask({ provider: 'openai', url, details }), [400, elsewhere], url)
  assert.equal(await ask({ provider: 'anthropic' }), [400, elsewhere])
  assert.equal(await ask({ provider: 'xai' }), [
    400,
    'No key of this provider is stored for this address. Give it as api_key.',
  ])
  assert.equal(setup.models.keys, [])
  for (const persona_id of ['nobody', '../secrets'])
    assert.equal(await postModels({ persona_id, provider: 'openai' }), unknownPersona)
})

test('lists the models of one organ with the suggested one first, their price and their speed', async () => {
  setup.models.offered = ['whisper-1', 'gpt-5', 'made-up', 'gpt-6-luna', 'gpt-6.1-sol', 'tts-1']
  const list = async (organ: string, fields = {}) =>
    (await postModels({ provider: 'openai', organ, ...fields }))[1]
  assert.equal(await list('thinking'), {
    models: ['gpt-6.1-sol', 'gpt-5', 'gpt-6-luna', 'made-up'],
    suggested: 'gpt-6.1-sol',
  })
  assert.equal(await list('ear'), { models: ['whisper-1', 'made-up'], suggested: 'whisper-1' })
  assert.equal(await list('mouth'), { models: ['tts-1', 'made-up'], suggested: 'tts-1' })
  const { details, fault } = await list('thinking', { details: true })
  assert.equal(
    [details, fault],
    [
      [
        { name: 'gpt-6.1-sol', bytes: null, tools: null, price: 'moderate' },
        { name: 'gpt-5', bytes: null, tools: null, price: 'moderate' },
        { name: 'gpt-6-luna', bytes: null, tools: null, price: 'cheap', speed: 'fast' },
      ],
      null,
    ],
  )
  assert.equal((await list('ear', { details: true })).details, [])
  // Another server has its own names and prices.
  assert.equal(await list('thinking', { url: 'http://127.0.0.1:7' }), {
    models: ['gpt-5', 'made-up', 'gpt-6-luna', 'gpt-6.1-sol'],
    suggested: null,
  })
  assert.is((await postModels({ organ: 'nose' }))[0], 422)
})

test('reports a wrong type of each field without the key', async () => {
  for (const input of [5, true, [], {}])
    for (const field of ['provider', 'url', 'api_key', 'persona_id'])
      assert.equal(
        await postModels({ [field]: input }),
        invalidBody(
          'string_type',
          ['body', field],
          'Input should be a valid string',
          field === 'api_key' ? {} : { input },
        ),
      )
  assert.equal(
    await setup.post('/api/models'),
    invalidBody('missing', ['body'], 'Field required', { input: null }),
  )
})

test.run()
