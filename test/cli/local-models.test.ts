/** `daimon models` and its subcommands against a daemon with a stand-in hub. */
import { execFile } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadCatalogue } from '../../packages/local-models/catalogue.ts'
import { call } from '../calls.ts'
import { nowhereUrl, startDaemon } from '../daemon.ts'
import { mainFile } from '../process/daemon.ts'
import { createHub, createModelBytes, sha256 } from '../stand-ins/hub.ts'
import { createRuntime } from '../stand-ins/runtime.ts'

const bytes = createModelBytes(500_000)
const hub = await createHub(bytes)
const daemon = await startDaemon({
  memory: 16 * 1024 ** 3,
  localModels: {
    runtime: createRuntime(),
    catalogue: (await loadCatalogue()).map((model) => ({
      ...model,
      bytes: bytes.length,
      sha256: sha256(bytes),
    })),
    hubs: { hub: hub.url, registry: hub.url },
    freeBytes: async () => 100e9,
    knownServers: [],
  },
})
test.after(async () => {
  await daemon.close()
  await hub.close()
})

const daimon = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; err: string }>((resolve) => {
    const env = { ...process.env, DAIMON_URL: daemon.url, OLLAMA_BASE_URL: nowhereUrl, NO_COLOR: '1' }
    execFile(process.execPath, [mainFile, ...args], { env }, (error, stdout, err) =>
      resolve({ code: error ? Number(error.code) : 0, stdout: stdout, err }),
    )
  })

test('lists what can be downloaded, downloads with progress, lists and removes', async () => {
  const modelsBefore = await daimon('models')
  assert.is(modelsBefore.code, 0, modelsBefore.err)
  assert.match(modelsBefore.stdout, /^no model on this machine yet\n/)
  assert.match(modelsBefore.stdout, /^qwen3\.5-9b +0\.0 GB +Apache-2\.0 +suggested for this machine$/m)
  assert.match((await daimon('doctor')).stdout, /own runtime +not installed: `daimon models get qwen3\.5-9b`/)

  const downloadReply = await daimon('models', 'get', 'qwen3.5-4b')
  assert.is(downloadReply.code, 0, downloadReply.err)
  assert.is(downloadReply.stdout, 'qwen3.5-4b is ready\n')
  assert.match(downloadReply.err, /^qwen3\.5-4b: installing the runtime/m)
  assert.match(downloadReply.err, /^qwen3\.5-4b: downloading/m)

  const modelsAfter = await daimon('models')
  assert.match(modelsAfter.stdout, /^qwen3\.5-4b +0\.0 GB +Daimon +not used$/m)
  assert.match((await daimon('doctor')).stdout, /own runtime +version 3\.21\.1, qwen3\.5-4b/)
  const { installed } = JSON.parse((await daimon('--json', 'models')).stdout) as {
    installed: readonly { name: string }[]
  }
  assert.is(installed[0]?.name, 'qwen3.5-4b')

  const testReply = await daimon('models', 'test', 'embedded/practice')
  assert.is(testReply.code, 0, testReply.err)
  assert.match(testReply.stdout, /^embedded\/practice talks, /)
  assert.is((await daimon('models', 'test', 'nothing-here')).code, 1)

  const fields = { name: 'Ada', thinking_model: 'embedded/practice' }
  const { persona } = (await call(daemon.url, 'POST', '/api/persona/create', fields)).body
  assert.match((await daimon('models', 'test', '--for', 'Ada')).stdout, /^its Mind talks, /)
  assert.is((await daimon('models', 'test')).code, 2)
  const journal = await fetch(`${daemon.url}/api/persona/${persona.id}/journal?type=MindTested`)
  assert.match(await journal.text(), /embedded\/practice/)

  assert.is((await daimon('models', 'remove', 'qwen3.5-4b')).stdout, 'qwen3.5-4b is removed\n')
  const removeReply = await daimon('models', 'remove', 'qwen3.5-4b')
  assert.is(removeReply.code, 1)
  assert.match(removeReply.err, /"qwen3\.5-4b" is not installed/)
})

test('reports a failed download and an unknown name in one line', async () => {
  hub.faults.wrongByte = true
  const wrong = await daimon('models', 'get', 'hf:ada/tiny/tiny.gguf')
  hub.faults.wrongByte = false
  assert.is(wrong.code, 1)
  assert.match(wrong.err, /^daimon: .*its SHA-256 differs.*$/m)
  assert.match((await daimon('models', 'get', '../x')).err, /is not the name of a model/)
  assert.is((await daimon('models', 'cancel', 'qwen3.5-4b')).code, 4)
})

test.run()
