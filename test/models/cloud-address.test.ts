import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createNetwork } from '../../packages/kit/network/network.ts'
import { providerTable } from '../../packages/models/providers/provider-table.ts'
import { readConfig } from '../../src/config.ts'
import { createModels } from '../../src/open-models.ts'
import { createElsewhere } from '../stand-ins/faults.ts'
import type { Answer, HeardRequest } from '../stand-ins/provider.ts'
import {
  createGivenModels,
  createPrompt,
  forEachProvider,
  hello,
  type Kind,
  key,
  keyHeaders,
  mapped,
  mindFailure,
  nowTool,
  recall,
  type Stage,
  think,
  twoCalls,
} from './cloud-stage.ts'

const test = suite<{ stages: Stage[] }>('cloud address', { stages: [] })
test.after.each(async ({ stages }) => {
  for (const stage of stages.splice(0)) await stage.close()
})

test('accepts addresses with and without a version or a trailing slash', async (world) => {
  const tails: Readonly<Record<Kind, readonly string[]>> = {
    anthropic: ['', '/', '/v1', '/v1/'],
    openai: ['', '/', '/v1', '/v1/'],
    gemini: ['', '/', '/v1beta', '/v1beta/', '/v1'],
    xai: ['', '/', '/v1', '/v1/'],
    compatible: ['', '/', '/v1', '/v1/'],
  }
  await forEachProvider(async (kind) => {
    for (const tail of tails[kind])
      assert.is(
        (await think((await createGivenModels(world, kind, { tail })).mind(), hello)).text,
        'ok',
        tail,
      )
  })
})

test('calls each provider at its default address', async (world) => {
  const { urls } = readConfig({})
  await forEachProvider(async (kind) => {
    if (kind === 'compatible') return
    const { standIn, organ } = await createGivenModels(world, kind)
    const network = createNetwork({ env: {} })
    const models = createModels({ urls, network: mapped(network, providerTable[kind].url, standIn.url) })
    assert.is((await think(models.mind({ ...organ, url: null }, null), hello)).text, 'ok')
    await models.probe({ ...organ, url: null }, null)
    await network.close()
  })
})

test('finds servers below another path', async (world) => {
  for (const [tail, prefix] of [
    ['/api/v1', '/api/v1'],
    ['/api/v4/', '/api/v4'],
    ['/openai', '/openai/v1'],
  ] as const) {
    const { mind } = await createGivenModels(world, 'compatible', { tail, prefix })
    assert.is((await think(mind(), hello)).text, 'ok', tail)
  }
})

test('sends the key only in the right header', async (world) => {
  await forEachProvider(async (kind) => {
    const { mind, standIn } = await createGivenModels(world, kind)
    await think(mind(), hello)
    const [firstCall] = standIn.log
    assert.equal([firstCall?.key, firstCall?.keyIn, firstCall?.spilled], ['right', keyHeaders[kind], false])
  })
})

test('calls servers that require no key without one', async (world) => {
  for (const apiKey of [null, '']) {
    const { mind, standIn } = await createGivenModels(world, 'compatible', { key: null, apiKey })
    assert.is((await think(mind(), hello)).text, 'ok')
    assert.is(standIn.log[0]?.keyIn, null)
  }
})

test('uses the request form of newer OpenAI models', async (world) => {
  const { mind, standIn } = await createGivenModels(world, 'openai', { model: 'gpt-5' })
  assert.is((await think(mind(), hello)).text, 'ok')
  assert.equal(
    standIn.log.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/responses'],
  )
})

const anyManners = {
  'thoughts as reasoning_content': { reasoning: 'reasoning_content' },
  'thoughts as reasoning': { reasoning: 'reasoning' },
  'no usage': { usage: 'never' },
  'usage with every chunk': { usage: 'always' },
  'calls in one chunk': { wholeCalls: true },
  'arguments as an object': { objectArguments: true },
  'calls without an id': { idless: true },
  'null instead of empty text': { nullContent: true },
  'calls with the end reason of text': { alwaysStop: true },
  'comments between chunks': { comments: true },
  'no end mark': { isDone: false },
} as const

// Verified to fail if arguments in other forms are not normalized.
test('works with servers that deviate from the OpenAI API', async (world) => {
  for (const [name, manners] of Object.entries(anyManners)) {
    const answer = (request: HeardRequest): Answer => ({ ...twoCalls(request), thoughts: 'aha' })
    const { mind } = await createGivenModels(world, 'compatible', {
      key: null,
      apiKey: null,
      manners,
      answer,
    })
    const prompt = { ...hello, tools: [recall, nowTool] }
    const first = await think(mind(), prompt)
    assert.is(first.text, 'Ich sehe nach.', name)
    assert.equal(
      first.calls.map(({ name: callName, input }) => [callName, input]),
      [
        ['recall', { query: 'Füchse "im" Garten\n🦊' }],
        ['check_health', {}],
      ],
      name,
    )
    assert.is(new Set(first.calls.map(({ id }) => id)).size, 2, name)
    assert.is(
      (await think(mind(), createPrompt(prompt, first))).text,
      'Gefunden: result 0 of recall / result 1 of check_health',
      name,
    )
    if (manners && 'usage' in manners && manners.usage === 'never')
      assert.equal([first.usage.input, first.usage.output], [null, null])
    else assert.is(first.usage.input, 10, name)
  }
})

test('removes thoughts from the text of a model', async (world) => {
  const { mind } = await createGivenModels(world, 'compatible', {
    answer: () => '<think>\nlet me see\n</think>\n\nYes.',
  })
  assert.is((await think(mind(), hello)).text, 'Yes.')
})

