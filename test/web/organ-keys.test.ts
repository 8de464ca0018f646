/** Keys and model lists in the settings of a persona, with providers as stand-ins. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startDaemon } from '../daemon.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import { createOpenAi } from '../stand-ins/openai.ts'
import { seriousOn } from './accessible.ts'
import { own } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, settingsPath, wake } from './setup.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })
const shoot = (page: Page, name: string) => page.screenshot({ path: `${folder}organ-keys-${name}.png` })

const key = 'sk-proj-the-stored-one'
const mind = { thinking_model: 'gpt-5', thinking_provider: 'openai', thinking_api_key: key }

const withProviders = async (look: (url: string) => Promise<void>) => {
  const openai = await createOpenAi({
    key,
    models: ['gpt-5', 'gpt-6.1-sol', 'gpt-6-luna', 'whisper-1', 'tts-1', 'text-embedding-3-small'],
  })
  const anthropic = await createAnthropic()
  const daemon = await startDaemon({
    env: { OPENAI_BASE_URL: openai.url, ANTHROPIC_BASE_URL: anthropic.url },
  })
  try {
    await look(daemon.url)
  } finally {
    await daemon.close()
    await Promise.all([openai.close(), anthropic.close()])
  }
}

const openFold = async (page: Page, organ: string) => {
  const fold = page.locator('.organ-fold', { hasText: organ }).first()
  await fold.locator('summary').first().click()
  return fold
}

test('lists models with the stored key and gives it to another organ, without showing it', async () => {
  await withProviders(async (url) => {
    const persona = await wake(url, 'Mira', mind)
    await withPage(url + settingsPath(persona, 'organs'), async ({ page, complaints }) => {
      const replies: string[] = []
      page.on('response', async (response) => {
        if (/\/api\//.test(response.url())) replies.push(await response.text().catch(() => ''))
      })
      const form = await openFold(page, 'The language model that answers you.')
      await form.getByText('3 models are offered.').waitFor()
      const model = form.getByLabel('Model', { exact: true })
      assert.is(await model.inputValue(), 'gpt-5')
      await model.evaluate((input) => input.scrollIntoView({ block: 'center' }))
      await model.click()
      await pollAssert.equal(
        () => form.getByRole('option').locator('.model-name').allTextContents(),
        ['gpt-6.1-sol', 'gpt-5', 'gpt-6-luna'],
      )
      await pollAssert.equal(
        async () => (await form.locator('.traits').allInnerTexts()).map((text) => text.split(/\s*\n\s*/)),
        [['suggested'], [''], ['fast']],
      )
      await shoot(page, 'models')
      await page.keyboard.press('Escape')

      const ear = await openFold(page, 'Understands your voice')
      await ear.getByLabel('Where it runs').selectOption('openai')
      await ear.getByText('Leave this empty to use the same key as “Model”.').waitFor()
      await ear.getByText('One model is offered.').waitFor()
      await pollAssert.is(() => ear.getByLabel('Model', { exact: true }).inputValue(), 'whisper-1')
      const [request] = await Promise.all([
        page.waitForRequest(/\/update$/),
        ear.getByRole('button', { name: 'Add' }).click(),
      ])
      assert.equal(request.postDataJSON(), {
        ear: { model: 'whisper-1', provider: 'openai', url: '', api_key_from: 'thinking' },
      })
      await pollAssert.equal(() => organs(url), { thinking: 'openai gpt-5', ear: 'openai whisper-1' })
      assert.not.match(`${await page.content()} ${replies.join(' ')}`, /the-stored-one/)
      assert.equal(complaints, [])
    })
  })
})

test('shows each error under its field, and recognizes the key of another provider', async () => {
  await withProviders(async (url) => {
    const persona = await wake(url, 'Mira', mind)
    await withPage(url + settingsPath(persona, 'organs'), async ({ page, complaints }) => {
      const eye = await openFold(page, 'Looks at the pictures')
      const keyField = eye.getByLabel('Key')
      const alert = eye.getByRole('alert')
      await eye.getByLabel('Where it runs').selectOption('openai')
      await keyField.fill('sk-proj-a-wrong-one')
      await keyField.press('Tab')
      await alert.getByText('OpenAI does not accept this key.').waitFor()
      await pollAssert.is(() => keyField.getAttribute('aria-invalid'), 'true')
      await pollAssert.equal(() => seriousOn(page), [])

      const requests: string[] = []
      page.on('request', (request) => requests.push(request.postData() ?? ''))
      await keyField.fill(' “sk-ant-api03-abc”\n')
      await keyField.press('Tab')
      await alert.getByText('This looks like an Anthropic key.').waitFor()
      await pollAssert.is(() => keyField.inputValue(), 'sk-ant-api03-abc')
      await shoot(page, 'other-provider')
      assert.not.match(requests.join(' '), /sk-ant/, 'it was not sent to OpenAI')
      await alert.getByRole('button', { name: 'Choose Anthropic (Claude)' }).click()
      await alert.getByText('Anthropic does not accept this key.').waitFor()
      await pollAssert.is(() => eye.getByLabel('Where it runs').inputValue(), 'anthropic')

      await eye.getByLabel('Where it runs').selectOption('openai')
      await eye.getByText('3 models are offered.').waitFor()
      await pollAssert.is(() => alert.count(), 0)
      await eye.getByLabel('Model', { exact: true }).fill('gpt-of-nobody')
      await page.keyboard.press('Escape')
      await eye.getByRole('button', { name: 'Add' }).click()
      await alert.getByText('OpenAI does not know the model “gpt-of-nobody”.').waitFor()
      await pollAssert.is(() => eye.getByLabel('Model', { exact: true }).getAttribute('aria-invalid'), 'true')
      await shoot(page, 'wrong-model')
      await eye.getByLabel('Model', { exact: true }).fill('gpt-5')
      await page.keyboard.press('Escape')
      await pollAssert.is(() => alert.count(), 0)

      await eye.getByText('Another address').click()
      await eye.getByLabel('Address').fill('http://127.0.0.1:65533')
      await eye.getByLabel('Address').press('Tab')
      await alert.getByText('Nothing answers at this address.').waitFor()
      await pollAssert.is(() => eye.getByLabel('Address').getAttribute('aria-invalid'), 'true')
      assert.equal(own(complaints), [])
    })
  })
})

test('explains a refused stored key in German', async () => {
  await withProviders(async (url) => {
    const persona = await wake(url, 'Mira', {
      ...mind,
      eye_model: 'claude-sonnet-4-5',
      eye_provider: 'anthropic',
      eye_api_key: 'sk-right-key',
    })
    await withPage(
      url + settingsPath(persona, 'organs'),
      async ({ page }) => {
        const eye = await openFold(page, 'Sieht sich die Bilder an')
        await eye.getByText('2 Modelle werden angeboten.').waitFor()
        await eye.getByLabel('Schlüssel').fill('sk-ant-wrong')
        await eye.getByLabel('Schlüssel').press('Tab')
        await eye.getByRole('alert').getByText('Anthropic nimmt diesen Schlüssel nicht an.').waitFor()
        await eye.getByText('Details').click()
        await eye.getByText('did not accept the key').waitFor()
        await shoot(page, 'german')
      },
      { locale: 'de-DE' },
    )
  })
})

test.run()
