/** The command palette: search, navigation and actions by keyboard. */
import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../clock.ts'
import { heardSeqs, livedHome, nowIso } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { typeText, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const withAda = async (look: (url: string) => Promise<void>) => {
  const home = await livedHome()
  try {
    const clock = createFakeClock(nowIso, 'Europe/Berlin')
    await withDaemon(({ url }) => look(url), { home, clock })
  } finally {
    await rm(home, { recursive: true })
  }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search and open' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const open = async (page: Page) => {
  await page.keyboard.press('ControlOrMeta+k')
  await field(page).waitFor()
}

test('goes to a room with a few letters and Enter, and focuses it', async () => {
  await withAda(async (url) => {
    await wake(url, 'Mira')
    await withPage(`${url}/persona/ada/memory`, async ({ page, complaints }) => {
      await page.getByText('You drink tea.').waitFor()
      await open(page)
      await option(page, 'Calendar of Ada').waitFor()
      await typeText(page, 'inst ada')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/persona/ada/instructions')
      await page.locator('h1:focus').waitFor()

      await open(page)
      await typeText(page, 'mira')
      await option(page, 'Talk of Mira').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL(/persona\/(?!ada)[^/]+\/talk$/)
      assert.equal(complaints, [])
    })
  })
})

test('loses no letter of fast typing, even when opened repeatedly', async () => {
  await withAda(async (url) => {
    await withPage(`${url}/persona/ada/memory`, async ({ page }) => {
      await page.getByText('You drink tea.').waitFor()
      for (const room of ['instructions', 'calendar', 'health', 'memory', 'instructions', 'calendar']) {
        await open(page)
        await page.keyboard.type(`${room} ada`)
        await pollAssert.is(() => field(page).inputValue(), `${room} ada`)
        await page.keyboard.press('Enter')
        await page.waitForURL(`**/persona/ada/${room}`)
      }
    })
  })
})

test('searches everything, and opens each result at its place', async () => {
  await withAda(async (url) => {
    await withPage(`${url}/persona/ada/memory`, async ({ page, complaints }) => {
      const hits = [
        ['bakery', /My sister is called Lena/, `/talk?record=${heardSeqs.sister}`],
        ['bakery', /Their sister Lena has a bakery/, /\/memory\?record=\d+$/],
        ['dentist', /Dentist, Dr. Rossi/, /\/calendar\?record=\d+$/],
        ['grams', /Give weights in grams, and/, /\/instructions\?record=\d+$/],
        ['quiet', /A quiet day/, /\/calendar\?record=\d+$/],
      ] as const
      for (const [words, found, place] of hits) {
        await open(page)
        await typeText(page, words)
        await option(page, found).click()
        await page.waitForURL((address) => {
          const path = address.pathname.replace('/persona/ada', '') + address.search
          return typeof place === 'string' ? path === place : place.test(path)
        })
        await pollAssert.is(() => page.getByRole('dialog').count(), 0)
      }
      await page.goto(`${url}/persona/ada/memory`)
      // The page listens to keys once it is built, which is after its load event.
      await page.getByText('You drink tea.').waitFor()
      await open(page)
      await typeText(page, 'lena bakery')
      await option(page, /Their sister Lena/).click()
      await page.locator('.sought').getByText('Your sister Lena has a bakery in Porto.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.dataset.memory'), 'sister')
      assert.equal(complaints, [])
    })
  })
})

