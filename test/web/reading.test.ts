/** Reading a long talk: its place, its days, the newest messages, and the actions on a message. */

import { rm } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../clock.ts'
import { createHome } from '../create-journal.ts'
import { createMessageHeard, createMessageSpoken } from '../journal/facts.ts'
import { closeBrowser, withPage } from './browser.ts'
import { sendMessage } from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import { say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const hours = (count: number) => new Date(Date.UTC(2026, 10, 1, 8 + count)).toISOString()

/** Sixty exchanges, one every five hours. */
const readHome = () =>
  createHome(
    Array.from({ length: 60 }, (_, n) => ({
      at: hours(n * 5),
      events: [
        createMessageHeard(`Question ${n}`),
        createMessageSpoken(`Answer ${n}. ${'It has some length. '.repeat(8)}`),
      ],
    })),
  )

const scrollBy = (page: Page, pixels: number) =>
  page.evaluate(`document.querySelector('.scroller').scrollTop += ${pixels}`)
const getTop = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).evaluate((element) => Math.round(element.getBoundingClientRect().top))

// Verified to fail without `talkPlaces`: the talk then opens at its end.
test('keeps the place in the talk and in other rooms, and shows the day of the visible messages', async () => {
  const home = await readHome()
  try {
    await withDaemon(
      async ({ url }) => {
        await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
          await page.getByText('Question 59', { exact: true }).waitFor()
          const toEnd = page.getByRole('button', { name: 'To the latest message' })
          await pollAssert.is(() => toEnd.isVisible(), false)
          await scrollBy(page, -5000)
          await toEnd.waitFor()
          const day = page.locator('.sticky-day')
          await day.waitFor()
          assert.match(await day.innerText(), /November/)
          await page.waitForTimeout(300)
          const word = await page.evaluate<string>(
            `[...document.querySelectorAll('[role=log] .mine .words')].find((one) => one.getBoundingClientRect().top > 200).textContent`,
          )
          const top = await getTop(page, word)
          await pollAssert.is(() => getTop(page, word), top)
          await page.getByRole('link', { name: 'Memory' }).click()
          await page.locator('.room-body h2').first().waitFor()
          // Loaded on demand, it moves the content below.
          await page.getByText('Say it in the talk, for example').waitFor()
          await page.evaluate(`document.querySelector('.room-body').scrollTop = 200`)
          await page.waitForTimeout(200)
          await page.getByRole('link', { name: 'Talk', exact: true }).click()
          await pollAssert.ok(async () => Math.abs((await getTop(page, word)) - top) < 4)
          await page.getByRole('link', { name: 'Memory' }).click()
          await pollAssert.is(() => page.evaluate(`document.querySelector('.room-body')?.scrollTop`), 200)
          await page.getByRole('link', { name: 'Talk', exact: true }).click()
          await toEnd.click()
          await pollAssert.ok(() => page.getByText('Question 59', { exact: true }).isVisible())
          await pollAssert.is(() => toEnd.isVisible(), false)
          assert.equal(complaints, [])
        })
      },
      { home, clock: createFakeClock(hours(400), 'UTC') },
    )
  } finally {
    await rm(home, { recursive: true })
  }
})

test('counts the messages that arrive while an earlier part is on the screen', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      for (const n of [1, 2, 3, 4]) await sendMessage(url, persona.id, `Question ${n}`)
      await withPage(url + persona.room, async ({ page }) => {
        await page.getByText('Question 4', { exact: true }).waitFor()
        await scrollBy(page, -2000)
        await page.getByRole('button', { name: 'To the latest message' }).waitFor()
        await sendMessage(url, persona.id, 'From another page')
        const button = page.getByRole('button', { name: '2 new messages' })
        await button.click()
        await pollAssert.ok(() => page.locator('[role=log]').getByText('From another page').isVisible())
        await pollAssert.is(() => button.isVisible(), false)
      })
    },
    { models: createTalker({ answer: () => 'A long answer. '.repeat(120) }) },
  )
})

test('names each message, and shows its actions near the pointer and for the last answer', async () => {
  const answer = '# A title\n\n```js\nconst answer = 42\n```'
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await sendMessage(url, persona.id, 'First')
      await sendMessage(url, persona.id, 'Second')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await page.getByText('Second', { exact: true }).waitFor()
        await pollAssert.is(() => page.getByRole('article', { name: /^Mira, \d\d:\d\d/ }).count(), 2)
        await pollAssert.is(() => page.getByRole('article', { name: /^You, \d\d:\d\d/ }).count(), 2)
        await page.getByRole('heading', { name: 'A title', level: 3 }).first().waitFor()
        const size = (voice: string) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector('${voice} .words')).fontSize`)
        assert.is(await size('.mine'), await size('.hers'))
        const first = page.locator('.entry.hers').first()
        const getOpacity = () =>
          page.evaluate<number>(
            `Number(getComputedStyle(document.querySelector('.entry.hers > .acts')).opacity)`,
          )
        await page.mouse.move(5, 5)
        await pollAssert.is(getOpacity, 0)
        await first.hover()
        await pollAssert.is(getOpacity, 1)
        await page.mouse.move(5, 5)
        await first.getByRole('button', { name: 'Details' }).focus()
        await pollAssert.is(getOpacity, 1)
        await page.locator('.answer-acts').getByRole('button', { name: 'Another answer' }).waitFor()
        await page.locator('.answer-acts').getByRole('button', { name: 'Details' }).click()
        await page.locator('.story-body dl').waitFor()
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer: () => answer }) },
  )
})

test('colours code while it is streamed', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await say(page, 'Code, please')
        await page.locator('.thought .hljs-keyword').first().waitFor()
        await page.getByRole('button', { name: 'Stop' }).click()
        await waitForMessage(page, 'Code, please')
      })
    },
    { models: createTalker({ answer: () => `\`\`\`js\n${'const a = 1\n'.repeat(200)}\`\`\``, pause: 30 }) },
  )
})

test.run()
