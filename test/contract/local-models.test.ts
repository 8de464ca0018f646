/** /api/local-models: the models of this machine, downloads, removal. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadCatalogue } from '../../packages/local-models/catalogue.ts'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { listenTo } from '../listener.ts'
import { createHub, createModelBytes, sha256 } from '../stand-ins/hub.ts'
import { createRuntime } from '../stand-ins/runtime.ts'
import { invalidBody, json, shareSetup } from './setup.ts'

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
  setup.models.think = async () => {}
  setup.models.calls.length = 0
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
  assert.equal(state, {
    phase: 'absent',
    version: '3.21.1',
    bytes: 60_000_000,
    reason: null,
    gpu: 'none',
    gpus: [
      { gpu: 'cuda', bytes: 500_000_000 },
      { gpu: 'vulkan', bytes: 80_000_000 },
    ],
  })
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
  assert.equal(rest, { talks: true, uses_tools: false, answers_json: false, fault: null })
  assert.match(reason, /did not use the tool/)
  assert.ok(speed === null || speed > 0)
  setup.models.think = async () => {
    throw new MindError('unreachable', 'Nobody answers.', { fault: 'unreachable' })
  }
  const [, silent] = await setup.post('/api/models/test', { model: 'llama' })
  assert.equal(
    [silent.talks, silent.uses_tools, silent.reason, silent.fault],
    [false, null, 'Nobody answers.', 'unreachable'],
  )
  assert.is((await setup.post('/api/models/test', { model: '' }))[0], 422)
})

test('shows the models in memory by their names', async () => {
  await ask({ name: 'qwen3.5-2b' })
  await waitForDownload('qwen3.5-2b')
  const files = await readdir(join(setup.daemon.home, 'models'))
  const file = files.find((name) => name.startsWith('Qwen3.5-2B') && name.endsWith('.gguf')) ?? ''
  const startedAt = Date.UTC(2026, 10, 28, 9)
  runtime.models = [
    {
      path: join(setup.daemon.home, 'models', file),
      phase: 'ready',
      pid: 7,
      memoryBytes: 1_500_000_000,
      contextTokens: 16_384,
      gpu: null,
      since: startedAt,
      idleUntil: startedAt + 600_000,
      reason: null,
    },
  ]
  const [{ since: shown, idle_until: until, ...model }] = (await list()).loaded
  runtime.models = []
  assert.equal(model, {
    name: 'qwen3.5-2b',
    phase: 'ready',
    memory: 1_500_000_000,
    context: 16_384,
    gpu: null,
    reason: null,
  })
  assert.equal([Date.parse(shown), Date.parse(until)], [startedAt, startedAt + 600_000])
})

test('installs the runtime for a graphics card', async () => {
  const send = async (gpu: string) => {
    const body = JSON.stringify({ gpu })
    const reply = await setup.send({ method: 'PUT', path: `${path}/runtime`, body, headers: json })
    return [reply.status, JSON.parse(reply.text)] as const
  }
  const [status, download] = await send('cuda')
  assert.equal([status, download.name], [200, 'runtime'])
  await waitForDownload('runtime')
  assert.is((await list()).runtime.gpu, 'cuda')
  assert.is(runtime.calls.at(-1), 'install cuda')
  await send('none')
  await waitForDownload('runtime')
  assert.is((await send('metal'))[0], 422)
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

const born = () => setup.born({ name: 'Ada', thinking_model: 'embedded/practice' })
const getMessages = async (id: string) => (await setup.get(`/api/persona/${id}/conversation`))[1].messages
const untilNotice = (id: string, text: string | RegExp) =>
  waitFor('the notice', async () => {
    const last = (await getMessages(id)).at(-1)
    return last?.notice === true && (text instanceof RegExp ? text.test(last.content) : last.content === text)
  })
/** Lets the second question of a test succeed, which asks for a tool call. */
const letToolsWork = () => {
  let asked = 0
  setup.models.think = async () => {
    asked += 1
    if (asked === 2) setup.models.calls.push({ name: 'note', input: { word: 'apple' } })
  }
}

test('tests a new model before it becomes the Mind, and tells the user', async () => {
  const id = await born()
  letToolsWork()
  await ask({ name: 'qwen3.5-4b', persona_id: id })
  await waitFor('the new Mind', async () => (await setup.view(id)).base_model === 'qwen3.5-4b')
  await untilNotice(id, 'Ada now thinks with qwen3.5-4b, which runs on this machine and can use tools.')
  const facts = await setup.facts(id)
  const find = (title: string) =>
    facts.findIndex((text) => text.includes(`"${title}"`) && text.includes('"qwen3.5-4b"'))
  const { details } = JSON.parse(facts[find('MindTested')] ?? '')
  assert.equal([details.result, details.answersJson, details.url], ['works', false, null])
  assert.ok(find('MindTested') < find('OrganReplaced'))
  const [, { organs }] = await setup.get(`/api/persona/${id}/diagnose`)
  assert.is(organs.thinking.test.result, 'works')
})

test('switches to a model without tools, and says what that means', async () => {
  const id = await born()
  await ask({ name: 'qwen3.5-4b', persona_id: id })
  await untilNotice(
    id,
    'Ada now thinks with qwen3.5-4b, which runs on this machine but cannot use tools, so Ada remembers at night only.',
  )
  const [, { organs }] = await setup.get(`/api/persona/${id}/diagnose`)
  assert.is(organs.thinking.test.result, 'no_tools')
})

test('keeps the practice mind if the new model does not work', async () => {
  const id = await born()
  setup.models.think = async () => {
    throw new MindError('barred', 'The file is damaged.')
  }
  const name = 'hf:ada/tiny/broken.gguf'
  await ask({ name, persona_id: id })
  await untilNotice(
    id,
    `${name} is downloaded, but it does not work here, so Ada keeps the practice mind. The file is damaged.`,
  )
  assert.is((await setup.view(id)).base_model, 'embedded/practice')
  const { downloads, installed } = await list()
  const download = downloads.find((each: { name: string }) => each.name === name)
  assert.equal([download.state, download.test.talks], ['failed', false])
  assert.match(download.reason, /does not work here/)
  assert.ok(installed.some((each: { name: string }) => each.name === name))

  setup.models.think = async () => {}
  await ask({ name, persona_id: id })
  await waitFor('the new Mind', async () => (await setup.view(id)).base_model === name)
})

test('tests the Mind of a persona with its key, and records the result', async () => {
  const id = await setup.born({
    name: 'Ada',
    thinking_model: 'glm',
    thinking_provider: 'openai',
    thinking_url: 'http://127.0.0.1:9/v1',
    thinking_api_key: 'sk-of-ada',
  })
  letToolsWork()
  const [status, result] = await setup.post(`/api/persona/${id}/test`)
  assert.equal([status, result.talks, result.uses_tools], [200, true, true])
  const [, { organs }] = await setup.get(`/api/persona/${id}/diagnose`)
  assert.equal([organs.thinking.test.result, typeof organs.thinking.test.time], ['works', 'string'])
  const { text } = await setup.send({ method: 'GET', path: `/api/persona/${id}/journal?limit=1000` })
  assert.ok(text.includes('MindTested'))
  assert.not.ok(text.includes('sk-of-ada'))
  await setup.post(`/api/persona/${id}/update`, { thinking: { model: 'llama' } })
  const [, changed] = await setup.get(`/api/persona/${id}/diagnose`)
  assert.is(changed.organs.thinking.test, undefined)
  assert.is((await setup.post('/api/persona/nobody/test'))[0], 404)
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
