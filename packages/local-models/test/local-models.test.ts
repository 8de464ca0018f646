import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { createHub, createModelBytes, type HubStandIn, sha256 } from '../../../test/stand-ins/hub.ts'
import { createRuntime } from '../../../test/stand-ins/runtime.ts'
import { createNetwork } from '../../kit/network/network.ts'
import { systemClock } from '../../kit/time/clock.ts'
import { type CatalogueModel, fitsMemory, loadCatalogue, suggestMind } from '../catalogue.ts'
import type { Download } from '../download-queue.ts'
import { findServers } from '../known-servers.ts'
import { type LocalModels, type LocalModelsDeps, openLocalModels } from '../local-models.ts'
import { parseModelName, toModelName, toOllamaName } from '../model-names.ts'

const fileSize = 1_000_000
const GiB = 1024 ** 3
const name = 'hf:ada/tiny-GGUF/tiny-Q4.gguf'

interface Setup {
  readonly home: string
  readonly hub: HubStandIn
  readonly models: LocalModels
  readonly changes: readonly Download[]
  open(overrides?: Partial<LocalModelsDeps>): Promise<LocalModels>
  /** Downloads and returns the final state. */
  get(wantedName?: string): Promise<Download>
  files(): Promise<readonly string[]>
}

const works = { talks: true, usesTools: true, answersJson: true, tokensPerSecond: null, reason: null }

const withSetup = async (
  work: (setup: Setup) => Promise<void>,
  overrides: Partial<LocalModelsDeps> = {},
): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), 'models-'))
  const hub = await createHub(createModelBytes(fileSize))
  const changes: Download[] = []
  const openedModels: LocalModels[] = []
  const networks: { close(): Promise<void> }[] = []
  const open = async (openOptions: Partial<LocalModelsDeps> = {}) => {
    const network = createNetwork({ env: {} })
    networks.push(network)
    const models = await openLocalModels({
      home,
      network,
      hubs: { hub: hub.url, registry: hub.url },
      runtime: createRuntime('ready'),
      pull: async () => {},
      prove: async () => works,
      onChange: (download) => changes.push(download),
      now: () => performance.now(),
      timestamp: () => '2026-11-28T10:00:00+00:00',
      freeBytes: async () => 100e9,
      wait: () => systemClock().wait(1),
      knownServers: [],
      ...overrides,
      ...openOptions,
    })
    openedModels.push(models)
    return models
  }
  const models = await open()
  try {
    await work({
      home,
      hub,
      models,
      changes,
      open,
      get: (wantedName = name) => {
        const pendingModel = models.want(wantedName, 'runtime')
        models.get({ ...pendingModel, owner: null })
        return models.whenFinished(pendingModel.name)
      },
      files: async () =>
        (await readdir(join(home, 'models'))).filter((file) => !file.startsWith('pending.json')).sort(),
    })
  } finally {
    for (const openModels of openedModels) await openModels.close()
    for (const network of networks) await network.close()
    await hub.close()
    await rm(home, { recursive: true, force: true })
  }
}

test('ships a catalogue that suggests a Mind by the memory of the machine', async () => {
  const catalogue = await loadCatalogue()
  assert.is(suggestMind(catalogue, 64 * GiB)?.id, 'qwen3.5-9b')
  assert.is(suggestMind(catalogue, 15.5 * GiB)?.id, 'qwen3.5-9b')
  assert.is(suggestMind(catalogue, 7.7 * GiB)?.id, 'qwen3.5-4b')
  assert.is(suggestMind(catalogue, 6 * GiB)?.id, 'qwen3.5-2b')
  assert.is(suggestMind(catalogue, 1 * GiB)?.id, 'qwen3.5-2b')
  assert.is(
    catalogue.every((model) => fitsMemory(model, 64 * GiB)),
    true,
  )
  for (const { id, repo, file } of catalogue)
    assert.is(toModelName(parseModelName(`hf:${repo}/${file}`, catalogue) ?? fail()), id)
})

const fail = (): never => {
  throw new Error('not parsed')
}

