/** The instructions room: built-in and learned instructions. */
import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../clock.ts'
import { heardSeqs, livedHome, nowIso } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const room = '/persona/ada/instructions'

const withAda = async (look: (url: string) => Promise<void>) => {
  const home = await livedHome()
  try {
    const clock = createFakeClock(nowIso, 'Europe/Berlin')
    await withDaemon(({ url }) => look(url), { home, clock })
  } finally {
    await rm(home, { recursive: true })
  }
}

const lesson = (page: Page, title: string) => page.locator('.lesson', { hasText: title })
const loadLearned = async (url: string): Promise<readonly string[]> => {
  const { instruction } = (await (await fetch(`${url}/api/persona/ada/knowledge`)).json()) as {
    instruction: readonly { readonly source: string; readonly body: string }[]
  }
  return instruction.filter(({ source }) => source === 'custom').map(({ body }) => body)
}

test('lists learned instructions before built-in ones', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page, complaints }) => {
      await lesson(page, 'a recipe').getByText('Give weights in grams, and say for how many it is.').waitFor()
      await lesson(page, 'a recipe').getByText('The previous text').click()
      await lesson(page, 'a recipe').getByText('Give weights in grams.', { exact: true }).waitFor()
      await page.getByText('reminders and plans').click()
      await page.getByText('A reminder needs a time and a content').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('removes and restores a learned instruction in every tab', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page, tab, complaints }) => {
      const otherPage = await tab(room)
      await lesson(otherPage, 'bad news').waitFor()
      await page.getByRole('button', { name: 'Remove: bad news' }).press('Enter')
      await page.locator('.lesson').getByText('Removed.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.textContent.trim()'), 'Undo')
      await otherPage.getByText('Removed (2)').waitFor()
      await pollAssert.equal(() => loadLearned(url), ['Give weights in grams, and say for how many it is.'])
      await page.keyboard.press('Enter')
      await otherPage.getByText('Removed (1)').waitFor()
      await pollAssert.is(async () => (await loadLearned(url)).length, 2)

      await page.getByRole('button', { name: 'Undo the change: a recipe' }).click()
      await otherPage
        .locator('.lesson > .body')
        .getByText('Give weights in grams.', { exact: true })
        .waitFor()

      await page.getByText('Removed (1)').click()
      await page.getByRole('button', { name: 'Restore: jokes' }).press('Enter')
      await otherPage.locator('.lesson:not(.gone)', { hasText: 'jokes' }).waitFor()
      await page.locator('[data-lesson="i3"]:focus').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('shows why a change undone elsewhere cannot be undone again', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page }) => {
      await lesson(page, 'bad news').waitFor()
      await page.route('**/undo', (route) =>
        route.fulfill({ status: 400, json: { detail: 'It was changed again since.' } }),
      )
      await page.getByRole('button', { name: 'Remove: bad news' }).click()
      await lesson(page, 'bad news').getByText('It was changed again since.').waitFor()
    })
  })
})

test('explains how instructions are learned, and is read-only at a past moment', async () => {
  await withAda(async (url) => {
    const { id } = await wake(url, 'Mira')
    await withPage(`${url}/persona/${id}/instructions`, async ({ page }) => {
      await page.getByText('Mira has not learned any yet.').waitFor()
      await page.goto(`${url}${room}?at=${heardSeqs.boat}`)
      await page.getByText('Ada had not learned any yet.').waitFor()
      await page.goto(`${url}${room}?at=${heardSeqs.imported + 8}`)
      await lesson(page, 'a recipe').getByText('Give weights in grams.', { exact: true }).waitFor()
      await pollAssert.is(() => lesson(page, 'bad news').count(), 0)
      await pollAssert.is(() => page.locator('.lesson button').count(), 0)
    })
  })
})

test('shows the instruction that the address names, and offers a retry after an error', async () => {
  await withAda(async (url) => {
    await withPage(`${url}${room}?record=${heardSeqs.imported + 10}`, async ({ page }) => {
      await page.locator('.sought').getByText('bad news').waitFor()
      await page.route('**/knowledge', (route) => route.fulfill({ status: 500, json: { detail: 'Broken.' } }))
      await page.reload()
      await page.getByText('Broken.').waitFor()
      await page.unroute('**/knowledge')
      await page.getByRole('button', { name: 'Try again' }).click()
      await lesson(page, 'bad news').waitFor()
    })
  })
})

test('is accessible in the light and dark theme and on a phone', async () => {
  await withAda(async (url) => {
    for (const colorScheme of ['light', 'dark'] as const)
      await withPage(
        url + room,
        async ({ page }) => {
          await page.getByText('Removed (1)').click()
          await page.getByText('reminders and plans').click()
          await pollAssert.equal(() => barriers(page), [])
          await pollAssert.ok(() =>
            page.evaluate('document.querySelector(".room-body").scrollWidth <= innerWidth'),
          )
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      )
  })
})

test.run()
