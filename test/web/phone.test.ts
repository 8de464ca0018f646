/** The page on a phone: the on-screen keyboard, the tabs at the bottom, and going back. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { sendMessage } from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import { loadMessages, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const phone = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true } as const
const longAnswer = 'A sentence that is long enough for more than one line of a phone. '.repeat(12)

/** The share of the visible height that shows messages. */
const getShare = (page: Page): Promise<number> =>
  page.evaluate<number>(`document.querySelector('.scroller').clientHeight / innerHeight`)

test('shows mostly messages while the keyboard is open, and writes lines with Enter', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await sendMessage(url, persona.id, 'Hello')
      await withPage(
        url + persona.room,
        async ({ page, complaints }) => {
          const tabs = page.getByRole('navigation', { name: 'Pages of Mira' })
          await waitForMessage(page, longAnswer.trim())
          assert.equal(await tabs.locator('a:visible, button:visible').allInnerTexts(), [
            'Talk',
            'Memory',
            'Calendar',
            'More',
          ])
          await page.getByRole('textbox').tap()
          await page.setViewportSize({ width: 390, height: 400 })
          await tabs.waitFor({ state: 'hidden' })
          await pollAssert.ok(async () => (await getShare(page)) >= 0.6)
          for (const line of ['One', 'Two', 'Three', 'Four']) {
            await page.keyboard.type(line)
            await page.keyboard.press('Enter')
          }
          await pollAssert.ok(async () => (await getShare(page)) >= 0.6)
          assert.is((await loadMessages(url, persona)).length, 2)
          await page.getByRole('button', { name: 'Send' }).tap()
          await pollAssert.is(async () => (await loadMessages(url, persona))[2], 'One\nTwo\nThree\nFour')
          await page.setViewportSize(phone.viewport)
          await tabs.waitFor()
          assert.equal(complaints, [])
        },
        phone,
      )
    },
    { models: createTalker({ answer: () => longAnswer }) },
  )
})

test('closes menus and dialogs with the back gesture, and goes back through the rooms', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await sendMessage(url, persona.id, 'Hello')
    await withPage(
      url + persona.room,
      async ({ page, complaints }) => {
        await waitForMessage(page, 'I hear you.')
        await page.getByRole('link', { name: 'Memory' }).tap()
        await page.waitForURL(/memory$/)
        await page.getByRole('button', { name: 'More', exact: true }).tap()
        await page.getByRole('link', { name: 'Health' }).waitFor()
        assert.equal(await barriers(page), [])
        await page.goBack()
        await page.getByRole('link', { name: 'Health' }).waitFor({ state: 'hidden' })
        assert.match(page.url(), /memory$/)
        await page.getByRole('button', { name: 'More', exact: true }).tap()
        await page.getByRole('link', { name: 'Life' }).tap()
        await page.waitForURL(/life$/)
        await page.getByRole('button', { name: 'Compare' }).tap()
        await page.getByRole('dialog').waitFor()
        await page.goBack()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        assert.match(page.url(), /life$/)
        await page.getByRole('button', { name: 'Compare' }).tap()
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await pollAssert.ok(() => page.evaluate<boolean>('!history.state?.isLayer'))
        await page.goBack()
        await page.waitForURL(/memory$/)
        await page.goBack()
        await page.waitForURL(/talk$/)
        await waitForMessage(page, 'I hear you.')
        assert.equal(complaints, [])
      },
      phone,
    )
  })
})

test('opens the menu of a message with a long press', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await sendMessage(url, persona.id, 'Hello')
    await withPage(
      url + persona.room,
      async ({ page }) => {
        await waitForMessage(page, 'Hello')
        const session = await page.context().newCDPSession(page)
        const box = await page.locator('[role=log] .hers .words').boundingBox()
        const touchPoints = [{ x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 10 }]
        await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
        await page.getByRole('menuitem', { name: 'Details' }).waitFor()
        await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
        await page.getByRole('menuitem', { name: 'Details' }).click()
        await page.locator('.story-body dl').waitFor()
      },
      phone,
    )
  })
})

test.run()
