/** POST /api/models */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { invalidBody, shareSetup } from './setup.ts'

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

test('reports a wrong type of each field without the key', async () => {
  for (const input of [5, true, [], {}])
    for (const field of ['provider', 'url', 'api_key'])
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