test('ships a valid catalogue', async () => {
  const Model = z.strictObject({
    id: z.string(),
    title: z.string(),
    kind: z.enum(['mind', 'embedder']),
    repo: z.string(),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
    file: z.string(),
    bytes: z.int().positive(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    license: z.string(),
    source: z.url(),
    min_memory_gib: z.number().positive(),
    context: z.int().positive(),
    abilities: z.array(z.enum(['tools', 'json', 'embedding'])),
    ollama: z.string(),
  }) satisfies z.ZodType<CatalogueModel>
  const { default: catalogue } = await import('../catalogue.json', { with: { type: 'json' } })
  z.strictObject({ dated: z.iso.date(), models: z.array(Model).min(1) }).parse(catalogue)
})

test('parses names of the catalogue, the hub, Ollama and paths', async () => {
  const catalogue = await loadCatalogue()
  const parseName = (text: string) => {
    const source = parseModelName(text, catalogue)
    return source && [source.kind, toModelName(source), toOllamaName(source)]
  }
  assert.equal(parseName('qwen3.5-4b'), ['hub', 'qwen3.5-4b', 'qwen3.5:4b'])
  assert.equal(parseName('qwen3.5:4b'), ['hub', 'qwen3.5-4b', 'qwen3.5:4b'])
  assert.equal(parseName('hf:a/b/sub/c.gguf'), ['hub', 'hf:a/b/sub/c.gguf', 'hf.co/a/b:sub/c.gguf'])
  assert.equal(parseName('gemma3'), ['ollama', 'gemma3:latest', 'gemma3:latest'])
  assert.equal(parseName('mia/gemma3:1b'), ['ollama', 'mia/gemma3:1b', 'mia/gemma3:1b'])
  assert.equal(parseName('/models/x.gguf'), ['path', '/models/x.gguf', null])
  for (const invalidName of [
    '',
    'hf:a/b',
    'hf:a/../b/c.gguf',
    'hf:a/b/../c.gguf',
    '../x',
    'a/b/c',
    'x.gguf/..',
    'a b',
  ])
    assert.is(parseName(invalidName), null, invalidName)
})

test('tests a downloaded model only if a persona waits for it', async () => {
  const proved: string[] = []
  const fails = { ...works, talks: false, reason: 'It answered without a word.' }
  const prove = async (model: string) => {
    proved.push(model)
    return proved.length === 1 ? works : fails
  }
  await withSetup(
    async ({ models, changes, get, files }) => {
      assert.is((await get()).proof, null)
      const wantedModel = { ...models.want(name, 'runtime'), owner: 'ada' }
      models.get(wantedModel)
      const passedDownload = await models.whenFinished(name)
      assert.equal([passedDownload.state, passedDownload.proof], ['done', works])
      assert.ok(changes.some(({ status }) => status === 'testing the model'))
      models.get(wantedModel)
      const failedDownload = await models.whenFinished(name)
      assert.equal([failedDownload.state, failedDownload.proof], ['failed', fails])
      assert.match(
        failedDownload.reason ?? '',
        /^The model is downloaded, but does not work here\. It answered/,
      )
      assert.is((await files()).length, 2)
      assert.equal(proved, [name, name])
    },
    { prove },
  )
})

test('downloads a file of the hub, verifies it and lists it', async () => {
  await withSetup(async ({ hub, models, changes, get, files, open }) => {
    const { state } = await get()
    assert.is(state, 'done')
    const [model] = models.installed()
    assert.is(model?.name, name)
    assert.is(model?.bytes, fileSize)
    assert.is(sha256(await readFile(model?.path ?? '')), hub.sha256)
    assert.is(models.resolve(name), model?.path)
    assert.is((await files()).length, 2)
    assert.ok(
      changes.some(
        ({ status, completed, total }) =>
          status === 'downloading' && total === fileSize && completed !== null,
      ),
    )
    // The second call finds the file and transfers nothing.
    const requestCount = hub.log.length
    assert.is((await get()).state, 'done')
    assert.is(hub.log.length, requestCount)
    assert.is((await open()).installed()[0]?.name, name)

    await models.remove(name)
    assert.equal(await files(), [])
    assert.is(models.resolve(name), null)
    await rejects(() => models.remove(name), /is not installed/)
  })
})

const rejects = async (work: () => Promise<unknown>, message: RegExp) => {
  try {
    await work()
  } catch (error) {
    return assert.match((error as Error).message, message)
  }
  assert.unreachable('did not reject')
}

test('downloads the model layer of an Ollama name', async () => {
  await withSetup(async ({ models, hub, get }) => {
    assert.is((await get('tiny:1b')).state, 'done')
    assert.is(models.installed()[0]?.name, 'tiny:1b')
    assert.ok(hub.log.includes('GET /v2/library/tiny/manifests/1b'))
    assert.ok(hub.log.includes(`GET /v2/library/tiny/blobs/sha256:${hub.sha256}`))
  })
})

test('continues after a cut connection with the missing bytes only', async () => {
  await withSetup(async ({ hub, get }) => {
    Object.assign(hub.faults, { cutAt: 400_000, cuts: 1 })
    assert.is((await get()).state, 'done')
    const ranges = hub.log.filter((line) => line.startsWith('GET bytes'))
    assert.is(ranges.length, 2)
    assert.is(ranges[0], 'GET bytes bytes=0-')
    // The cut may drop bytes that were sent and not yet received.
    const from = Number(/^GET bytes bytes=(\d+)-$/.exec(ranges[1] ?? '')?.[1])
    assert.ok(from > 0 && from <= 400_000, String(ranges[1]))
  })
})

test('keeps the part of a hub that always ends at 99 %, and continues it later', async () => {
  await withSetup(async ({ hub, get, files, models }) => {
    Object.assign(hub.faults, { cutAt: fileSize - 10_000 })
    const download = await get()
    assert.is(download.state, 'failed')
    assert.match(download.reason ?? '', /ended the download after|connection was cut/)
    assert.is(download.reason?.includes('secret'), false)
    assert.is(models.installed().length, 0)
    assert.is((await files()).filter((file) => file.endsWith('.part')).length, 1)

    hub.faults.cutAt = null
    const from = hub.log.length
    assert.is((await get()).state, 'done')
    assert.ok(hub.log.slice(from).includes(`GET bytes bytes=${fileSize - 10_000}-`))
  })
})

test('starts again if the file of the hub has changed meanwhile', async () => {
  await withSetup(async ({ hub, get, models }) => {
    Object.assign(hub.faults, { cutAt: 500_000 })
    await get()
    hub.faults.cutAt = null
    hub.setFile(createModelBytes(fileSize, 2))
    assert.is((await get()).state, 'done')
    assert.is(sha256(await readFile(models.installed()[0]?.path ?? '')), hub.sha256)
  })
})

test('starts again from a hub without ranges', async () => {
  await withSetup(async ({ hub, get }) => {
    Object.assign(hub.faults, { cutAt: 500_000, cuts: 1, noRanges: true })
    assert.is((await get()).state, 'done')
  })
})

test('transfers a damaged part again before it gives up', async () => {
  await withSetup(async ({ home, hub, get, files }) => {
    Object.assign(hub.faults, { cutAt: 500_000 })
    await get()
    const part = join(home, 'models', (await files()).find((file) => file.endsWith('.part')) ?? '')
    const bytes = await readFile(part)
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    await writeFile(part, bytes)
    hub.faults.cutAt = null
    assert.is((await get()).state, 'done')
  })
})

const leavesNothing = async (
  fault: Partial<HubStandIn['faults']>,
  reason: RegExp,
  overrides: Partial<LocalModelsDeps> = {},
) => {
  await withSetup(async ({ hub, get, files, models, home }) => {
    Object.assign(hub.faults, fault)
    const download = await get()
    assert.is(download.state, 'failed')
    assert.match(download.reason ?? '', reason)
    assert.is(models.installed().length, 0)
    assert.equal(await stat(join(home, 'models')).then(files, () => []), [])
  }, overrides)
}

test('deletes a file with a wrong byte', () => leavesNothing({ wrongByte: true }, /its SHA-256 differs/))
test('refuses HTML instead of a file', () => leavesNothing({ html: true }, /SHA-256|web page/))
test('refuses a file without a known SHA-256', () =>
  leavesNothing({ noDigest: true }, /does not report the SHA-256/))
test('refuses a model that needs a login', () => leavesNothing({ status: 401 }, /logged in \(401\)/))
test('refuses a model that does not exist', () => leavesNothing({ status: 404 }, /does not have this model/))
test('refuses a redirect that cannot be followed', () =>
  leavesNothing({ redirect: 'file:///etc/passwd' }, /redirects to file:/))
test('refuses a redirect in a circle', async () => {
  await withSetup(async ({ hub, get, files }) => {
    hub.faults.redirect = `${hub.url}/circle`
    assert.match((await get()).reason ?? '', /redirects too often/)
    assert.equal(await files(), [])
  })
})
test('checks the free space before it downloads', () =>
  leavesNothing({}, /The disk has 0\.9 GB free/, { freeBytes: async () => 0.9e9 }))

test('stops and frees the disk before it is full', async () => {
  let checks = 0
  const freeBytes = async () => {
    checks += 1
    return checks === 1 ? 100e9 : 1e6
  }
  await withSetup(
    async ({ hub, get, files }) => {
      hub.setFile(createModelBytes(70 * 1024 * 1024))
      assert.match((await get()).reason ?? '', /The disk is full\. The partial download was deleted/)
      assert.equal(await files(), [])
    },
    { freeBytes },
  )
})

test('refuses HTML behind the redirect', async () => {
  const pages = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>'),
  )
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  try {
    const redirect = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`
    await leavesNothing({ redirect }, /web page or a text instead of a model file/)
  } finally {
    pages.close()
  }
})

test('does not follow a redirect of a public hub to this machine', async () => {
  const network = createNetwork({
    env: {},
    reach: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isPublic: () => false,
    },
  })
  await withSetup(async ({ hub, open }) => {
    const { port } = new URL(hub.url)
    const models = await open({ network, hubs: { hub: `http://hub.example:${port}` } })
    models.get({ ...models.want(name, 'runtime'), owner: null })
    assert.match(
      (await models.whenFinished(name)).reason ?? '',
      /could not be reached: its address is not one of the public/,
    )
  })
  await network.close()
})

