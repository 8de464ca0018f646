/** The 24 recovery words: shown once, confirmed, and requested until then. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { first, second } from '../contract/diaries.ts'
import { seriousOn } from './accessible.ts'
import { waitForFocus } from './axe.ts'
import { closeBrowser, handleFirst, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, say, withDaemon } from './setup.ts'

test.after(closeBrowser)

const readPhrase = async (page: Page) => {
  const words = page.getByRole('list', { name: 'The 24 recovery words' }).getByRole('listitem')
  await words.first().waitFor()
  return words.allInnerTexts()
}
const bar = (page: Page) => page.getByText('Not backed up yet')
const title = (page: Page) => page.getByRole('heading', { name: 'The 24 recovery words of Ada' })

/** Moves the clock of all pages of the context two days ahead: the reminder appears on the second day. */
const toLaterDay = (page: Page) => page.clock.setFixedTime(Date.now() + 2 * 24 * 3_600_000)

/** Creates a persona, up to the view of the recovery words. */
const wakeAda = async (page: Page) => {
  await toLaterDay(page)
  await page.getByLabel('Name').fill('Ada')
  await page.getByText('One model is installed on this machine.').waitFor()
  await page.getByRole('button', { name: 'Create Ada' }).click()
  await page.getByRole('button', { name: 'Save the recovery words' }).click()
  await title(page).waitFor()
}

/** Fills in the requested words. `spell` changes their spelling. */
const answer = async (page: Page, list: readonly string[], spell = (word: string) => word) => {
  const fields = page.getByLabel(/^Word \d+$/)
  await fields.first().waitFor()
  for (const field of await fields.all()) {
    const place = Number(/\d+/.exec((await field.getAttribute('id')) ?? '')?.[0])
    await field.fill(spell(list[place] ?? ''))
  }
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('shows the recovery words on request, and asks for three of them', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page, complaints }) => {
      await wakeAda(page)
      const list = await readPhrase(page)
      assert.is(list.length, 24)
      await pollAssert.is(() => page.getByRole('textbox', { name: 'Write to Ada' }).count(), 0)
      await pollAssert.equal(() => seriousOn(page), [])
      await waitForFocus(page)

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save as a file' }).click(),
      ])
      const file = await readFile(await download.path(), 'utf8')
      assert.ok(list.every((word, index) => file.includes(`${index + 1}. ${word}`)))

      await page.getByRole('button', { name: 'I have them' }).click()
      await pollAssert.is(() => page.getByLabel(/^Word \d+$/).count(), 3)
      await pollAssert.is(() => page.getByRole('list', { name: 'The 24 recovery words' }).count(), 0)
      await answer(page, list, () => 'zebra')
      await page
        .getByRole('alert')
        .getByText(/not the one/)
        .waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.ariaInvalid'), 'true')
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByRole('button', { name: 'Show the words again' }).click()
      await pollAssert.equal(() => readPhrase(page), list)
      await page.getByRole('button', { name: 'I have them' }).click()
      await answer(page, list, (word) => ` ${word.toUpperCase()} `)

      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      await page.getByText('With these words, Ada can always be restored.').waitFor()
      await waitForFocus(page)
      await pollAssert.is(() => bar(page).count(), 0)
      await page.reload()
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      await pollAssert.is(() => bar(page).count(), 0)
      assert.equal(complaints, [])
    })
  })
})

test('prints only the recovery words', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await wakeAda(page)
      await page.evaluate('window.print = () => { window.printed = true }')
      await page.getByRole('button', { name: 'Print' }).click()
      await pollAssert.ok(() => page.evaluate('window.printed'))
      await page.emulateMedia({ media: 'print' })
      await pollAssert.ok(() => page.getByRole('list', { name: 'The 24 recovery words' }).isVisible())
      await pollAssert.ok(() => page.getByText('Recovery words of Ada, ').isVisible())
      await pollAssert.is(() => page.locator('button:visible, a:visible, h1:visible').count(), 0)
    })
  })
})

test('links back to the recovery words from a bar, and stores no trace of them', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await wakeAda(page)
      const list = await readPhrase(page)
      await page.getByRole('link', { name: 'New persona' }).click()
      await page.getByRole('heading', { name: 'New persona' }).waitFor()
      await page.getByRole('link', { name: 'Ada, active' }).click()
      await bar(page).waitFor()
      await say(page, 'Hello')
      await page.getByRole('button', { name: 'Save the recovery words' }).click()
      await pollAssert.equal(() => readPhrase(page), list)
      const storage = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
      )
      assert.not.match(storage, /daimon\.words\./)
      for (const word of list) assert.not.match(storage, new RegExp(`\\b${word}\\b`))

      await page.getByRole('button', { name: 'Later' }).click()
      await bar(page).waitFor()
      await waitForFocus(page)
    })
  })
})

test('creates new recovery words and a diary after a reload lost the old ones', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page, tab, complaints }) => {
      await wakeAda(page)
      const phraseBefore = await readPhrase(page)
      await page.reload()
      await bar(page).waitFor()
      const otherPage = await tab(new URL(page.url()).pathname)
      await bar(otherPage).waitFor()
      await page.getByRole('button', { name: 'Save the recovery words' }).click()
      await page.getByRole('heading', { name: 'New recovery words for Ada' }).waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByRole('button', { name: 'Make new recovery words' }).click()
      await title(page).waitFor()
      const list = await readPhrase(page)
      assert.not.equal(list, phraseBefore)
      await waitForFocus(page)

      await page.getByRole('button', { name: 'I have them' }).click()
      await answer(page, list)
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      // The other tab is updated, too.
      await bar(otherPage).waitFor({ state: 'detached' })
      assert.equal(complaints, [])
    })
  })
})

