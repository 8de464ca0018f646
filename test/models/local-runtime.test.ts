/**
 * Which of Ollama and the local runtime serves a local model, and a persona with the path of a model file.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { loadCatalogue } from '../../packages/local-models/catalogue.ts'
import { currentPlatform, installedFile } from '../../packages/local-runtime/installed-runtime.ts'
import type { LocalRuntime } from '../../packages/local-runtime/local-runtime.ts'
import { openLocalRuntime } from '../../packages/local-runtime/open-local-runtime.ts'
import runtimePackages from '../../packages/local-runtime/runtime-platforms.json' with { type: 'json' }
import type { Prompt } from '../../packages/models/mind.ts'
import { ModelError, type OrganAsk } from '../../packages/models/models.ts'
import { toKeepAliveMs } from '../../packages/models/ollama/local-settings.ts'
import { createModels } from '../../src/open-models.ts'
import { call, waitFor } from '../calls.ts'
import { nowhereUrl, startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { silent } from '../http/try.ts'
import { providerUrls } from '../provider-urls.ts'
import { createHub, createModelBytes, sha256 } from '../stand-ins/hub.ts'
import { createOllama } from '../stand-ins/ollama.ts'

interface World {
  home: string
  runtime: LocalRuntime
}

const modelRunner = new URL('../../packages/local-runtime/test/fake-runner.mjs', import.meta.url)
const { signal } = new AbortController()
const organ = (model: string): OrganAsk => ({
  model,
  provider: null,
  url: null,
  apiKey: null,
  cacheKey: 'ada',
})
const hello: Prompt = {
  system: 'You are Ada.',
  messages: [{ role: 'user', content: 'hello' }],
  tools: [],
  data: () => ({ kind: 'question', words: 'hello' }),
}

const install = async (home: string) => {
  const folder = join(home, 'runtime', runtimePackages.version)
  await mkdir(folder, { recursive: true })
  const { version } = runtimePackages
  await writeFile(
    join(folder, installedFile),
    JSON.stringify({ version, platform: currentPlatform, bytes: 1 }),
  )
}

const test = suite<World>('local models')
test.before.each(async (world) => {
  world.home = await mkdtemp(join(tmpdir(), 'daimon-served-'))
  await install(world.home)
  await writeFile(join(world.home, 'tiny.gguf'), 'normal')
  world.runtime = await openLocalRuntime({
    folder: join(world.home, 'runtime'),
    log: silent,
    clock: systemClock(),
    contextTokens: 8192,
    runnerFile: modelRunner,
  })
})
test.after.each(async ({ home, runtime }) => {
  await runtime.close()
  await rm(home, { recursive: true, force: true })
})

const openModels = ({ home, runtime }: World, local: string, names: readonly string[] = ['tiny']) =>
  createModels({
    urls: providerUrls({ local }),
    env: {},
    runtime,
    resolveModel: (name) => (names.includes(name) ? join(home, 'tiny.gguf') : null),
  })

const ask = async (models: ReturnType<typeof createModels>, model: string, wrapper: string | null = null) => {
  let text = ''
  for await (const part of models.mind(organ(model), wrapper).think(hello, signal))
    if (part.type === 'words') text += part.text
  return text
}

const getError = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

test('the runtime serves an installed model while Ollama cannot be reached', async (world) => {
  const models = openModels(world, nowhereUrl)
  const statuses: string[] = []
  await models.prepare('thinking', organ('tiny'), ({ status }) => statuses.push(status))
  assert.equal(statuses, ['waking the model'])
  await models.wrap(organ('tiny'), 'daimon-1')
  await models.probe(organ('tiny'), 'daimon-1')
  assert.is(await ask(models, 'tiny', 'daimon-1'), 'You said: hello (ada)')
  assert.is(await models.getContextWindow(organ('tiny'), 'daimon-1', signal), 8192)
  assert.equal(await models.getAcceptedFiles(organ('tiny'), null, signal), {
    images: false,
    documents: false,
  })
  await models.unwrap(organ('tiny'), 'daimon-1')
  await rm(join(world.home, 'tiny.gguf'))
  assert.match((await getError(models.probe(organ('tiny'), null))).message, /is missing\. Download it again/)
  await models.close()
})

test('Ollama serves a model that it has, and the runtime one that it does not have', async (world) => {
  const ollama = await createOllama({ models: ['tiny:latest'], answer: () => 'from Ollama' })
  const models = openModels(world, ollama.url, ['tiny', 'other', 'hf:me/tiny/tiny.gguf'])
  assert.is(await ask(models, 'tiny'), 'from Ollama')
  await models.wrap(organ('tiny'), 'daimon-1')
  assert.is(await ask(models, 'tiny', 'daimon-1'), 'from Ollama')
  await models.unwrap(organ('tiny'), 'daimon-1')
  assert.equal([...ollama.models.keys()], ['tiny:latest'])
  assert.match(await ask(models, 'other'), /^You said/)
  const callCountBefore = ollama.log.length
  assert.match(await ask(models, 'hf:me/tiny/tiny.gguf'), /^You said/)
  assert.is(ollama.log.length, callCountBefore)
  await ollama.close()
  assert.match(await ask(models, 'tiny', 'daimon-1'), /^You said/)
  await models.close()
})

test('without the runtime or the model, an unreachable Ollama is an error as before', async (world) => {
  const unknownModels = openModels(world, nowhereUrl, [])
  const error = await getError(unknownModels.prepare('thinking', organ('tiny'), () => {}))
  assert.instance(error, ModelError)
  assert.match(error.message, /^Ollama could not be reached/)
  await world.runtime.remove()
  const absent = openModels(world, nowhereUrl)
  assert.match(
    (await getError(absent.prepare('thinking', organ('tiny'), () => {}))).message,
    /^Ollama could not/,
  )
  assert.match((await getError(ask(absent, 'tiny'))).message, /^Ollama could not/)
  await Promise.all([unknownModels.close(), absent.close()])
})

test('a daemon creates a persona with a model file only if the runtime is installed', async ({ home }) => {
  const body = { name: 'Ada', thinking_model: join(home, 'tiny.gguf') }
  const bareDaemon = await startDaemon({ modelRunner })
  const refusedReply = await call(bareDaemon.url, 'POST', '/api/persona/create', body)
  assert.is(refusedReply.status, 400)
  await bareDaemon.close()

  const own = join(home, 'own')
  await install(own)
  const daemon = await startDaemon({ home: own, modelRunner })
  const creation = await call(daemon.url, 'POST', '/api/persona/create', body)
  assert.is(creation.status, 200, JSON.stringify(creation.body))
  const { persona } = creation.body as { persona: { id: string } }
  const readPath = `/api/persona/${persona.id}/read?wait=30`
  const reply = await call(daemon.url, 'POST', readPath, { message: 'hello' })
  assert.match(JSON.stringify(reply.body), /"reply":/)
  await call(daemon.url, 'POST', `/api/persona/${persona.id}/delete?purge=true`)
  await daemon.close()
})

test('searches by meaning with an installed embedding model, and by words alone without it', async ({
  home,
}) => {
  const bytes = createModelBytes(200_000)
  const hub = await createHub(bytes)
  const catalogue = (await loadCatalogue()).map((row) => ({
    ...row,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }))
  await install(join(home, 'own'))
  const daemon = await startDaemon({
    home: join(home, 'own'),
    modelRunner,
    models: standIn(),
    localModels: { hubs: { hub: hub.url }, catalogue, freeBytes: async () => 100e9, knownServers: [] },
  })
  try {
    const get = async (path: string) => (await call(daemon.url, 'GET', path)).body
    const { id } = (
      await call(daemon.url, 'POST', '/api/persona/create', { name: 'Ada', thinking_model: 'x' })
    ).body.persona
    const message = 'Our holiday in Lisbon was lovely.'
    await call(daemon.url, 'POST', `/api/persona/${id}/read?wait=20`, { message })
    const search = async () => {
      const { found } = await get(
        `/api/persona/${id}/search?sort=relevance&q=${encodeURIComponent('Who enjoyed a vacation?')}`,
      )
      return JSON.stringify(found).includes('Lisbon')
    }
    assert.is(await search(), false)
    assert.is((await get('/api/local-models')).search, null)

    const name = 'embeddinggemma-300m'
    await call(daemon.url, 'POST', '/api/local-models', { name })
    await waitFor('the embedder', async () => (await get('/api/local-models')).search === `local/${name}`)
    await waitFor('a result by meaning', search)
    const { embeddings } = await get(`/api/persona/${id}/diagnose`)
    assert.equal([embeddings.model, embeddings.reason], [`local/${name}`, null])

    assert.is((await fetch(`${daemon.url}/api/local-models?name=${name}`, { method: 'DELETE' })).status, 200)
    await waitFor('words alone', async () => (await get('/api/local-models')).search === null)
    assert.is(await search(), false)
    assert.is((await get(`/api/persona/${id}/diagnose`)).embeddings, undefined)
  } finally {
    await daemon.close()
    await hub.close()
  }
})

test('reads how long a model stays in memory', () => {
  assert.equal([null, 90, -1, '10m', '1h30m', '500ms'].map(toKeepAliveMs), [
    null,
    90_000,
    Number.POSITIVE_INFINITY,
    600_000,
    5_400_000,
    500,
  ])
})

test.run()