const variables = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  xai: ['XAI_API_KEY'],
  compatible: [],
} as const
const addresses = {
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
  gemini: 'GEMINI_BASE_URL',
  xai: 'XAI_BASE_URL',
} as const

// Verified to fail if the key is sent to any address of an organ, or to every local address.
test('uses a key from the environment only for the configured address', async (world) => {
  const otherServer = await createElsewhere()
  // A host name that the network maps to a server that records its requests.
  const stranger = 'https://models.stranger.example'
  const mappedNetwork = mapped(createNetwork({ env: {} }), stranger, otherServer.url)
  await forEachProvider(async (kind) => {
    if (kind === 'compatible') return
    const { standIn, organ } = await createGivenModels(world, kind)
    for (const variable of variables[kind]) {
      const { urls, keys } = readConfig({ [variable]: key, [addresses[kind]]: standIn.url })
      const models = createModels({ urls, keys, network: mappedNetwork })
      const keylessOrgan = { ...organ, url: null, apiKey: null }
      assert.is((await think(models.mind(keylessOrgan, null), hello)).text, 'ok', variable)
      assert.is(standIn.log.at(-1)?.keyIn, keyHeaders[kind])
      const countBefore = otherServer.requestPaths.length
      await mindFailure(() => think(models.mind({ ...keylessOrgan, url: stranger }, null), hello))
      assert.ok(otherServer.requestPaths.length > countBefore, 'the stranger was asked')
      // A server on this machine is untrusted, too.
      const localOrgan = { ...keylessOrgan, url: otherServer.url }
      const count = otherServer.requestPaths.length
      const { model: _, ...at } = localOrgan
      await models.names(at).catch(() => undefined)
      await models.probe(localOrgan, null).catch(() => undefined)
      await models.prepare('thinking', localOrgan, () => undefined).catch(() => undefined)
      await think(models.mind(localOrgan, null), hello).catch(() => undefined)
      assert.ok(otherServer.requestPaths.length > count, 'the listener was asked')
    }
  })
  for (const request of otherServer.requestPaths)
    assert.not.ok(request.includes(key), 'the key was sent to another server')
  await Promise.all([otherServer.close(), mappedNetwork.close()])
})

test('prefers the key of the organ to the key from the environment', async (world) => {
  await forEachProvider(async (kind) => {
    if (kind === 'compatible') return
    const { standIn, organ } = await createGivenModels(world, kind)
    const { urls, keys } = readConfig({ [variables[kind][0]]: 'sk-old', [addresses[kind]]: standIn.url })
    const models = createModels({ urls, keys })
    assert.is((await think(models.mind({ ...organ, url: null }, null), hello)).text, 'ok')
    await models.close()
  })
})

// Verified to fail if either redaction is removed: of the key itself, or of text that looks like a key.
test('reports a missing, wrong or rejected key without showing it', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, models, organ, host } = await createGivenModels(world, kind, {
      key: 'sk-another-key-entirely',
    })
    for (const apiKey of [null, key]) {
      const error = await mindFailure(() => think(models.mind({ ...organ, apiKey }, null), hello))
      assert.is(error.kind, 'barred', error.message)
      assert.match(error.message, /key/i)
      assert.ok(error.message.includes(host), error.message)
    }
    // A proxy that returns the request's secrets in its error.
    for (const status of [400, 401, 403, 404, 429, 500, 503]) {
      standIn.faults.permanentFault = {
        what: 'status',
        status,
        words: `Incorrect API key provided: ${key}. Bearer ${key} is not ours (x-api-key=${key})`,
      }
      const { kind: errorKind } = await mindFailure(() => think(models.mind(organ, null), hello))
      if (status === 401) assert.is(errorKind, 'barred')
      // Providers abbreviate the key, but its beginning and end would identify it.
      standIn.faults.permanentFault = {
        what: 'status',
        status,
        words: 'Incorrect API key provided: sk-Abc1**********z789. Not xai-Abc1secretz789 either.',
      }
      await mindFailure(() => think(models.mind(organ, null), hello))
    }
  })
})

test('reports an unknown model and does not retry', async (world) => {
  await forEachProvider(async (kind) => {
    const { standIn, mind, host } = await createGivenModels(world, kind, { model: 'no-such-model' })
    const error = await mindFailure(() => think(mind(), hello))
    assert.is(error.kind, 'barred', error.message)
    assert.match(error.message, 'no-such-model')
    assert.ok(error.message.includes(host), error.message)
    assert.is(standIn.log.length, 1)
  })
})

// Verified to fail if Google's error for a quota per minute is treated as an empty account.
test('distinguishes an empty account from a busy provider', async (world) => {
  const quota = 'You exceeded your current quota, please check your plan and billing details.'
  const rows = [
    { kind: 'openai', words: quota, status: 429, why: 'barred' },
    {
      kind: 'anthropic',
      words: 'Your credit balance is too low to access the Anthropic API.',
      status: 400,
      why: 'barred',
    },
    {
      kind: 'openai',
      words: 'Rate limit reached for gpt-4o in organization on requests per min (RPM): Limit 3',
      status: 429,
      why: 'unreachable',
    },
    // Google uses the same text for a quota per minute and per month.
    {
      kind: 'gemini',
      words: `${quota} * Quota exceeded for metric: generate_content_free_tier_requests, limit: 10. Please retry in 36s.`,
      status: 429,
      retryAfter: 36,
      why: 'unreachable',
    },
  ] as const
  for (const { kind, why, ...fault } of rows) {
    const { mind } = await createGivenModels(world, kind, {
      faults: { permanentFault: { what: 'status', ...fault } },
    })
    const error = await mindFailure(() => think(mind(), hello))
    assert.is(error.kind, why, error.message)
    assert.is(error.retryAfter, 'retryAfter' in fault ? 36_000 : undefined)
  }
})

test.run()
