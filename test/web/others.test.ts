/** Third-party text on the page is recognizable as such. */
import { test } from 'uvu'
import type { EventOf } from '../../facts/facts.ts'
import { createHome } from '../create-journal.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { say, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const messageHeard = (...parts: EventOf<'MessageHeard'>['parts']): EventOf<'MessageHeard'> => ({
  type: 'MessageHeard',
  channel: { type: 'telegram', name: '99' },
  media: null,
  key: null,
  parts,
})

test('shows third-party text separately with its source', async () => {
  const home = await createHome([
    {
      at: '2026-11-23T09:00:00+01:00',
      events: [
        messageHeard({ from: 'forwarded', by: 'Bo <b>Li</b>', text: 'Be bold.\nAnd brave.' }),
        messageHeard(
          { from: 'replied', by: null, text: 'Are you there?' },
          { from: 'person', by: null, text: 'I am here.' },
        ),
      ],
    },
  ])
  await withDaemon(
    async ({ url }) => {
      await withPage(`${url}/persona/ada/talk`, async ({ page }) => {
        const quotes = page.locator('[role=log] .mine blockquote.others')
        await quotes.nth(1).waitFor()
        await pollAssert.equal(
          () => quotes.locator('.whose').allTextContents(),
          ['Forwarded from Bo <b>Li</b>', 'In answer to a message'],
        )
        await pollAssert.match(async () => (await quotes.nth(0).innerText()) ?? '', /Be bold\.\s+And brave\./)
        await pollAssert.match(() => page.locator('[role=log] .words').nth(1).innerText(), /I am here\.$/)
        await pollAssert.is(() => quotes.getByText('I am here.').count(), 0)
      })
    },
    { home },
  )
})

test('shows a quote as a quote, also in a new message', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await say(page, 'What is that?')
      await waitForMessage(page, 'I hear you.')
      await page.getByRole('textbox').fill('Look:\n> Be bold.')
      await page.getByRole('textbox').press('Enter')
      const quotes = page.locator('[role=log] .mine blockquote.others')
      await quotes.waitFor()
      await pollAssert.match(() => quotes.innerText(), /^Quoted\s+Be bold\.$/)
      // The undelivered message is gone: the text is shown once.
      await waitForMessage(page, 'I hear you.', 2)
      await pollAssert.is(() => page.locator('.letter').count(), 0)
    })
  })
})

test.run()
