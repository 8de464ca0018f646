/** A real mind from the first screen to the talk, and the models in the settings. */

import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadCatalogue } from '../../packages/local-models/catalogue.ts'
import type { Models } from '../../packages/models/models.ts'
import { createModels } from '../../src/open-models.ts'
import { nowhereUrl, type Overrides, startDaemon } from '../daemon.ts'
import { providerUrls } from '../provider-urls.ts'
import { createHub, createModelBytes, sha256 } from '../stand-ins/hub.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { createRuntime } from '../stand-ins/runtime.ts'
import { seriousOn } from './accessible.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, post, say, wake } from './setup.ts'
import { createTalker, type Talker } from './talker.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })
const shoot = (page: Page, name: string) => page.screenshot({ path: `${folder}local-models-${name}.png` })

const downloadChoice = (page: Page) => page.getByRole('radio', { name: /\(\d.*B\)/ })
/** Starts on the first screen, with the practice model until the download has ended. */
const beginWithDownload = async (page: Page) => {
  await downloadChoice(page).check()
  await page.getByRole('button', { name: 'Talk to Mira' }).click()
}

const bytes = createModelBytes(2_000_000)
const GiB = 1024 ** 3

/** The practice mind, no Ollama, and downloaded models that answer with one sentence. */
const createMinds = (isInstalled: (model: string) => boolean, talker: Talker = {}): Models => {
  const real = createModels({ urls: providerUrls({ local: nowhereUrl }) })
  const local = createTalker({
    answer: () => 'I think for myself now.',
    calls: (words) => (words.includes('"note"') ? [{ name: 'note', input: { word: 'apple' } }] : []),
    ...talker,
  })
  const serve = (model: string) => (isInstalled(model) ? local : real)
  return {
    ...real,
    prepare: (slot, organ, ...rest) => serve(organ.model).prepare(slot, organ, ...rest),
    wrap: (organ, wrapper) => serve(organ.model).wrap(organ, wrapper),
    unwrap: (organ, wrapper) => serve(organ.model).unwrap(organ, wrapper),
    probe: (organ, ...rest) => serve(organ.model).probe(organ, ...rest),
    mind: (organ, wrapper) => serve(organ.model).mind(organ, wrapper),
    getAcceptedFiles: (organ, ...rest) => real.getAcceptedFiles(organ, ...rest),
  }
}

const createMachine = async (overrides: Overrides = {}) => {
  const hub = await createHub(bytes)
  const catalogue = (await loadCatalogue()).map((model) => ({
    ...model,
    bytes: bytes.length,
    sha256: sha256(bytes),
  }))
  const daemon = await startDaemon({
    models: createMinds((model) => model.startsWith('qwen3.5-')),
    memory: 8 * GiB,
    localModels: {
      runtime: createRuntime(),
      catalogue,
      hubs: { hub: hub.url, registry: hub.url },
      freeBytes: async () => 100e9,
      knownServers: [],
    },
    ...overrides,
  })
  return { hub, daemon, close: () => Promise.all([daemon.close(), hub.close()]) }
}

test('downloads a real mind while the practice mind answers, and switches in the same talk', async () => {
  const { hub, daemon, close } = await createMachine()
  hub.faults.pause = 150
  try {
    await withPage(daemon.url, async ({ page, complaints }) => {
      await downloadChoice(page).waitFor()
      await shoot(page, 'first')
      assert.equal(await seriousOn(page), [])
      await beginWithDownload(page)

      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      await page.getByText('qwen3.5-4b is being downloaded.').waitFor()
      await say(page, 'Hello, my name is Ines.')
      await page.locator('[role=log] .hers').getByText('Nice to meet you, Ines.').waitFor()
      await page.getByText(/Downloading · .* of 2\sMB/).waitFor()
      await shoot(page, 'progress')
      assert.equal(await seriousOn(page), [])

      hub.faults.pause = 0
      await page
        .locator('[role=log]')
        .getByText('Mira now thinks with qwen3.5-4b, which runs on this machine and can use tools.')
        .waitFor()
      await pollAssert.is(() => page.getByText('is being downloaded').count(), 0)
      await say(page, 'And now?')
      await page.locator('[role=log] .hers').getByText('I think for myself now.').waitFor()
      await shoot(page, 'switched')
      assert.is((await organs(daemon.url)).thinking, 'local qwen3.5-4b')
      assert.equal(complaints, [])
    })
  } finally {
    await close()
  }
})

