/** /api/local-models: the models of this machine, downloads, removal. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadCatalogue } from '../../packages/local-models/catalogue.ts'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { listenTo } from '../listener.ts'
import { createHub, createModelBytes, sha256 } from '../stand-ins/hub.ts'
import { createRuntime } from '../stand-ins/runtime.ts'
import { invalidBody, shareSetup } from './setup.ts'

const bytes = createModelBytes(300_000)
const hub = await createHub(bytes)
const runtime = createRuntime()
const catalogue = (await loadCatalogue()).map((model) => ({
  ...model,
  bytes: bytes.length,
  sha256: sha256(bytes),
}))
const GiB = 1024 ** 3
const setup = shareSetup(test, {
  memory: 8 * GiB,
  localModels: {
    runtime,
    catalogue,
    hubs: { hub: hub.url, registry: hub.url },
    freeBytes: async () => 100e9,
    knownServers: [],
  },
})
test.after(() => hub.close())
test.before.each(() => {
  hub.faults.pause = 0
  hub.faults.wrongByte = false
})

const path = '/api/local-models'
const ask = (body: object) => setup.post(path, { engine: 'runtime', ...body })
const list = async () => (await setup.get(path))[1]
const remove = async (name: string) => {
  const reply = await setup.send({ method: 'DELETE', path: `${path}?name=${encodeURIComponent(name)}` })
  return [reply.status, JSON.parse(reply.text)]
}
const waitForDownload = (name: string, state = 'done') =>
  waitFor(`${name} to be ${state}`, async () =>
    (await list()).downloads.some(
      (download: { name: string; state: string }) => download.name === name && download.state === state,
    ),
  )

test('lists the catalogue with what fits, the runtime, Ollama and no installed model', async () => {
  const { memory, runtime: state, ollama, catalogue: rows, installed, downloads, servers } = await list()
  assert.is(memory, 8 * GiB)
  assert.equal(state, { phase: 'absent', version: '3.21.1', bytes: 60_000_000, reason: null })
  assert.is(ollama.answers, true)
  assert.equal(servers, [])
  assert.equal(downloads, [])
  assert.equal(
    rows.map((row: Record<string, unknown>) => [row.name, row.fits, row.suggested, row.installed]),
    [
      ['qwen3.5-4b', true, true, false],
      ['qwen3.5-9b', false, false, false],
      ['qwen3.5-2b', true, false, false],
      ['embeddinggemma-300m', true, false, false],
    ],
  )
  assert.equal(
    installed.map((model: Record<string, unknown>) => [
      model.name,
      model.engine,
      model.bytes,
      model.removable,
    ]),
    [
      ['llama', 'ollama', 1000, false],
      ['qwen', 'ollama', null, false],
    ],
  )
})

test('installs the runtime, downloads a model and reports it on the socket', async () => {
  const listener = await listenTo(setup.daemon.url, '/ws/system')
  const [status, download] = await ask({ name: 'qwen3.5-2b' })
  assert.is(status, 200)
  assert.is(download.name, 'qwen3.5-2b')
  const getFrames = () => listener.frames.filter(({ type }) => type === 'model_progress')
  await waitFor('the last frame', () => getFrames().at(-1)?.state === 'done')
  const frames = getFrames()
  listener.leave()
  assert.ok(
    frames.some((frame) => frame.status === 'installing the runtime' && frame.completed === 30_000_000),
  )
  assert.ok(frames.some((frame) => frame.status === 'downloading' && frame.total === bytes.length))
  const { installed, runtime: state } = await list()
  assert.is(state.phase, 'ready')
  assert.equal(
    installed
      .filter(({ engine }: { engine: string }) => engine === 'runtime')
      .map((model: Record<string, unknown>) => [model.name, model.bytes, model.license, model.used_by]),
    [['qwen3.5-2b', bytes.length, 'Apache-2.0', []]],
  )
})

test('tests whether a model talks, uses a tool and answers in JSON', async () => {
  const [status, result] = await setup.post('/api/models/test', { model: 'llama' })
  assert.is(status, 200)
  const { tokens_per_second: speed, reason, ...rest } = result
  assert.equal(rest, { talks: true, uses_tools: false, answers_json: false })
  assert.match(reason, /did not use the tool/)
  assert.ok(speed === null || speed > 0)
  setup.models.think = async () => {
    throw new MindError('unreachable', 'Nobody answers.')
  }
  const [, silent] = await setup.post('/api/models/test', { model: 'llama' })
  assert.equal([silent.talks, silent.uses_tools, silent.reason], [false, null, 'Nobody answers.'])
  assert.is((await setup.post('/api/models/test', { model: '' }))[0], 422)
})

test('does not remove a model that a persona uses', async () => {
  await ask({ name: 'qwen3.5-2b' })
  await waitForDownload('qwen3.5-2b')
  const id = await setup.born({ name: 'Mia', thinking_model: 'qwen3.5-2b' })
  const model = (await list()).installed.find(({ name }: { name: string }) => name === 'qwen3.5-2b')
  assert.equal(model.used_by, [{ id, name: 'Mia' }])
  assert.equal(await remove('qwen3.5-2b'), [
    409,
    { detail: 'Mia uses this model. Give it another one first.' },
  ])
  await setup.post(`/api/persona/${id}/delete`)
  assert.equal(await remove('qwen3.5-2b'), [200, { removed: 'qwen3.5-2b' }])
  const [status, problem] = await remove('qwen3.5-2b')
  assert.is(status, 400)
  assert.match(problem.detail, /is not installed/)
})

test('gives the model to a persona with the practice mind, and tells the user', async () => {
  const id = await setup.born({ name: 'Ada', thinking_model: 'embedded/practice' })
  await ask({ name: 'qwen3.5-4b', persona_id: id })
  await waitFor('the new Mind', async () => (await setup.view(id)).base_model === 'qwen3.5-4b')
  await waitFor('the notice', async () => {
    const [, { messages }] = await setup.get(`/api/persona/${id}/conversation`)
    return messages.at(-1)?.content === 'Ada now thinks with qwen3.5-4b, which runs on this machine.'
  })
  const [, { messages }] = await setup.get(`/api/persona/${id}/conversation`)
  assert.is(messages.at(-1).notice, true)
})

test('does not replace a Mind that the user has chosen meanwhile', async () => {
  await remove('qwen3.5-2b')
  hub.faults.pause = 50
  const id = await setup.born({ thinking_model: 'embedded/practice' })
  await ask({ name: 'qwen3.5-2b', persona_id: id })
  await setup.post(`/api/persona/${id}/update`, { thinking: { model: 'llama' } })
  hub.faults.pause = 0
  await waitForDownload('qwen3.5-2b')
  assert.is((await setup.view(id)).base_model, 'llama')
})

test('pulls through Ollama by default if it answers', async () => {
  const [, download] = await setup.post(path, { name: 'qwen3.5-9b' })
  assert.is(download.name, 'qwen3.5:9b')
  await waitForDownload('qwen3.5:9b')
  assert.ok(setup.models.doneCalls.includes('prepare qwen3.5:9b'))
})

test('uses the runtime by default if Ollama does not answer', async () => {
  setup.models.brokenMethods.names = 'No runtime answers.'
  const [, download] = await setup.post(path, { name: 'hf:ada/tiny/tiny.gguf' })
  assert.is(download.name, 'hf:ada/tiny/tiny.gguf')
  await waitForDownload('hf:ada/tiny/tiny.gguf')
  assert.is((await list()).ollama.answers, false)
})

test('reports a failed download with its reason', async () => {
  hub.faults.wrongByte = true
  await ask({ name: 'hf:ada/tiny/wrong.gguf' })
  await waitForDownload('hf:ada/tiny/wrong.gguf', 'failed')
  const failedDownload = (await list()).downloads.find(({ name }: { name: string }) => name.includes('wrong'))
  assert.match(failedDownload.reason, /its SHA-256 differs/)
})

test('cancels a download', async () => {
  hub.faults.pause = 100
  const name = 'hf:ada/tiny/slow.gguf'
  await ask({ name })
  assert.equal(await setup.post(`${path}/cancel`, { name }), [200, { cancelled: name }])
  await waitForDownload(name, 'cancelled')
  assert.equal(await setup.post(`${path}/cancel`, { name }), [
    404,
    { detail: 'No model with this name is being downloaded.' },
  ])
})

test('refuses names that are no model, unknown personas and invalid bodies', async () => {
  const [status, problem] = await ask({ name: '../etc/passwd' })
  assert.is(status, 400)
  assert.match(problem.detail, /is not the name of a model/)
  assert.is((await ask({ name: '/models/x.gguf' }))[0], 400)
  assert.is((await ask({ name: 'qwen3.5-2b', persona_id: 'nobody' }))[0], 404)
  assert.is((await ask({ name: 'qwen3.5-2b', engine: 'magic' }))[0], 422)
  assert.equal(
    await setup.post(path, {}),
    invalidBody('missing', ['body', 'name'], 'Field required', { input: {} }),
  )
})

test.run()
