import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Slot } from '../../facts/fact-values.ts'
import { MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import { ModelError, type Models, type OrganAsk } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { providerUrls } from '../provider-urls.ts'
import { png } from '../stand-ins/media.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import type { StandIn } from '../stand-ins/provider.ts'

const unreachableUrls = providerUrls({ local: 'http://127.0.0.1:9' })
const practice: OrganAsk = { model: 'embedded/practice', provider: null, url: null, apiKey: null }
const hello: Prompt = {
  system: 'You are Ada.',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  data: () => ({ kind: 'question', words: 'Hello' }),
}
const neverAborts = new AbortController().signal

const failure = async (work: () => unknown): Promise<Error> => {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  return assert.unreachable('it went well') as never
}
const all = async (parts: AsyncIterable<Part>): Promise<Part[]> => {
  const receivedParts: Part[] = []
  for await (const part of parts) receivedParts.push(part)
  return receivedParts
}

test('needs no server for an embedded model', async () => {
  const models = createModels({ urls: unreachableUrls, env: {} })
  await models.prepare('thinking', practice, () => assert.unreachable())
  await models.wrap(practice, 'daimon-1')
  await models.probe(practice, null)
  await models.unwrap(practice, 'daimon-1')
  assert.equal((await all(models.mind(practice, null).think(hello, neverAborts))).at(-1)?.type, 'end')
  assert.equal(await models.names({ provider: null, url: 'embedded:', apiKey: null }), ['embedded/practice'])
  await models.close()
})

test('lists the embedded models if the requested one does not exist', async () => {
  const models = createModels({ urls: unreachableUrls, env: {} })
  for (const model of ['embedded/genius', 'embedded/', 'embedded/toString', 'embedded/__proto__']) {
    const error = await failure(() => models.prepare('thinking', { ...practice, model }, () => {}))
    assert.instance(error, ModelError)
    assert.is(error.message, `There is no model "${model}" inside the daemon. There is: embedded/practice.`)
    assert.is(
      (await failure(() => all(models.mind({ ...practice, model }, null).think(hello, neverAborts)))).name,
      'MindError',
    )
  }
})

const file = { name: 'fox.png', mime: 'image/png', sha256: 'a'.repeat(64), bytes: async () => png }
const shownFile: Prompt = { ...hello, messages: [{ role: 'user', content: 'look', files: [file] }] }

test('accepts an embedded model for any organ and rejects unsupported use', async () => {
  const models = createModels({ urls: unreachableUrls, env: {} })
  for (const slot of Slot.options) await models.prepare(slot, practice, () => assert.unreachable())
  const inVain = [
    () => models.ear(practice).hear(file, neverAborts),
    () => models.mouth(practice).speak('hello', neverAborts),
    () => models.imagination(practice).draw('a fox', neverAborts),
    () => all(models.mind(practice, null).think(shownFile, neverAborts)),
  ]
  for (const work of inVain) {
    const error = await failure(work)
    assert.instance(error, MindError)
    assert.is((error as MindError).kind, 'refused')
    assert.match(error.message, 'inside the daemon cannot')
  }
  assert.equal(await models.getAcceptedFiles(practice, null, neverAborts), {
    images: false,
    documents: false,
  })
})

const withServer = async (
  work: (server: StandIn, models: Models, organ: OrganAsk) => Promise<void>,
): Promise<void> => {
  const server = await createOpenAi({ key: null })
  const models = createModels({ urls: unreachableUrls, env: {} })
  try {
    await work(server, models, { model: 'one', provider: 'openai', url: server.url, apiKey: null })
  } finally {
    await Promise.all([server.close(), models.close()])
  }
}

// Verified to fail without this memory: the organ Eye would never be used.
test('remembers that a model of a server cannot look at pictures', () =>
  withServer(async (server, models, organ) => {
    server.faults.permanentFault = {
      what: 'status',
      status: 400,
      words: 'image input is not supported by this model',
    }
    assert.is((await models.getAcceptedFiles(organ, null, neverAborts)).images, true)
    const error = await failure(() => all(models.mind(organ, null).think(shownFile, neverAborts)))
    assert.is((error as MindError).kind, 'refused')
    assert.match(
      error.message,
      `"one" at ${server.url}/v1 cannot look at pictures (400: image input is not supported by this model)`,
    )
    assert.is((await models.getAcceptedFiles(organ, null, neverAborts)).images, false)
    assert.is((await models.getAcceptedFiles({ ...organ, model: 'other' }, null, neverAborts)).images, true)
  }))

test('does not treat an error about one picture as missing vision', () =>
  withServer(async (server, models, organ) => {
    for (const text of [
      'Unsupported MIME type: image/gif',
      'The image is too large.',
      'This image is not in a format that we support.',
    ]) {
      server.faults.permanentFault = { what: 'status', status: 400, words: text }
      await failure(() => all(models.mind(organ, null).think(shownFile, neverAborts)))
      assert.is((await models.getAcceptedFiles(organ, null, neverAborts)).images, true, text)
    }
  }))

test('prefers the address of the organ to the configured one, with or without /v1', async () => {
  const configured = await createOllama()
  const otherPersona = await createOllama({ models: ['qwen3'] })
  const models = createModels({ urls: { ...unreachableUrls, local: configured.url }, env: {} })
  assert.equal(await models.names({ provider: null, url: null, apiKey: null }), ['llama3:latest'])
  for (const tail of ['', '/', '/v1', '/v1/'])
    assert.equal(await models.names({ provider: null, url: otherPersona.url + tail, apiKey: null }), [
      'qwen3:latest',
    ])
  await Promise.all([configured.close(), otherPersona.close(), models.close()])
})

test('makes no request when it creates a model', async () => {
  const ollama = await createOllama()
  const models = createModels({ urls: { ...unreachableUrls, local: ollama.url }, env: {} })
  models.mind({ ...practice, model: 'llama3' }, null)
  assert.is(ollama.log.length, 0)
  await Promise.all([ollama.close(), models.close()])
})

test('tells whether the model of an organ is on this machine and needs no key', async () => {
  const models = createModels({ urls: { ...unreachableUrls, local: 'http://127.0.0.1:11434' }, env: {} })
  const organ: OrganAsk = { model: 'llama3', provider: null, url: null, apiKey: null }
  const isLocal = (changes: Partial<OrganAsk>) => models.isOnThisMachine({ ...organ, ...changes })
  assert.equal(
    [isLocal({}), isLocal({ url: 'http://192.168.1.5:11434' }), isLocal({ model: 'embedded/practice' })],
    [true, false, false],
  )
  const compatible = { provider: 'openai', url: 'http://localhost:8080/v1' } as const
  assert.equal(
    [
      isLocal(compatible),
      isLocal({ ...compatible, apiKey: 'secret' }),
      isLocal({ ...compatible, provider: 'anthropic' }),
      isLocal({ ...compatible, url: 'https://api.openai.com' }),
    ],
    [true, false, false, false],
  )
  await models.close()
})

test.run()
