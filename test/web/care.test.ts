/** The help in danger on the page: the card in the talk and off the record, and its settings. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { say, settingsPath, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const putCare = (url: string, id: string, body: object) =>
  fetch(`${url}/api/persona/${id}/care`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('shows a card with numbers to call below the answer, in the talk and off the record', () =>
  withDaemon(async ({ url }) => {
    const ada = await wake(url, 'Ada')
    await putCare(url, ada.id, { country: 'US', help: true })
    await withPage(url + ada.room, async ({ page, complaints }) => {
      await say(page, 'I want to die')
      const card = page.getByRole('region', { name: 'Help near you' })
      const call = card.getByRole('link', { name: '911' })
      assert.is(await call.getAttribute('href'), 'tel:911')
      const links = await card
        .getByRole('link')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      assert.equal(links, ['tel:988', 'sms:988', 'https://988lifeline.org', 'tel:911'])
      await pollAssert.equal(() => barriers(page), [])
      await page.reload()
      await call.waitFor()

      await page.goto(`${url}${ada.room}?kept=no`)
      const field = page.getByRole('textbox')
      await field.fill('I am dying to see it')
      await field.press('Enter')
      await page.getByText('I am dying to see it').waitFor()
      await field.fill('I want to kill myself')
      await field.press('Enter')
      await call.waitFor()
      assert.is(await card.count(), 1)
      assert.equal(complaints, [])
    })
  }))

test('chooses the country, and switches the help off only for an adult', () =>
  withDaemon(async ({ url }) => {
    const ada = await wake(url, 'Ada')
    await withPage(url + settingsPath(ada, 'care'), async ({ page, complaints }) => {
      await page.getByLabel('Country').selectOption({ label: 'Austria' })
      const card = page.getByRole('region', { name: 'Help near you' })
      await card.getByText('TelefonSeelsorge').waitFor()
      assert.is(await card.getByRole('link').first().getAttribute('href'), 'tel:142')
      await pollAssert.equal(() => barriers(page), [])
      await page.getByText('Do not show this help').click()
      const off = page.getByRole('button', { name: 'Switch the help off' })
      assert.ok(await off.isDisabled())
      await page.getByLabel('I am an adult').check()
      await off.click()
      await page.getByText('The help is switched off.').waitFor()
      await page.getByRole('button', { name: 'Switch the help on' }).click()
      await card.getByText('TelefonSeelsorge').waitFor()
      assert.equal(complaints, [])
    })
  }))

test.run()