test('removes the partial file of a cancelled download, and starts the next one', async () => {
  await withSetup(async ({ hub, models, files }) => {
    hub.faults.pause = 30
    models.get({ ...models.want(name, 'runtime'), owner: null })
    const otherName = 'hf:ada/other-GGUF/other.gguf'
    models.get({ ...models.want(otherName, 'runtime'), owner: null })
    const thirdName = 'hf:ada/third-GGUF/third.gguf'
    models.get({ ...models.want(thirdName, 'runtime'), owner: null })
    while ((models.downloads()[0]?.completed ?? 0) === 0) await systemClock().wait(5)
    assert.equal(
      models.downloads().map(({ state }) => state),
      ['running', 'waiting', 'waiting'],
    )
    assert.is(models.cancel(name), true)
    assert.is(models.cancel(thirdName), true)
    assert.is((await models.whenFinished(name)).state, 'cancelled')
    assert.is((await models.whenFinished(thirdName)).state, 'cancelled')
    hub.faults.pause = 0
    assert.is((await models.whenFinished(otherName)).state, 'done')
    assert.is(
      (await files()).some((file) => file.includes('.part')),
      false,
    )
    assert.is(models.cancel(name), false)
  })
})

test('installs the runtime with the first model', async () => {
  const runtime = createRuntime()
  const { calls } = runtime
  await withSetup(
    async ({ get, changes, models }) => {
      assert.is((await get()).state, 'done')
      assert.equal(calls, ['install'])
      assert.ok(
        changes.some(
          ({ status, completed }) => status === 'installing the runtime' && completed === 30_000_000,
        ),
      )
      const path = models.resolve(name)
      await models.remove(name)
      assert.equal(calls, ['install', `unload ${path}`])
    },
    { runtime },
  )
})

