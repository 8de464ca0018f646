import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitForFocus } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, post, say, settingsPath, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

test('deletes a persona only after its name was typed', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await wake(url, 'Ada')
    await withPage(url + settingsPath(persona), async ({ page, tab, complaints }) => {
      const otherPage = await tab(persona.room)
      await otherPage.waitForLoadState('networkidle')
      await page.getByRole('button', { name: 'Delete…' }).click()
      const last = page.getByRole('button', { name: 'Delete permanently' })
      await pollAssert.ok(() => last.isDisabled())
      await page.getByLabel('Type “Mira” to continue').fill('mira')
      await pollAssert.ok(() => last.isDisabled())
      await page.getByLabel('Type “Mira” to continue').fill('Mira')
      await last.click()

      for (const view of [page, otherPage]) {
        await view.getByText('Mira is no longer here.').waitFor()
        await view.waitForURL(`${url}/`)
        await pollAssert.equal(() => view.locator('.row .name').allTextContents(), ['Ada'])
      }
      await waitForFocus(page)
      assert.equal(complaints, [])
    })
  })
})

test('renames, stops and starts a persona, and updates every tab', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, tab }) => {
      const otherPage = await tab('/')
      await page.getByLabel('Name', { exact: true }).fill('Miranda')
      // Other changes keep the user's input.
      for (const [deed, now] of Object.entries({ stop: 'stopped', start: 'active' })) {
        await post(url, `/api/persona/${persona.id}/${deed}`)
        await page.getByRole('link', { name: `Mira, ${now}` }).waitFor()
      }
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('heading', { name: 'Miranda' }).waitFor()
      await otherPage.getByRole('link', { name: 'Miranda, active' }).waitFor()
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await otherPage.getByRole('link', { name: 'Miranda, stopped' }).waitFor()
      await page.getByRole('link', { name: 'Talk', exact: true }).click()

      await say(page, 'Are you there?')
      await page.getByText('waits until Miranda is active').waitFor()
      await page.getByRole('button', { name: 'Start Miranda' }).click()
      await waitForMessage(page, 'Are you there?')
      await waitForMessage(page, 'I hear you.')
      await otherPage.getByRole('link', { name: 'Miranda, active' }).waitFor()
    })
  })
})

test('lists the persona with the newest message first, and shows a status only if it is not active', async () => {
  await withDaemon(async ({ url }) => {
    const mira = await wake(url, 'Mira')
    const ada = await wake(url, 'Ada')
    await post(url, `/api/persona/${ada.id}/read?wait=20`, { message: 'Hello' })
    await withPage(url, async ({ page }) => {
      const names = page.locator('.row .name')
      await pollAssert.equal(() => names.allTextContents(), ['Ada', 'Mira'])
      await pollAssert.is(() => page.locator('.row .last-words').first().innerText(), 'I hear you.')
      await post(url, `/api/persona/${mira.id}/read?wait=20`, { message: 'Hello' })
      await pollAssert.equal(() => names.allTextContents(), ['Mira', 'Ada'])
      assert.is(await page.locator('.row .condition').count(), 0)
      await post(url, `/api/persona/${ada.id}/stop`)
      await pollAssert.equal(() => page.locator('.row .condition').allInnerTexts(), ['stopped'])
    })
  })
})

test('adds, changes and removes an organ, one request at a time', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
      const eye = page.locator('.organ-fold', { hasText: 'Image reading' })
      await eye.locator('summary').click()
      await eye.getByLabel('Where it runs').selectOption('openai')
      await eye.getByRole('button', { name: 'Add' }).click()
      await page.getByText('please choose a model').waitFor()
      await eye.getByText('One model is offered.').waitFor()
      await eye.getByLabel('Model', { exact: true }).press('ArrowDown')
      await page.getByRole('option', { name: 'talker' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('listbox').waitFor({ state: 'hidden' })
      await pollAssert.ok(() => eye.getByLabel('Model', { exact: true }).isVisible())
      await eye.getByLabel('Model', { exact: true }).fill('gpt-4o')
      await eye.getByLabel('Key').fill('sk-never-shown')
      await eye.getByRole('button', { name: 'Add' }).click()
      await eye.locator('summary').getByText('gpt-4o').waitFor()
      await pollAssert.is(async () => (await organs(url)).eye, 'openai gpt-4o')
      await pollAssert.is(() => eye.getByLabel('Key').inputValue(), '')
      assert.not.match(await page.content(), /sk-never-shown/)

      await eye.getByLabel('Model', { exact: true }).fill('gpt-5')
      await eye.getByRole('button', { name: 'Change' }).click()
      await eye.locator('summary').getByText('gpt-5').waitFor()
      await eye.getByRole('button', { name: 'Remove' }).click()
      await eye.locator('summary').getByText('None').waitFor()
      await pollAssert.is(async () => (await organs(url)).eye, undefined)
      await pollAssert.is(() => page.evaluate('document.activeElement.tagName'), 'SUMMARY')
      assert.equal(complaints, [])
    })
  })
})

test('redirects an unknown persona to the list, and keeps the history', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await wake(url, 'Ada')
    await withPage(`${url}/persona/nobody/talk`, async ({ page }) => {
      await page.getByText('There is no persona at this address.').waitFor()
      assert.is(page.url(), `${url}/`)
      await page.goto(`${url}/no/such/place`)
      await page.getByRole('link', { name: 'Mira, active' }).click()
      await page.waitForURL(url + persona.room)
      await page.getByRole('textbox').waitFor()
      await page.getByRole('link', { name: 'New persona' }).click()
      await page.getByRole('heading', { name: 'New persona' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor()
    })
  })
})

test.run()
