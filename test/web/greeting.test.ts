/** The persona greets in an empty talk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closeBrowser, withPage } from './browser.ts'
import { loadMessages, post, say, shown, waitForMessage, wake, withDaemon } from './setup.ts'
import { soon } from './soon.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const env = { DAIMON_GREETING: 'on' }

test('greets once, in every tab and after a reload, and answers', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await withPage(url + her.room, async ({ page, tab, complaints }) => {
        const other = await tab(her.room)
        for (const each of [page, other]) await waitForMessage(each, 'Good to see you.')
        assert.is(await page.locator('.greeting').count(), 0)
        await page.reload()
        await waitForMessage(page, 'Good to see you.')
        await say(page, 'And you!')
        await soon.equal(() => shown(other), ['Good to see you.', 'And you!', 'Good to see you.'])
        assert.equal(await loadMessages(url, her), ['Good to see you.', 'And you!', 'Good to see you.'])
        assert.equal(complaints, [])
      })
    },
    { env, models: createTalker({ answer: () => 'Good to see you.' }) },
  )
})

test('does not request a greeting from a stopped persona, but when it starts', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await post(url, `/api/persona/${her.id}/stop`)
      await withPage(url + her.room, async ({ page, complaints }) => {
        await page.locator('.greeting').waitFor()
        await page.getByRole('button', { name: 'Start Mira' }).click()
        await waitForMessage(page, 'I hear you.')
        assert.equal(complaints, [])
      })
    },
    { env },
  )
})

test('shows no hint of an empty talk during the greeting, and answers messages sent meanwhile', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await withPage(url + her.room, async ({ page }) => {
        await page.getByRole('button', { name: 'Stop' }).waitFor()
        assert.is(await page.locator('.greeting').count(), 0)
        await say(page, 'Hello?')
        await soon.equal(async () => (await loadMessages(url, her)).length, 3)
        await soon.equal(async () => (await shown(page)).length, 3)
      })
    },
    { env, models: createTalker({ pause: 400 }) },
  )
})

test.run()
