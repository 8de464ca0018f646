import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cardPng } from '../../packages/history-import/test/made-forms.ts'
import { startDaemon } from '../daemon.ts'
import { createAnthropic } from '../stand-ins/anthropic.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { seriousOn } from './accessible.ts'
import { waitForFocus } from './axe.ts'
import { closeBrowser, handleFirst, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, say, typeText, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })
const shoot = (page: Page, name: string) => page.screenshot({ path: `${folder}first-run-${name}.png` })

test('creates a persona with the practice model, which answers', async () => {
  const daemon = await startDaemon()
  try {
    await withPage(daemon.url, async ({ page }) => {
      await page.getByRole('heading', { name: 'Who would you like to meet?' }).waitFor()
      await pollAssert.match(() => page.locator('main').innerText(), /does not really understand/)
      await page.getByRole('button', { name: 'Talk to Mira' }).click()

      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      assert.match(page.url(), /\/persona\/[^/]+\/talk$/)
      await pollAssert.is(() => page.title(), 'Mira · Daimon')
      await page.locator('[role=log] .hers').getByText('I am Mira.').waitFor()
      await say(page, 'Hello, my name is Ines.')
      await page.locator('[role=log] .mine').getByText('Hello, my name is Ines.').waitFor()
      await page.locator('[role=log] .hers').getByText('Nice to meet you, Ines.').waitFor()
    })
  } finally {
    await daemon.close()
  }
})

test('requires a name and a Mind, and explains errors', async () => {
  const daemon = await startDaemon()
  try {
    await withPage(`${daemon.url}/new`, async ({ page }) => {
      const mind = page.getByRole('group', { name: 'Model' })
      await page.getByText('No program that runs models was found on this machine.').waitFor()
      await page.getByRole('button', { name: /^Create/ }).click()
      await pollAssert.is(() => page.getByRole('alert').innerText(), 'Please enter a name.')
      await pollAssert.is(() => page.getByLabel('Name').getAttribute('aria-invalid'), 'true')

      await page.getByLabel('Name').fill('Ada')
      await pollAssert.is(() => page.getByRole('alert').count(), 0)
      await pollAssert.is(() => page.getByLabel('Name').getAttribute('aria-invalid'), null)
      await mind.getByLabel('Model', { exact: true }).fill('')
      await page.getByRole('button', { name: /^Create/ }).click()
      await page.getByRole('alert').getByText('Please choose a model').waitFor()
      await pollAssert.is(
        () => mind.getByLabel('Model', { exact: true }).getAttribute('aria-invalid'),
        'true',
      )
      await mind.getByLabel('Model', { exact: true }).fill('embedded/nobody')
      await page.getByRole('button', { name: /^Create/ }).click()
      await mind.getByRole('alert').getByText('no model “embedded/nobody” on this machine').waitFor()
      await mind.getByText('Details').click()
      await mind.getByText('There is: embedded/practice.').waitFor()

      await mind.getByLabel('Model', { exact: true }).fill('embedded/practice')
      await page.getByRole('button', { name: /^Create/ }).click()
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
    })
  } finally {
    await daemon.close()
  }
})