test('explains that a machine cannot run model files', async () => {
  await withSetup(
    async ({ models }) => {
      assert.throws(() => models.want(name, 'runtime'), /No build exists/)
      assert.throws(() => models.want('a b', 'runtime'), /is not the name of a model/)
      assert.is(models.want('qwen3.5-4b', 'ollama').name, 'qwen3.5:4b')
    },
    { runtime: createRuntime('unsupported') },
  )
  await withSetup(async ({ models }) => assert.throws(() => models.want(name, 'runtime'), /Install Ollama/), {
    runtime: null,
  })
})

test('pulls through Ollama if it is the engine', async () => {
  const pulledModels: string[] = []
  await withSetup(
    async ({ models, hub }) => {
      const wantedModel = models.want('qwen3.5-4b', 'ollama')
      models.get({ ...wantedModel, owner: null })
      assert.is((await models.whenFinished('qwen3.5:4b')).state, 'done')
      assert.equal(pulledModels, ['qwen3.5:4b'])
      assert.equal(hub.log, [])
    },
    { pull: async (model) => void pulledModels.push(model) },
  )
})

test('remembers an unfinished download for the next start, and forgets a finished one', async () => {
  await withSetup(async ({ hub, models, open }) => {
    hub.faults.pause = 30
    models.get({ ...models.want(name, 'runtime'), owner: 'someone' })
    while ((models.downloads()[0]?.completed ?? 0) === 0) await systemClock().wait(5)
    await models.close()
    hub.faults.pause = 0
    const reopenedModels = await open()
    assert.equal(reopenedModels.pending, [{ name, engine: 'runtime', owner: 'someone' }])
    for (const pendingModel of reopenedModels.pending) reopenedModels.get(pendingModel)
    assert.is((await reopenedModels.whenFinished(name)).state, 'done')
    await reopenedModels.close()
    assert.equal((await open()).pending, [])
  })
})

