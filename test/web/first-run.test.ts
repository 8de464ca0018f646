import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startDaemon } from '../daemon.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { closeBrowser, withPage } from './browser.ts'
import { say, withDaemon } from './house.ts'

test.after(closeBrowser)

test('one press wakes someone on the practice mind, who answers what is typed', async () => {
  const daemon = await startDaemon()
  try {
    await withPage(daemon.url, async ({ page }) => {
      await page.getByRole('heading', { name: 'Nobody lives here yet.' }).waitFor()
      assert.match(await page.locator('main').innerText(), /practice mind: a small stand-in/)
      await page.getByRole('button', { name: 'Try it now' }).click()

      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      assert.match(page.url(), /\/persona\/[^/]+\/talk$/)
      assert.is(await page.title(), 'Mira · Daimon')
      await say(page, 'Hello, my name is Ines.')
      await page.locator('[role=log] .mine').getByText('Hello, my name is Ines.').waitFor()
      await page.locator('[role=log] .mine ~ .hers .words').first().waitFor()
    })
  } finally {
    await daemon.close()
  }
})

test('a name and a mind are asked for, and what is wrong with them is said in words', async () => {
  const daemon = await startDaemon()
  try {
    await withPage(`${daemon.url}/new`, async ({ page }) => {
      await page.getByText('No model runtime answers on this machine.').waitFor()
      await page.getByRole('button', { name: 'Wake her' }).click()
      assert.is(await page.getByRole('alert').innerText(), 'She needs a name.')
      assert.is(await page.getByLabel('Name').getAttribute('aria-invalid'), 'true')

      await page.getByLabel('Name').fill('Ada')
      await page.getByLabel('Mind').fill('embedded/nobody')
      await page.getByRole('button', { name: 'Wake her' }).click()
      await page.getByRole('alert').getByText('embedded/nobody').waitFor()

      await page.getByLabel('Mind').fill('embedded/practice')
      await page.getByRole('button', { name: 'Wake her' }).click()
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
    })
  } finally {
    await daemon.close()
  }
})

test('the models of a runtime on this machine are suggested', async () => {
  const ollama = await createOllama({ models: ['llama3:latest', 'qwen3:8b'] })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    await withPage(`${daemon.url}/new`, async ({ page }) => {
      await page.getByText('2 models are installed on this machine.').waitFor()
      const offered = await page.locator('datalist option').evaluateAll((options) => options.map((option) => option.getAttribute('value')))
      assert.equal(offered, ['llama3:latest', 'qwen3:8b', 'embedded/practice'])
    })
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

test('whoever is woken elsewhere appears by herself', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, tab }) => {
      await page.getByRole('heading', { name: 'Nobody lives here yet.' }).waitFor()
      const other = await tab('/')
      await other.getByRole('button', { name: 'Try it now' }).click()
      await page.getByRole('link', { name: 'Mira, awake' }).waitFor()
    })
  })
})

test.run()
