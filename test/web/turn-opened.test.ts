import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { barriers, waitForFocus } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { getOverflow, loadFacts, sendMessage } from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import { type WokenPersona, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

/** The practice model itself, which uses tools and learns. */
const practising = { models: undefined } as never

const loadTurn = async (url: string, { id }: WokenPersona): Promise<number> => {
  const turns = (await loadFacts(url, id)).filter(({ type }) => type === 'TurnBegan')
  return turns.at(-1)?.seq ?? 0
}
const unfold = async (page: Page, name: RegExp) => {
  await page.locator('summary', { hasText: name }).first().click()
}

test('shows the messages, the steps and every model call of a turn', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await sendMessage(url, persona.id, 'I live in Lisbon.')
    const turn = await loadTurn(url, persona)
    await withPage(`${url}/persona/${persona.id}/life?record=${turn}`, async ({ page, complaints }) => {
      await page.getByRole('heading', { name: 'Details of an answer by Mira' }).waitFor()
      await page.locator('blockquote', { hasText: 'I live in Lisbon.' }).first().waitFor()
      await page.getByRole('heading', { name: 'Results' }).waitFor()
      await unfold(page, /^Tools: /)
      await unfold(page, /^Call 1: Model/)
      await page.getByText('exactly as sent', { exact: false }).first().waitFor()
      await unfold(page, /^System prompt/)
      await unfold(page, /^Messages \(\d+\)/)
      await unfold(page, /^Tools offered/)
      await pollAssert.equal(() => barriers(page), [])
      await page.setViewportSize({ width: 360, height: 740 })
      await pollAssert.is(() => getOverflow(page), 0)
      await page.getByRole('link', { name: 'All events' }).click()
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
      await waitForFocus(page)
      assert.equal(complaints, [])
    })
  }, practising)
})

test('repeats a call with another model, and saves nothing', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await sendMessage(url, persona.id, 'I live in Lisbon.')
    const turn = await loadTurn(url, persona)
    const factCountBefore = (await loadFacts(url, persona.id)).length
    await withPage(`${url}/persona/${persona.id}/life?record=${turn}`, async ({ page }) => {
      const model = page.getByLabel('Model', { exact: true })
      // The practice model is offered first if there is no other.
      await waitFor('the offered model', async () => (await model.inputValue()) === 'embedded/practice')
      await model.fill('')
      await page.getByRole('button', { name: 'Ask it' }).click()
      await page.getByText('Please choose a model.').waitFor()
      await model.fill('embedded/nobody')
      await page.getByRole('button', { name: 'Ask it' }).click()
      await page.locator('form').getByRole('alert').getByText(/\S/).first().waitFor()
      await model.fill('embedded/practice')
      await page.getByRole('button', { name: 'Ask it' }).click()
      await page.getByText('embedded/practice would have said').waitFor()
      await page.getByText('No price is known for it.').waitFor()
      await waitForFocus(page)
    })
    await pollAssert.is(async () => (await loadFacts(url, persona.id)).length, factCountBefore)
  }, practising)
})

test('opens a turn from one of its events, and keeps the history', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await sendMessage(url, persona.id, 'Hello!')
    await withPage(`${url}/persona/${persona.id}/life`, async ({ page }) => {
      await page.locator('summary', { hasText: 'Mira said' }).click()
      await page.getByRole('link', { name: 'Details of this answer' }).click()
      await page.getByRole('heading', { name: 'Details of an answer by Mira' }).waitFor()
      await waitForFocus(page)
      await page.goBack()
      await page.getByRole('heading', { name: 'What happened' }).waitFor()
    })
  })
})

test.run()