test('replaces displayed recovery words that another tab has renewed', async () => {
  // The recovery words of other tests share one recipient.
  const next = [first, second]
  const look = async ({ url }: { readonly url: string }) => {
    await withPage(`${url}/new`, async ({ page, tab }) => {
      // The page learns which words are current only after they were renewed.
      let release = () => {}
      const whenRenewed = new Promise<void>((resolve) => {
        release = resolve
      })
      await handleFirst(page, '**/phrase', 100, async (route) => {
        await whenRenewed
        await route.continue()
      })
      await wakeAda(page)
      const otherPage = await tab(new URL(page.url()).pathname)
      await otherPage.getByRole('button', { name: 'Save the recovery words' }).click()
      await otherPage.getByRole('button', { name: 'Make new recovery words' }).click()
      await title(otherPage).waitFor()
      release()
      await page.getByRole('heading', { name: 'New recovery words for Ada' }).waitFor()
    })
  }
  await withDaemon(look, { newPhrase: async () => next.shift() ?? second })
})

test('shows why new recovery words failed, and offers a retry', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await wakeAda(page)
      await page.reload()
      await page.getByRole('button', { name: 'Save the recovery words' }).click()
      const failure = { status: 500, json: { detail: 'JournalUnavailable: the disk is full.' } }
      await handleFirst(page, '**/phrase', 1, (route) => route.fulfill(failure))
      await page.getByRole('button', { name: 'Make new recovery words' }).click()
      await page.getByRole('alert').getByText('the disk is full').waitFor()
      await waitForFocus(page)
      await page.getByRole('button', { name: 'Make new recovery words' }).click()
      await title(page).waitFor()
    })
  })
})

test('reminds of the recovery words after ten messages, and hides the reminder for a week', async () => {
  await withDaemon(async ({ url }) => {
    const ada = await post<{ persona: { id: string } }>(url, '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    await withPage(`${url}/persona/${ada.persona.id}/talk`, async ({ page, complaints }) => {
      for (let n = 1; n <= 4; n += 1) {
        await say(page, `Message ${n}`)
        await pollAssert.is(() => page.locator('[role=log] .hers').count(), n)
      }
      assert.is(await bar(page).count(), 0)
      await say(page, 'Message 5')
      await bar(page).waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByRole('button', { name: 'Remind me in a week' }).click()
      await pollAssert.is(() => bar(page).count(), 0)
      await page.reload()
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      await pollAssert.is(() => bar(page).count(), 0)
      await page.clock.setFixedTime(Date.now() + 8 * 24 * 3_600_000)
      await page.reload()
      await bar(page).waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('creates the recovery words at once if the user has never seen any', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Talk to Mira' }).click()
      await page.getByRole('textbox', { name: 'Write to Mira' }).waitFor()
      await pollAssert.is(() => bar(page).count(), 0)
      await toLaterDay(page)
      await page.reload()
      await page.getByRole('button', { name: 'Save the recovery words' }).click()
      await pollAssert.is(async () => (await readPhrase(page)).length, 24)
      await page.getByRole('button', { name: 'Later' }).click()
      await page.getByRole('textbox', { name: 'Write to Mira' }).waitFor()
      await bar(page).waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('shows unconfirmed recovery words in every browser until one confirms them', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page }) => {
      await wakeAda(page)
      const list = await readPhrase(page)
      const { pathname } = new URL(page.url())
      await withPage(url + pathname, async ({ page: otherPage, complaints }) => {
        await toLaterDay(otherPage)
        await otherPage.reload()
        await bar(otherPage).waitFor()
        await page.getByRole('button', { name: 'I have them' }).click()
        await answer(page, list)
        await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
        await bar(otherPage).waitFor({ state: 'detached' })
        await otherPage.reload()
        await otherPage.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
        await pollAssert.is(() => bar(otherPage).count(), 0)
        assert.equal(complaints, [])
      })
      await withPage(url + pathname, async ({ page: third }) => {
        await third.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
        await pollAssert.is(() => bar(third).count(), 0)
      })
    })
  })
})

test('confirms the recovery words of a persona that another client created', async () => {
  await withDaemon(async ({ url }) => {
    const { persona } = await post<{ persona: { id: string } }>(url, '/api/persona/create', {
      name: 'Ada',
      thinking_model: 'embedded/practice',
    })
    await withPage(`${url}/persona/${persona.id}/talk`, async ({ page }) => {
      await page.evaluate(`localStorage.setItem('daimon.words.${persona.id}', 'a stamp of before')`)
      await toLaterDay(page)
      await page.reload()
      await page.getByRole('button', { name: 'Save the recovery words' }).click()
      await pollAssert.is(() => page.evaluate(`localStorage.getItem('daimon.words.${persona.id}')`), null)
      await page.getByRole('button', { name: 'I have the first words' }).click()
      await page.getByRole('textbox', { name: 'Write to Ada' }).waitFor()
      await pollAssert.is(() => bar(page).count(), 0)
    })
  })
})

test.run()
