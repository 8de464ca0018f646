import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { png } from '../stand-ins/media.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { listMessages, post, say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'
import { tone } from './tone.ts'

test.after(closeBrowser)

const makers = { imagination_model: 'embedded/practice', mouth_model: 'embedded/practice' }

const models = () => createTalker({ picture: png, sound: tone(1) })

const players = (page: Page) => page.getByRole('group', { name: 'Sound' })

test('shows pictures in the talk, also after a reload, and opens them in full size', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'draw a lake')
        const picture = page.locator('[role=log] .hers').getByRole('button', { name: 'a lake' })
        await picture.waitFor()
        await waitForMessage(page, 'I hear you.')
        const live = await listMessages(page)
        await page.reload()
        await waitForMessage(page, 'I hear you.')
        await pollAssert.equal(() => listMessages(page), live)
        await pollAssert.is(() => picture.count(), 1)

        await picture.press('Enter')
        const large = page.getByRole('dialog', { name: 'a lake' })
        await large.getByRole('img', { name: 'a lake' }).waitFor()
        await waitFor('the picture, large', () =>
          page.evaluate<boolean>(`document.querySelector('.viewer img').naturalWidth === 1`),
        )
        await page.keyboard.press('Escape')
        await large.waitFor({ state: 'hidden' })
        await pollAssert.is(() => page.evaluate('document.activeElement.className'), 'picture')
        await picture.click()
        await large.waitFor()
        await page.mouse.click(20, 400)
        await large.waitFor({ state: 'hidden' })
        assert.equal(complaints, [])
      })
    },
    { models: models() },
  )
})

test('offers a picture that the browser cannot show as a download', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page }) => {
        await page.route('**/media/*', (route) =>
          route.fulfill({ body: 'no picture', contentType: 'image/png' }),
        )
        await say(page, 'draw a lake')
        await page.locator('[role=log] .hers').getByRole('link', { name: 'cannot be shown here' }).waitFor()
        await pollAssert.is(() => page.locator('[role=log] .hers').getByRole('img').count(), 0)
      })
    },
    { models: models() },
  )
})

// Verified to fail without the correction of the scroll position.
test('keeps the scroll position when a picture above loads late', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page }) => {
        await say(page, 'draw a lake')
        await waitForMessage(page, 'I hear you.')
        for (const index of [2, 3]) {
          await post(url, `/api/persona/${persona.id}/read`, { message: 'A long letter\n'.repeat(20) })
          await waitForMessage(page, 'I hear you.', index)
        }
        let release = () => {}
        const whenReleased = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route('**/media/*', async (route) => {
          await whenReleased
          await route.continue()
        })
        const request = page.waitForRequest('**/media/*')
        await page.reload()
        await waitForMessage(page, 'I hear you.', 3)
        await page.evaluate(`document.querySelector('.scroller').scrollTop -= 200`)
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        )
        const pageBefore = await lastLine(page)
        await request
        release()
        await page.locator('img.waiting').waitFor({ state: 'detached' })
        await pollAssert.is(() => lastLine(page), pageBefore)
      })
    },
    { models: models() },
  )
})

const lastLine = (page: Page): Promise<number> =>
  page.evaluate(`[...document.querySelectorAll('.mine')].at(-1).getBoundingClientRect().top`)

// Verified to fail if a second clip does not wait for the first, and if a clip that is started does not stop
// another one.
test('plays spoken messages automatically, one at a time', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await page.evaluate(log)
        await page.getByRole('textbox').click()
        await say(page, 'speak the first')
        await players(page).first().waitFor()
        await say(page, 'speak the second')
        await players(page).nth(1).waitFor()
        // The second clip waits for the end of the first.
        await waitFor('the end of both', async () => (await getLog(page)).length === 4)
        await pollAssert.equal(() => getLog(page), ['play 0', 'pause 0', 'play 1', 'pause 1'])
        await pollAssert.is(() => page.locator('.unheard').count(), 0)

        // In a loop, it never ends by itself.
        await page.evaluate(`document.querySelector('audio').loop = true`)
        await players(page).nth(0).getByRole('button', { name: 'Play' }).click()
        await players(page).nth(0).getByRole('button', { name: 'Pause' }).waitFor()
        await players(page).nth(1).getByRole('button', { name: 'Play' }).click()
        await players(page).nth(0).getByRole('button', { name: 'Play' }).waitFor()
        assert.equal(complaints, [])
      })
    },
    { models: models() },
  )
})

/** Records the start and end of each clip, in order. */
const log = `window.heard = []
  for (const type of ['play', 'pause']) {
    document.addEventListener(type, ({ target }) => heard.push(type + ' ' + [...document.querySelectorAll('audio')].indexOf(target)), true)
  }`

const getLog = (page: Page): Promise<readonly string[]> => page.evaluate('window.heard')

// Verified to fail if the page does not check that the user is present.
test('does not play spoken messages while the user is absent, nor after a reload', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page }) => {
        await page.evaluate(`document.hasFocus = () => false`)
        await say(page, 'speak softly')
        await waitForMessage(page, 'I hear you.')
        await page.locator('.unheard').waitFor()
        await page.getByText('0:01', { exact: true }).waitFor()
        await pollAssert.ok(() => isUntouched(page))
        await page.reload()
        await page.getByText('0:01', { exact: true }).waitFor()
        await pollAssert.ok(() => isUntouched(page))
      })
    },
    { models: models() },
  )
})

const isUntouched = (page: Page): Promise<boolean> =>
  page.evaluate(`document.querySelector('audio').played.length === 0`)

test.run()