test('offers the models of the local runtime, and downloads a missing one with visible progress', async () => {
  const ollama = await createOllama({ models: ['llama3:latest', 'qwen3:8b'] })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    await withPage(`${daemon.url}/new`, async ({ page }) => {
      const model = page.getByRole('group', { name: 'Model' }).getByLabel('Model', { exact: true })
      const options = page.getByRole('listbox').getByRole('option')
      const names = options.locator('.model-name')
      await page.getByText('2 models are installed on this machine.').waitFor()
      // The practice model is not preselected if there is a better one.
      await pollAssert.is(() => model.inputValue(), 'llama3:latest')
      await model.press('ArrowDown')
      await options.first().waitFor()
      await pollAssert.equal(
        () => names.allTextContents(),
        ['llama3:latest', 'qwen3:8b', 'embedded/practice'],
      )
      await pollAssert.equal(
        async () => (await options.locator('.traits').allInnerTexts()).map((text) => text.trim()),
        ['fits this machine', 'fits this machine', 'practice model, always available'],
      )
      await model.fill('qw')
      await pollAssert.equal(() => names.allTextContents(), ['qwen3:8b'])
      await model.press('ArrowDown')
      await model.press('Enter')
      await pollAssert.is(() => model.inputValue(), 'qwen3:8b')
      await pollAssert.is(() => options.count(), 0)
      await pollAssert.is(() => page.getByRole('alert').count(), 0)

      await page.getByLabel('Name').fill('Ada')
      await model.fill('gemma3:4b')
      await page.evaluate(watch)
      await page.getByRole('button', { name: /^Create/ }).click()
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
      await pollAssert.ok(async () =>
        (await page.evaluate<string[]>('window.seen')).includes('gemma3:4b: 40 % downloaded'),
      )
    })
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

/** Records every message about a download, even if it is visible only briefly. */
const watch = `window.seen = []
  new MutationObserver(() => seen.push(document.querySelector('.fetch').innerText.trim())).observe(document.querySelector('.fetch'), { subtree: true, childList: true, characterData: true })`

// Verified to fail if the Mind's key is used for any address.
test("loads a provider's models with a key, explains a refused key, and uses the key for other organs", async () => {
  const anthropic = await createAnthropic()
  const daemon = await startDaemon({ env: { ANTHROPIC_BASE_URL: anthropic.url } })
  try {
    await withPage(`${daemon.url}/new`, async ({ page, origins }) => {
      const mind = page.getByRole('group', { name: 'Model' })
      await page.getByLabel('Name').fill('Ada')
      await mind.getByLabel('Where it runs').selectOption('anthropic')
      await mind.getByRole('link', { name: 'Get a key' }).waitFor()
      await pollAssert.is(() => mind.locator('.trouble').count(), 0)
      await mind.getByLabel('Key').fill('sk-wrong-key')
      await mind.getByLabel('Key').press('Tab')
      await mind.getByRole('alert').getByText('Anthropic does not accept this key.').waitFor()
      await pollAssert.is(() => mind.getByLabel('Key').getAttribute('aria-invalid'), 'true')
      await shoot(page, 'wrong-key')
      await mind.getByLabel('Key').fill('  "sk-right-key"\t')
      await mind.getByLabel('Key').press('Tab')
      await mind.getByText('2 models are offered.').waitFor()
      await pollAssert.is(() => mind.getByLabel('Key').inputValue(), 'sk-right-key')
      await pollAssert.is(() => mind.getByRole('alert').count(), 0)
      await pollAssert.is(() => mind.getByLabel('Model', { exact: true }).inputValue(), 'claude-sonnet-4-5')
      await mind.getByLabel('Model', { exact: true }).click()
      await page.getByRole('option', { name: 'claude-haiku-4-5' }).click()

      await page.getByText('Other abilities').click()
      for (const [organ, houses] of Object.entries(hosts)) {
        await page.locator('summary').getByText(organ, { exact: true }).click()
        const providerSelect = page.getByRole('group', { name: organ }).getByLabel('Where it runs')
        await pollAssert.equal(
          () =>
            providerSelect
              .locator('option')
              .evaluateAll((all) => all.map((option) => option.getAttribute('value'))),
          ['', ...houses],
        )
      }
      const eye = page.getByRole('group', { name: 'Image reading' })
      await eye.getByLabel('Where it runs').selectOption('anthropic')
      await eye.getByText('2 models are offered.').waitFor()
      await eye.getByText('Leave this empty to use the same key as “Model”.').waitFor()
      // The Mind's key is not sent to another address.
      await eye.getByText('Another address').click()
      await eye.getByLabel('Address').fill('http://127.0.0.1:9')
      const [request] = await Promise.all([
        page.waitForRequest('**/api/models'),
        eye.getByLabel('Address').press('Tab'),
      ])
      assert.is(request.postDataJSON().api_key, '')
      await eye.getByRole('alert').getByText('There is no model server at this address.').waitFor()
      await eye.getByLabel('Address').fill('')
      await eye.getByLabel('Model', { exact: true }).fill('')
      await page.getByRole('button', { name: /^Create/ }).click()
      await page.getByRole('alert').getByText('Image reading').waitFor()
      await eye.getByLabel('Model', { exact: true }).fill('claude-sonnet-4-5')
      const [creation] = await Promise.all([
        page.waitForRequest('**/api/persona/create'),
        page.getByRole('button', { name: /^Create/ }).click(),
      ])
      const { eye_api_key, eye_api_key_from } = creation.postDataJSON()
      assert.equal([eye_api_key, eye_api_key_from], [undefined, 'thinking'])
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
      await pollAssert.equal(() => organs(daemon.url), {
        thinking: 'anthropic claude-haiku-4-5',
        eye: 'anthropic claude-sonnet-4-5',
      })
      assert.equal([...origins], [daemon.url])
    })
  } finally {
    await daemon.close()
    await anthropic.close()
  }
})

/** The providers of each organ, by their values in the list. */
const hosts = {
  'Image reading': ['local', 'anthropic', 'openai', 'gemini', 'xai'],
  Hearing: ['local', 'openai', 'gemini'],
  Voice: ['local', 'openai', 'gemini'],
  Drawing: ['local', 'openai', 'gemini', 'xai'],
  Advice: ['local', 'anthropic', 'openai', 'gemini', 'xai'],
  Research: ['local', 'anthropic', 'openai', 'gemini', 'xai'],
}

test('shows a persona that another client created', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, tab }) => {
      await page.getByRole('heading', { name: 'Who would you like to meet?' }).waitFor()
      const otherPage = await tab('/')
      await otherPage.getByRole('button', { name: 'Talk to Mira' }).click()
      await page.getByRole('link', { name: 'Mira, active' }).waitFor()
    })
  })
})