/** The compiled `download-process.ts`. */
declare const DOWNLOAD_PROCESS: string

/** Resolves when the process has written some bytes of the file. */
const startDownloadProcess = async (home: string, hub: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [fileURLToPath(DOWNLOAD_PROCESS), home, hub, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of child.stdout) if (String(line).includes('begun')) break
  return child
}

test('continues after kill -9 in the middle of a download', async () => {
  await withSetup(async ({ home, hub, get, files, models }) => {
    hub.faults.pause = 50
    const child = await startDownloadProcess(home, hub.url)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const part = (await files()).find((file) => file.endsWith('.part'))
    const { size } = await stat(join(home, 'models', part ?? ''))
    assert.ok(size > 0 && size < fileSize)
    assert.is(models.installed().length, 0)

    hub.faults.pause = 0
    assert.is((await get()).state, 'done')
    assert.is(hub.log.at(-1), `GET bytes bytes=${size}-`)
    assert.is(sha256(await readFile(models.installed()[0]?.path ?? '')), hub.sha256)
  })
})

test('finds servers of other programs, and ignores those that are none', async () => {
  const answer = (body: string, type = 'application/json') =>
    createServer((request, response) => {
      if (request.url !== '/v1/models') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': type }).end(body)
    })
  const list = { object: 'list', data: [{ id: 'my-model', owned_by: 'llamacpp' }] }
  const servers = [answer(JSON.stringify(list)), answer('<html>', 'text/html'), answer('{"data":"no"}')]
  const silentServer = createServer(() => {})
  servers.push(silentServer)
  const network = createNetwork({ env: {} })
  try {
    const knownServers = []
    for (const [index, server] of servers.entries()) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      knownServers.push({ id: `server-${index}`, title: 'A server', url })
    }
    knownServers.push({ id: 'none', title: 'None', url: 'http://127.0.0.1:9' })
    const foundServers = await findServers(network, knownServers)
    assert.equal(
      foundServers.map(({ id, title, models }) => ({ id, title, models })),
      [{ id: 'server-0', title: 'llama.cpp', models: ['my-model'] }],
    )
  } finally {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    await network.close()
  }
})

test('reads a catalogue row for its licence and title', async () => {
  const bytes = createModelBytes(fileSize)
  const [first] = await loadCatalogue()
  const row = { ...first, bytes: fileSize, sha256: sha256(bytes) } as CatalogueModel
  await withSetup(
    async ({ models, get, hub }) => {
      assert.is((await get(row.id)).state, 'done')
      const [model] = models.installed()
      assert.is(model?.title, row.title)
      assert.is(model?.license, row.license)
      assert.ok(hub.log[0]?.includes(`/resolve/${row.revision}/`))
      for (const otherName of [row.id, row.ollama, `hf:${row.repo}/${row.file}`])
        assert.is(models.resolve(otherName), model?.path)
    },
    { catalogue: [row] },
  )
})

test.run()
