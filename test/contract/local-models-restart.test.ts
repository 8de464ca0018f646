/** A daemon that stops during a download continues it after the next start, and then switches the Mind. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { createHub, createModelBytes } from '../stand-ins/hub.ts'
import { createRuntime } from '../stand-ins/runtime.ts'

test('continues a download after a restart, and then gives the model to the persona', async () => {
  const size = 600_000
  const hub = await createHub(createModelBytes(size))
  const home = await tempHome()
  const start = () =>
    startDaemon({
      home,
      models: standIn(),
      localModels: {
        runtime: createRuntime('ready'),
        hubs: { hub: hub.url },
        freeBytes: async () => 100e9,
        knownServers: [],
      },
    })
  const name = 'hf:ada/tiny/tiny.gguf'
  try {
    hub.faults.pause = 60
    const first = await start()
    const creation = await call(first.url, 'POST', '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    const { id } = creation.body.persona
    const request = { name, engine: 'runtime', persona_id: id }
    assert.is((await call(first.url, 'POST', '/api/local-models', request)).status, 200)
    await waitFor('the first bytes', async () => {
      const { downloads } = (await call(first.url, 'GET', '/api/local-models')).body
      return downloads[0].completed > 0
    })
    await first.close()

    hub.faults.pause = 0
    const second = await start()
    await waitFor('the new Mind', async () => {
      const { personas } = (await call(second.url, 'GET', '/api/personas')).body
      return personas[0].base_model === name
    })
    const ranges = hub.log.filter((line) => line.startsWith('GET bytes'))
    assert.is(ranges.length, 2)
    assert.is(ranges[1] === 'GET bytes bytes=0-', false)
    await second.close()
  } finally {
    await hub.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