test('begins with the practice model if there is no other', async () => {
  const daemon = await startDaemon()
  try {
    await withPage(daemon.url, async ({ page, complaints }) => {
      await pollAssert.ok(() => page.getByRole('radio', { name: /^Practice model/ }).isChecked())
      await waitForFocus(page)
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByRole('link', { name: /^With a key of Anthropic/ }).click()
      await page.getByText('No program that runs models was found on this machine.').waitFor()
      await pollAssert.is(() => page.getByLabel('Model', { exact: true }).inputValue(), 'embedded/practice')
      await pollAssert.equal(() => seriousOn(page), [])
      assert.equal(complaints, [])
    })
  } finally {
    await daemon.close()
  }
})

test('prefers an installed model, and offers the others and the practice model', async () => {
  const ollama = await createOllama({ models: ['qwen3:8b'] })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    await withPage(daemon.url, async ({ page, complaints }) => {
      const model = page.getByRole('radio', { name: /^qwen3:8b .*fits this machine/ })
      await pollAssert.ok(() => model.isChecked())
      await page.getByRole('radio', { name: /^Practice model/ }).waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByRole('button', { name: 'Talk to Mira' }).click()
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      await pollAssert.equal(() => organs(daemon.url), { thinking: 'local qwen3:8b' })
      assert.equal(complaints, [])
    })
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

test('begins with a character that greets, and offers messages that fit it', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints }) => {
      await page.getByRole('radio', { name: /^Arne/ }).check({ force: true })
      await page.getByRole('button', { name: 'Talk to Arne' }).click()
      await page.locator('[role=log] .hers').getByText('I am Arne.').waitFor()
      const starters = page.getByRole('list', { name: 'Ways to begin' }).getByRole('button')
      await pollAssert.is(() => starters.count(), 4)
      await pollAssert.equal(() => seriousOn(page), [])
      await starters.getByText('There is something I keep putting off.').click()
      await page.locator('[role=log] .mine').getByText('There is something I keep putting off.').waitFor()
      await pollAssert.is(() => starters.count(), 0)
      await page.locator('[role=log] .hers').getByText('I hear you.').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('begins with a character card, whose picture becomes the portrait', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page }) => {
      const data = { name: 'Vera', description: 'A retired sailor.', first_mes: 'Ahoy!', personality: '' }
      const buffer = cardPng({ spec: 'chara_card_v2', spec_version: '2.0', data })
      await page.getByLabel('From a card').setInputFiles({ name: 'vera.png', mimeType: 'image/png', buffer })
      await page.getByRole('button', { name: 'Talk to Vera' }).click()
      await page.locator('[role=log] .hers').getByText('Ahoy!').waitFor()
      await page.locator('.room-head img.face').waitFor()
      await page.locator('a.row img.face').waitFor()
    })
  })
})