test('cancels a download in the talk, and offers it again', async () => {
  const { hub, daemon, close } = await createMachine()
  hub.faults.pause = 300
  try {
    const mira = await wake(daemon.url, 'Mira')
    await withPage(daemon.url + mira.room, async ({ page }) => {
      const offer = page.getByRole('button', { name: /^Get a real model/ })
      await offer.waitFor()
      await shoot(page, 'offer')
      await offer.click()
      await page.getByRole('button', { name: 'Cancel the download of qwen3.5-4b' }).click()
      await offer.waitFor()
      await pollAssert.is(() => page.getByRole('progressbar').count(), 0)
    })
  } finally {
    await close()
  }
})

test('shows the reason of a failed download', async () => {
  const { hub, daemon, close } = await createMachine()
  hub.faults.wrongByte = true
  try {
    const mira = await wake(daemon.url, 'Mira')
    await withPage(daemon.url + mira.room, async ({ page }) => {
      await page.getByRole('button', { name: /^Get a real model/ }).click()
      await page.getByRole('alert').getByText('its SHA-256 differs').waitFor()
      await page.getByRole('button', { name: /^Get a real model/ }).waitFor()
    })
  } finally {
    await close()
  }
})

test('tests a new model first, keeps the practice mind if it does not work, and tries again', async () => {
  let words = ''
  const { daemon, close } = await createMachine({
    models: createMinds((model) => model.startsWith('qwen3.5-'), { answer: () => words, pause: 20 }),
  })
  try {
    await withPage(daemon.url, async ({ page, complaints }) => {
      await beginWithDownload(page)
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      const alert = page.getByRole('alert')
      await alert.getByText(/^qwen3\.5-4b does not work here\. Mira keeps the practice model\./).waitFor()
      await page
        .locator('[role=log]')
        .getByText(/does not work here, so Mira keeps the practice model/)
        .waitFor()
      await shoot(page, 'does-not-work')
      assert.equal(await seriousOn(page), [])
      assert.is((await organs(daemon.url)).thinking, 'local embedded/practice')
      await page.getByRole('link', { name: 'Choose another model' }).click()
      await page.waitForURL(/\/settings#models$/)
      await page.locator('#models:focus').waitFor()
      await page.getByRole('region', { name: 'Models' }).waitFor()
      await page.goBack()

      words = 'one two three four five'
      await page.getByRole('button', { name: 'Try again' }).click()
      await page
        .locator('[role=log]')
        .getByText(/runs on this machine and can use tools/)
        .waitFor()
      await pollAssert.is(() => alert.count(), 0)
      assert.is((await organs(daemon.url)).thinking, 'local qwen3.5-4b')
      assert.equal(complaints, [])
    })
  } finally {
    await close()
  }
})

test('tests the Mind of a persona in its row, and shows the last result there', async () => {
  const { daemon, close } = await createMachine({
    models: createTalker({ calls: () => [] }),
  })
  try {
    const mia = await wake(daemon.url, 'Mia', { thinking_model: 'talker' })
    await withPage(`${daemon.url}/persona/${mia.id}/settings#organs`, async ({ page }) => {
      const section = page.getByRole('region', { name: 'Abilities' })
      await section.getByText('Model', { exact: true }).first().click()
      await section.getByText('Not tested yet.').waitFor()
      await section.getByRole('button', { name: 'Test this model' }).click()
      await section
        .getByText(/^Tested .*: It can talk but not use tools, so it learns only when it goes over the day\./)
        .waitFor()
      await shoot(page, 'organ')
      assert.equal(await seriousOn(page), [])
      await page.reload()
      await section.getByText('Model', { exact: true }).first().click()
      await section.getByText(/^Tested .*: It can talk but not use tools/).waitFor()
    })
  } finally {
    await close()
  }
})

test('pulls through Ollama if it answers without models', async () => {
  const ollama = await createOllama({ models: [] })
  const { daemon, close } = await createMachine({
    models: createModels({ urls: providerUrls({ local: ollama.url }) }),
  })
  try {
    await withPage(daemon.url, async ({ page }) => {
      await beginWithDownload(page)
      await page
        .locator('[role=log]')
        .getByText('Mira now thinks with qwen3.5:4b, which runs on this machine')
        .waitFor()
      assert.ok(ollama.models.has('qwen3.5:4b'))
    })
  } finally {
    await close()
    await ollama.close()
  }
})

test('offers no download if nothing here can run a model', async () => {
  const { daemon, close } = await createMachine({ localModels: { runtime: null, knownServers: [] } })
  try {
    await withPage(daemon.url, async ({ page }) => {
      await page.getByRole('radio', { name: 'Practice model' }).waitFor()
      assert.is(await downloadChoice(page).count(), 0)
    })
  } finally {
    await close()
  }
})

test('offers the models of a server of another program', async () => {
  const list = { object: 'list', data: [{ id: 'my-model' }] }
  const studio = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list)),
  )
  await new Promise<void>((resolve) => studio.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(studio.address() as AddressInfo).port}`
  const { daemon, close } = await createMachine({
    models: createTalker(),
    localModels: { runtime: createRuntime(), knownServers: [{ id: 'lm-studio', title: 'LM Studio', url }] },
  })
  try {
    await withPage(daemon.url, async ({ page }) => {
      const choice = page.getByRole('radio', { name: 'my-model In LM Studio, on this machine.' })
      await choice.waitFor()
      await shoot(page, 'servers')
      assert.is(await downloadChoice(page).count(), 0)
      await choice.check()
      await page.getByRole('button', { name: 'Talk to Mira' }).click()
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      assert.is((await organs(daemon.url)).thinking, 'openai my-model')
    })
  } finally {
    await close()
    studio.close()
    studio.closeAllConnections()
  }
})

test('lists installed models with size and users in the settings, downloads and removes one', async () => {
  const { daemon, close } = await createMachine({
    models: createMinds((model) => model.startsWith('qwen3.5-'), { calls: () => [] }),
  })
  try {
    await post(daemon.url, '/api/local-models', { name: 'qwen3.5-4b' })
    await pollAssert.ok(async () => {
      const response = await fetch(`${daemon.url}/api/local-models`)
      return ((await response.json()) as { installed: readonly unknown[] }).installed.length === 1
    })
    const mia = await wake(daemon.url, 'Mia', { thinking_model: 'qwen3.5-4b' })
    await withPage(`${daemon.url}/persona/${mia.id}/settings#models`, async ({ page, complaints }) => {
      const section = page.getByRole('region', { name: 'Models' })
      await section.getByText(/^2\sMB · in Daimon · used by Mia$/).waitFor()
      const removeUsed = section.getByRole('button', { name: 'Remove Qwen3.5 4B' })
      await pollAssert.is(() => removeUsed.getAttribute('aria-disabled'), 'true')

      await section.getByRole('button', { name: 'Test Qwen3.5 4B' }).click()
      await section.getByText(/^It can talk but not use tools,/).waitFor()
      await section.getByText('The model did not use the tool that it was told to use.').waitFor()
      await shoot(page, 'tested')

      await section.getByRole('button', { name: 'Download Qwen3.5 2B' }).click()
      const remove = section.getByRole('button', { name: 'Remove Qwen3.5 2B' })
      await remove.waitFor()
      await shoot(page, 'settings')
      assert.equal(await seriousOn(page), [])
      await section.getByLabel('Graphics card').selectOption('vulkan')
      await pollAssert.ok(async () => {
        const response = await fetch(`${daemon.url}/api/local-models`)
        const { runtime } = (await response.json()) as { runtime: { gpu: string } }
        return runtime.gpu === 'vulkan'
      })
      await remove.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
      await section.getByText('Removed.').waitFor()
      await section.getByRole('button', { name: 'Download Qwen3.5 2B' }).waitFor()
      assert.equal(complaints, [])
    })
  } finally {
    await close()
  }
})

test('speaks German, and greets in German', async () => {
  const { daemon, close } = await createMachine({ env: { DAIMON_GREETING: 'on' } })
  try {
    await withPage(
      daemon.url,
      async ({ page }) => {
        await downloadChoice(page).waitFor()
        await page.setViewportSize({ width: 360, height: 740 })
        await shoot(page, 'german')
        await page.getByRole('button', { name: 'Mit Mira sprechen' }).click()
        await page
          .locator('[role=log] .hers')
          .getByText('Hallo. Ich bin Mira. Ich habe heute nichts anderes vor,')
          .waitFor()
        await page.getByRole('button', { name: /^Ein echtes Modell laden/ }).waitFor()
        await say(page, 'ich bin ines')
        await page.locator('[role=log] .hers').getByText('Schön, dich kennenzulernen, Ines!').waitFor()
        await shoot(page, 'german-talk')
      },
      { locale: 'de-DE' },
    )
  } finally {
    await close()
  }
})

test.run()
