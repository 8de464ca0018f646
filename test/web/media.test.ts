import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { png } from '../stand-ins/media.ts'
import { closeBrowser, withPage } from './browser.ts'
import { post, say, shown, waitForMessage, wake, withDaemon } from './setup.ts'
import { soon } from './soon.ts'
import { createTalker } from './talker.ts'
import { tone } from './tone.ts'

test.after(closeBrowser)

const makers = { imagination_model: 'embedded/practice', mouth_model: 'embedded/practice' }

const models = () => createTalker({ picture: png, sound: tone(1) })

const players = (page: Page) => page.getByRole('group', { name: 'Sound' })

test('shows pictures in the talk, also after a reload, and opens them in full size', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira', makers)
      await withPage(url + her.room, async ({ page, complaints }) => {
        await say(page, 'draw a lake')
        const picture = page.locator('[role=log] .hers').getByRole('button', { name: 'a lake' })
        await picture.waitFor()
        await waitForMessage(page, 'I hear you.')
        const live = await shown(page)
        await page.reload()
        await waitForMessage(page, 'I hear you.')
        await soon.equal(() => shown(page), live)
        await soon.is(() => picture.count(), 1)

        await picture.press('Enter')
        const large = page.getByRole('dialog', { name: 'a lake' })
        await large.getByRole('img', { name: 'a lake' }).waitFor()
        await waitFor('the picture, large', () =>
          page.evaluate<boolean>(`document.querySelector('.viewer img').naturalWidth === 1`),
        )
        await page.keyboard.press('Escape')
        await large.waitFor({ state: 'hidden' })
        await soon.is(() => page.evaluate('document.activeElement.className'), 'picture')
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
      const her = await wake(url, 'Mira', makers)
      await withPage(url + her.room, async ({ page }) => {
        await page.route('**/media/*', (route) =>
          route.fulfill({ body: 'no picture', contentType: 'image/png' }),
        )
        await say(page, 'draw a lake')
        await page.locator('[role=log] .hers').getByRole('link', { name: 'cannot be shown here' }).waitFor()
        await soon.is(() => page.locator('[role=log] .hers').getByRole('img').count(), 0)
      })
    },
    { models: models() },
  )
})

// Verified to fail without the correction of the scroll position.
test('keeps the scroll position when a picture above loads late', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira', makers)
      await withPage(url + her.room, async ({ page }) => {
        await say(page, 'draw a lake')
        await waitForMessage(page, 'I hear you.')
        for (const at of [2, 3]) {
          await post(url, `/api/persona/${her.id}/read`, { message: 'A long letter\n'.repeat(20) })
          await waitForMessage(page, 'I hear you.', at)
        }
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route('**/media/*', async (route) => {
          await released
          await route.continue()
        })
        const request = page.waitForRequest('**/media/*')
        await page.reload()
        await waitForMessage(page, 'I hear you.', 3)
        await page.evaluate(`document.querySelector('.scroller').scrollTop -= 200`)
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        )
        const before = await lastLine(page)
        await request
        release()
        await page.locator('img.waiting').waitFor({ state: 'detached' })
        await soon.is(() => lastLine(page), before)
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
      const her = await wake(url, 'Mira', makers)
      await withPage(url + her.room, async ({ page, complaints }) => {
        await page.evaluate(log)
        await page.getByRole('textbox').click()
        await say(page, 'speak the first')
        await players(page).first().waitFor()
        await say(page, 'speak the second')
        await players(page).nth(1).waitFor()
        // The second clip waits for the end of the first.
        await waitFor('the end of both', async () => (await getLog(page)).length === 4)
        await soon.equal(() => getLog(page), ['play 0', 'pause 0', 'play 1', 'pause 1'])
        await soon.is(() => page.locator('.unheard').count(), 0)

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
      const her = await wake(url, 'Mira', makers)
      await withPage(url + her.room, async ({ page }) => {
        await page.evaluate(`document.hasFocus = () => false`)
        await say(page, 'speak softly')
        await waitForMessage(page, 'I hear you.')
        await page.locator('.unheard').waitFor()
        await page.getByText('0:01', { exact: true }).waitFor()
        await soon.ok(() => isUntouched(page))
        await page.reload()
        await page.getByText('0:01', { exact: true }).waitFor()
        await soon.ok(() => isUntouched(page))
      })
    },
    { models: models() },
  )
})

const isUntouched = (page: Page): Promise<boolean> =>
  page.evaluate(`document.querySelector('audio').played.length === 0`)

test.run()