test('searches all personas from the list, and opens with a button, too', async () => {
  await withAda(async (url) => {
    const { id } = await wake(url, 'Mira')
    await fetch(`${url}/api/persona/${id}/memories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ document: 'person', text: 'They often go to Porto.' }),
    })
    await withPage(url, async ({ page }) => {
      await page.getByRole('button', { name: 'Search and open' }).click()
      await field(page).fill('porto')
      await page.getByText('Found with Mira').waitFor()
      await page.getByText('Found with Ada').waitFor()
      await option(page, /They often go to Porto/).click()
      await page.waitForURL(new RegExp(`${id}/memory\\?record=`))
    })
  })
})

test('creates, starts and stops personas, and returns the focus on close', async () => {
  await withAda(async (url) => {
    const { id, room } = await wake(url, 'Mira')
    await withPage(url + room, async ({ page }) => {
      await page.getByRole('textbox').focus()
      await open(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await pollAssert.is(() => page.evaluate('document.activeElement.tagName'), 'TEXTAREA')

      // A busy browser fires `close` of a dialog when the next one is already open.
      await open(page)
      const first = await page.locator('dialog.palette').elementHandle()
      await page.getByRole('button', { name: 'Close' }).click()
      await open(page)
      await first?.evaluate('element => element.dispatchEvent(new Event("close"))')
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      await pollAssert.is(() => field(page).count(), 1)
      await page.keyboard.press('Escape')

      await open(page)
      await typeText(page, 'stop')
      await page.keyboard.press('Enter')
      await page.getByText('Mira is stopped.', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Mira, stopped' }).waitFor()
      await open(page)
      await typeText(page, 'start mi')
      await option(page, 'Start Mira').click()
      await page.getByRole('link', { name: 'Mira, active' }).waitFor()

      await page.route('**/stop', (route) => route.fulfill({ status: 400, json: { detail: 'Not now.' } }))
      await open(page)
      await typeText(page, 'stop')
      await page.keyboard.press('Enter')
      await page.getByText('Not now.').waitFor()

      await open(page)
      await typeText(page, 'new')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/new')
      assert.ok(id)
    })
  })
})

test('reports no results and errors, and ignores late responses', async () => {
  await withAda(async (url) => {
    await withPage(`${url}/persona/ada/memory`, async ({ page }) => {
      await page.getByText('You drink tea.').waitFor()
      await open(page)
      await typeText(page, 'zzyzx')
      await page.getByText('Nothing found.').waitFor()

      await page.route('**/search?*', async (route) => {
        if (route.request().url().includes('q=bakery'))
          await new Promise((resolve) => setTimeout(resolve, 900))
        await route.continue()
      })
      await field(page).fill('bakery')
      await page.waitForTimeout(300)
      await field(page).fill('dentist')
      await option(page, /Dentist/).waitFor()
      await page.waitForTimeout(900)
      await pollAssert.is(() => option(page, /bakery/).count(), 0)
      await page.unroute('**/search?*')

      await page.route('**/search?*', (route) => route.fulfill({ status: 500, json: { detail: 'Broken.' } }))
      await field(page).fill('sail')
      await page.getByText('The search failed. Broken.').waitFor()
    })
  })
})

test('is accessible with more rows than fit, and after the last row was filtered out', async () => {
  await withAda(async (url) => {
    await wake(url, 'Mira')
    await withPage(
      `${url}/persona/ada/memory`,
      async ({ page }) => {
        await page.getByText('You drink tea.').waitFor()
        await open(page)
        const isScrollable = `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('[role=listbox]'))`
        await pollAssert.ok(() => page.evaluate(isScrollable))
        await pollAssert.equal(() => barriers(page, { moderate: true }), [])
        await typeText(page, 'ada')
        await pollAssert.ok(() => field(page).getAttribute('aria-activedescendant'))
        await page.keyboard.type('zzz')
        await page.getByText('Nothing found.').waitFor()
        await pollAssert.is(() => field(page).getAttribute('aria-activedescendant'), null)
        await pollAssert.equal(() => barriers(page, { moderate: true }), [])
      },
      { viewport: { width: 800, height: 420 } },
    )
  })
})

test('is accessible in the light and dark theme and on a phone', async () => {
  await withAda(async (url) => {
    for (const colorScheme of ['light', 'dark'] as const)
      await withPage(
        `${url}/persona/ada/memory`,
        async ({ page }) => {
          await open(page)
          await typeText(page, 'lena')
          await option(page, /Their sister/).waitFor()
          await pollAssert.equal(() => barriers(page), [])
          await pollAssert.ok(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      )
  })
})

test.run()
