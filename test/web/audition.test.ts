/** Trying a model before a switch, and example messages, on the page. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MindError } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { seriousOn } from './accessible.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, post, settingsPath, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const talker = createTalker({
  answer: () => 'Good morning, Mia.',
  calls: (text) =>
    text.includes('Remind')
      ? [{ name: 'plan', input: { op: 'add', kind: 'reminder', content: 'tea', when: '2031-01-06T09:00' } }]
      : [],
})
const models: Models = {
  ...talker,
  mind: (ask, wrapper) =>
    ask.model === 'broken'
      ? {
          // biome-ignore lint/correctness/useYield: it fails before the first part.
          async *think() {
            throw new MindError('barred', 'The key was rejected.')
          },
        }
      : talker.mind(ask, wrapper),
}

test('answers past messages with two models, and switches to the one that was tried', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      for (const message of ['Good morning!', 'Remind me of tea'])
        await post(url, `/api/persona/${persona.id}/read?wait=20`, { message })
      await withPage(url + settingsPath(persona, 'organs'), async ({ page, complaints }) => {
        const fold = page.locator('.organ-fold').first()
        await fold.locator('summary').click()
        const model = fold.getByRole('combobox', { name: 'Model' })
        await model.waitFor()
        const tryIt = page.getByRole('button', { name: 'Try before you switch…' })
        assert.is(await tryIt.count(), 0)
        await model.fill('broken')
        await tryIt.click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('checkbox', { name: 'Good morning! Talk' }).uncheck()
        await dialog.getByText('1 of 10').waitFor()
        await dialog.getByRole('button', { name: 'Compare' }).click()
        await dialog.getByText('All answers are here.').waitFor()
        const cell = (name: string) => dialog.getByRole('region', { name }).first()
        assert.match(await cell('broken').innerText(), /The key was rejected\./)
        assert.match(await cell('embedded/practice').innerText(), /Would use plan:[\s\S]*"content":"tea"/)
        await dialog.getByRole('button', { name: 'Keep the model' }).click()
        await pollAssert.equal(() => dialog.count(), 0)
        assert.is((await organs(url)).thinking, 'local embedded/practice')

        await model.fill('gpt-large')
        await tryIt.click()
        await dialog.getByRole('button', { name: 'Compare' }).click()
        await dialog.getByText('All answers are here.').waitFor()
        assert.is(await cell('gpt-large').locator('.words').innerText(), 'Good morning, Mia.')
        assert.equal(await seriousOn(page), [])
        await page.setViewportSize({ width: 360, height: 740 })
        assert.is(await page.evaluate('document.documentElement.scrollWidth'), 360)
        await dialog.getByRole('button', { name: 'Switch to this model' }).click()
        await pollAssert.equal(async () => (await organs(url)).thinking, 'local gpt-large')
        assert.equal(complaints, [])

        await page.route('**/audition', (route) => route.fulfill({ status: 503, json: { detail: 'Busy.' } }))
        await model.fill('other')
        await tryIt.click()
        await dialog.getByRole('button', { name: 'Compare' }).click()
        await dialog.getByText('Busy.').waitFor()
        await pollAssert.is(() => page.evaluate('document.activeElement.textContent.trim()'), 'Compare')
      })
      const { messages } = (await (await fetch(`${url}/api/persona/${persona.id}/conversation`)).json()) as {
        messages: readonly unknown[]
      }
      assert.is(messages.length, 4)
    },
    { models },
  )
})

test('marks a message as typical in its menu, and removes it in the settings', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await post(url, `/api/persona/${persona.id}/read?wait=20`, { message: 'Good morning!' })
      await withPage(url + persona.room, async ({ page, complaints }) => {
        const row = page.locator('[role=log] .entry').filter({ hasText: 'Good morning, Mia.' })
        const openMenu = async () => {
          await row.hover()
          await row.locator('.more').click()
        }
        await openMenu()
        await page.getByRole('menuitem', { name: 'That is so you' }).click()
        await page.getByText('Now an example line of the character: 1 of 10.').waitFor()
        await openMenu()
        await page.getByRole('menuitem', { name: 'No example any more' }).waitFor()
        await page.goto(url + settingsPath(persona, 'character'))
        await page.getByText('Good morning, Mia.').last().waitFor()
        await page.getByRole('button', { name: 'Remove: Good morning, Mia.' }).click()
        await pollAssert.equal(() => page.getByRole('button', { name: /^Remove: Good/ }).count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test.run()
