import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Part, Prompt } from '../../src/models/mind.ts'
import { ModelError, type OrganAsk } from '../../src/models/models.ts'
import { createModels } from '../../src/models/open-models.ts'
import { createOllama } from '../stand-ins/ollama.ts'

const nowhere = { local: 'http://127.0.0.1:9', anthropic: '', openai: '', gemini: '', xai: '' }
const practice: OrganAsk = { model: 'embedded/practice', provider: null, url: null, apiKey: null }
const hello: Prompt = { system: 'You are Ada.', messages: [{ role: 'user', content: 'Hello' }], tools: [] }
const never = new AbortController().signal

const failure = async (work: () => unknown): Promise<Error> => {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  return assert.unreachable('it went well') as never
}
const all = async (parts: AsyncIterable<Part>): Promise<Part[]> => {
  const got: Part[] = []
  for await (const part of parts) got.push(part)
  return got
}

test('needs no server for a mind that is embedded', async () => {
  const models = createModels({ urls: nowhere, env: {} })
  await models.prepare(practice, () => assert.unreachable())
  await models.wrap(practice, 'daimon-1')
  await models.knock(practice, null)
  await models.unwrap(practice, 'daimon-1')
  assert.equal((await all(models.mind(practice, null).think(hello, never))).at(-1)?.type, 'end')
  assert.equal(await models.names({ provider: null, url: 'embedded:', apiKey: null }), ['embedded/practice'])
  await models.close()
})

test('names the embedded minds there are when another is asked for', async () => {
  const models = createModels({ urls: nowhere, env: {} })
  for (const model of ['embedded/genius', 'embedded/', 'embedded/toString', 'embedded/__proto__']) {
    const error = await failure(() => models.prepare({ ...practice, model }, () => {}))
    assert.instance(error, ModelError)
    assert.is(error.message, `There is no model "${model}" inside the daemon. There is: embedded/practice.`)
    assert.is((await failure(() => all(models.mind({ ...practice, model }, null).think(hello, never)))).name, 'MindError')
  }
})

test('says of every provider that it is not built yet, whatever the model is called', async () => {
  const models = createModels({ urls: nowhere, env: {} })
  for (const provider of ['anthropic', 'openai', 'gemini', 'xai'] as const) {
    const organ = { ...practice, provider, apiKey: 'sk-secret' }
    for (const work of [
      () => models.prepare(organ, () => {}),
      () => models.wrap(organ, 'w'),
      () => models.unwrap(organ, 'w'),
      () => models.knock(organ, null),
      () => models.names(organ),
    ]) {
      const error = await failure(work)
      assert.instance(error, ModelError)
      assert.match(error.message, 'is not built yet')
      assert.not.match(error.message, 'sk-secret')
    }
    assert.is((await failure(() => all(models.mind(organ, null).think(hello, never)))).name, 'MindError')
  }
})

test('takes an address of the organ before the configured one, with or without /v1', async () => {
  const one = await createOllama()
  const other = await createOllama({ models: ['qwen3'] })
  const models = createModels({ urls: { ...nowhere, local: one.url }, env: {} })
  assert.equal(await models.names({ provider: null, url: null, apiKey: null }), ['llama3:latest'])
  for (const tail of ['', '/', '/v1', '/v1/'])
    assert.equal(await models.names({ provider: null, url: other.url + tail, apiKey: null }), ['qwen3:latest'])
  await Promise.all([one.close(), other.close(), models.close()])
})

test('touches no network by making a mind', async () => {
  const ollama = await createOllama()
  const models = createModels({ urls: { ...nowhere, local: ollama.url }, env: {} })
  models.mind({ ...practice, model: 'llama3' }, null)
  assert.is(ollama.log.length, 0)
  await Promise.all([ollama.close(), models.close()])
})

test.run()
