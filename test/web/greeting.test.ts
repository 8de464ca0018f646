/** The persona greets in an empty talk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { listMessages, loadMessages, post, say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const env = { DAIMON_GREETING: 'on' }

test('greets once, in every tab and after a reload, and answers', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, tab, complaints }) => {
        const otherPage = await tab(persona.room)
        for (const view of [page, otherPage]) await waitForMessage(view, 'Good to see you.')
        assert.is(await page.locator('.talk-start p').count(), 0)
        await page.reload()
        await waitForMessage(page, 'Good to see you.')
        await say(page, 'And you!')
        await pollAssert.equal(
          () => listMessages(otherPage),
          ['Good to see you.', 'And you!', 'Good to see you.'],
        )
        assert.equal(await loadMessages(url, persona), ['Good to see you.', 'And you!', 'Good to see you.'])
        assert.equal(complaints, [])
      })
    },
    { env, models: createTalker({ answer: () => 'Good to see you.' }) },
  )
})

test('does not request a greeting from a stopped persona, but when it starts', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await post(url, `/api/persona/${persona.id}/stop`)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await page.locator('.talk-start p').waitFor()
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
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await page.getByRole('button', { name: 'Stop' }).waitFor()
        assert.is(await page.locator('.talk-start p').count(), 0)
        await say(page, 'Hello?')
        await pollAssert.equal(async () => (await loadMessages(url, persona)).length, 3)
        await pollAssert.equal(async () => (await listMessages(page)).length, 3)
      })
    },
    { env, models: createTalker({ pause: 400 }) },
  )
})

test.run()