test('saves the first statements, and keeps those that failed', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await page.getByLabel('Name').fill('Ada')
      await page.getByText('One model is installed on this machine.').waitFor()
      await page.getByText('Who they are, and who you are').click()
      await page.getByLabel('How should they be?').fill('Warm.\n\n- Brief.')
      await page.getByLabel('What should they know about you?').fill('I am Ines.')
      const full = { status: 500, json: { detail: 'JournalUnavailable: the disk is full.' } }
      await handleFirst(page, '**/memories', 2, (route) => route.fulfill(full))
      await page.getByRole('button', { name: 'Create Ada' }).click()
      await page.getByRole('alert').getByText('the disk is full').waitFor()
      await page.getByRole('button', { name: 'Save it again' }).click()
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()

      const { personas } = (await (await fetch(`${url}/api/personas`)).json()) as {
        personas: readonly { readonly id: string }[]
      }
      assert.is(personas.length, 1)
      const { memories } = (await (await fetch(`${url}/api/persona/${personas[0]?.id}/memories`)).json()) as {
        memories: readonly { document: string; text: string }[]
      }
      assert.equal(memories.map(({ document, text }) => `${document} ${text}`).sort(), [
        'person I am Ines.',
        'persona-trait Brief.',
        'persona-trait Warm.',
      ])
    })
  })
})

test('creates a persona and starts talking by keyboard', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints }) => {
      const press = async (name: string) => {
        for (let steps = 0; !(await getFocused(page)).startsWith(name); steps += 1) {
          assert.ok(steps < 30, `${name} is not reached`)
          await page.keyboard.press('Tab')
        }
        await page.keyboard.press('Enter')
      }
      await page.getByRole('button', { name: 'Talk to Mira' }).waitFor()
      await press('Your own')
      await page.getByText('One model is installed on this machine.').waitFor()
      await typeText(page, 'Ada')
      await press('Create Ada')
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      await typeText(page, 'Typed without a mouse')
      await page.keyboard.press('Enter')
      await page.getByRole('log').getByText('I hear you.').waitFor()
      assert.equal(complaints, [])
    })
  })
})

const getFocused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()')

test('opens the talk of a single persona, with a link to the list', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url, async ({ page }) => {
      await page.waitForURL(url + persona.room)
      await page.getByRole('textbox', { name: 'Write to Mira' }).waitFor()
      await page.getByRole('link', { name: 'Daimon', exact: true }).click()
      await page.getByRole('heading', { name: 'Mira is here.' }).waitFor()
      await waitForFocus(page)
      await wake(url, 'Ada')
      await page.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      await page.goBack()
      await page.getByRole('textbox', { name: 'Write to Mira' }).waitFor()
    })
  })
})

test('sends a bot token, and marks a refused one', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await page.getByLabel('Name').fill('Ada')
      await page.getByText('One model is installed on this machine.').waitFor()
      await page.getByText('Channels', { exact: true }).click()
      await page.getByLabel('Telegram: the bot’s token').fill('12:wrong')
      await page.getByText('Channels', { exact: true }).click()
      const refusedReply = { status: 400, json: { detail: 'Telegram validation failed: Unauthorized' } }
      await page.route('**/create', (route) => route.fulfill(refusedReply))
      const [sent] = await Promise.all([
        page.waitForRequest('**/create'),
        page.getByRole('button', { name: 'Create Ada' }).click(),
      ])
      assert.is(sent.postDataJSON().telegram_token, '12:wrong')
      await page.getByRole('alert').getByText('Telegram validation failed').waitFor()
      const token = page.getByLabel('Telegram: the bot’s token')
      await pollAssert.is(() => token.getAttribute('aria-invalid'), 'true')
      await pollAssert.is(() => page.evaluate('document.activeElement.name'), 'telegram')
    })
  })
})

test.run()
