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
      await page.route(/HelpCard/, (request) => request.abort())
      await page.reload()
      await page.getByRole('log').getByText('https://988lifeline.org').waitFor()
      assert.is(await card.count(), 0)
      await page.unroute(/HelpCard/)
      const failedLoads = complaints.length

      await page.goto(`${url}${ada.room}?kept=no`)
      const field = page.getByRole('textbox')
      await field.fill('I am dying to see it')
      await field.press('Enter')
      await page.getByText('I am dying to see it').waitFor()
      await field.fill('I want to kill myself')
      await field.press('Enter')
      await call.waitFor()
      assert.is(await card.count(), 1)
      assert.is(complaints.length, failedLoads)
    })
  }))

test('finds danger in a message off the record that a quick second message follows', () =>
  withDaemon(async ({ url }) => {
    const ada = await wake(url, 'Ada')
    await putCare(url, ada.id, { country: 'US', help: true })
    await withPage(`${url}${ada.room}?kept=no`, async ({ page }) => {
      await page.route('**/v1/chat/completions', async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 3000))
        await request.continue().catch(() => {})
      })
      const field = page.getByRole('textbox')
      for (const words of ['I want to kill myself', 'I am dying to see it']) {
        await field.fill(words)
        await field.press('Enter')
      }
      await page.getByRole('region', { name: 'Help near you' }).waitFor()
    })
  }))

test('shows the stored country again if it could not be saved', () =>
  withDaemon(async ({ url }) => {
    const ada = await wake(url, 'Ada')
    await putCare(url, ada.id, { country: 'US', help: true })
    await withPage(url + settingsPath(ada, 'care'), async ({ page }) => {
      const country = page.getByLabel('Country')
      await pollAssert.is(() => country.inputValue(), 'US')
      await page.route('**/care', (request) =>
        request.request().method() === 'PUT' ? request.abort() : request.continue(),
      )
      await country.focus()
      await country.selectOption({ label: 'Austria' })
      await pollAssert.is(() => country.inputValue(), 'US')
      assert.ok(await country.evaluate((element) => element.matches(':focus')))
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
      await pollAssert.is(() => page.evaluate('document.activeElement?.tagName'), 'BUTTON')
      await page.getByRole('button', { name: 'Switch the help on' }).click()
      await card.getByText('TelefonSeelsorge').waitFor()
      assert.equal(complaints, [])
    })
  }))

test.run()
