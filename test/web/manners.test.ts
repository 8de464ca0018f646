import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rooms } from '../../web/shared/address.ts'
import { pdf, png, wav } from '../stand-ins/media.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { files, openRoom, say, typeText, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

test('loads nothing from other origins, follows its policy and logs no error', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints, origins }) => {
      await page.getByRole('button', { name: 'Talk to Mira' }).click()
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      await say(page, 'Hello')
      await waitForMessage(page, 'I hear you.')
      await page.getByRole('link', { name: 'New persona' }).click()
      await page.getByText('One model is installed on this machine.').waitFor()
      await page.goBack()
      await openRoom(page, 'Settings')
      await page.getByRole('button', { name: 'Restart' }).click()
      await page.getByText('Restarted.').waitFor()
      await page.getByRole('link', { name: 'Talk', exact: true }).click()
      await page.reload()
      await waitForMessage(page, 'I hear you.')
      assert.equal([...origins], [url])
      assert.equal(complaints, [])
    })
  })
})

test('loads a talk without the diagnosis, and with compressed replies', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage('about:blank', async ({ page, complaints }) => {
      const paths: string[] = []
      page.on('request', (request) => paths.push(new URL(request.url()).pathname))
      await page.goto(url + persona.room)
      await say(page, 'Hello')
      await waitForMessage(page, 'I hear you.')
      await pollAssert.ok(() => paths.some((path) => path.endsWith('/organs')))
      assert.equal(
        paths.filter((path) => path.endsWith('/diagnose')),
        [],
      )
      const health = page.waitForResponse(/\/diagnose$/)
      await openRoom(page, 'Health')
      const response = await health
      assert.is(await response.headerValue('content-encoding'), 'gzip')
      assert.is(Object.keys((await response.json()) as object).includes('uptime'), true)
      assert.equal(complaints, [])
    })
  })
})

test('fits a phone with any message', async () => {
  const models = createTalker({
    answer: () => `${'word'.repeat(80)} https://example.org/${'path/'.repeat(60)}`,
  })
  const phone = {
    viewport: { width: 360, height: 640 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
  } as const
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, `Konstantina ${'von und zu '.repeat(8)}`, {
        ear_model: 'embedded/practice',
      })
      await withPage(
        url,
        async ({ page }) => {
          // With a single persona, the page opens its talk.
          await page.waitForURL(url + persona.room)
          await page.getByRole('link', { name: 'Back to the list' }).click()
          await page.locator('.row').waitFor()
          await pollAssert.ok(() => fits(page))
          await page.locator('.row').click()
          await page.waitForURL(url + persona.room)
          // On a touch keyboard, Enter begins a new line.
          await page.getByRole('textbox').fill('x'.repeat(300))
          await page.getByRole('textbox').press('Enter')
          await page.getByRole('button', { name: 'Send' }).click()
          await page.locator('[role=log] .hers').waitFor()
          await pollAssert.ok(() => fits(page))
          await page.locator('input[type=file]').setInputFiles(longNames)
          await pollAssert.ok(() => fits(page))
          await page.getByRole('button', { name: 'Send' }).click()
          while ((await files(url, persona)).length < longNames.length) await page.waitForTimeout(50)
          await page.locator('.letter').first().waitFor({ state: 'detached' })
          await page.locator('[role=log] .mine').first().waitFor()
          await pollAssert.ok(() => fits(page))
          await page.getByRole('button', { name: 'Record your voice' }).click()
          await page.getByRole('timer').waitFor()
          await pollAssert.ok(() => fits(page))
          await page.keyboard.press('Escape')
          for (const room of rooms.filter((name) => name !== 'talk')) {
            await page.goto(url + persona.room.replace(/talk$/, room))
            await page.locator('.room-body > *').first().waitFor()
            await pollAssert.ok(() => fits(page), room)
          }
          for (const organ of await page.locator('main details > summary').all()) await organ.click()
          await pollAssert.ok(() => fits(page))
          await page.goto(`${url}/new`)
          await page.getByLabel('Name').waitFor()
          await pollAssert.ok(() => fits(page))
        },
        phone,
      )
    },
    { models },
  )
})

test('has one header of 56 px that fits in German, too', async () => {
  await withDaemon(async ({ url }) => {
    const { room } = await wake(url, 'Konstantin Alexander')
    await withPage(
      url + room,
      async ({ page }) => {
        const rooms = page.getByRole('navigation', { name: /^Seiten von/ })
        for (const width of [1200, 820]) {
          await page.setViewportSize({ width, height: 800 })
          await rooms.getByRole('link', { name: 'Gespräch' }).waitFor()
          const [head, tabs, log] = (await page.evaluate(
            `['.room-head', '.in-room > .rooms', '.scroller'].map((one) => document.querySelector(one).getBoundingClientRect().toJSON())`,
          )) as readonly { top: number; left: number; right: number; bottom: number; width: number }[]
          assert.ok(head && tabs && log)
          assert.equal([head.top, head.bottom, tabs.top, tabs.bottom, log.top], [0, 56, 0, 56, 56])
          assert.ok(head.right <= tabs.left + 0.5 && tabs.right <= width && head.width > 150, String(width))
          await rooms.getByRole('button', { name: 'Mehr' }).click()
          for (const name of ['Anweisungen', 'Werkzeuge', 'Fertigkeiten', 'Zustand', 'Einstellungen'])
            assert.ok(await rooms.getByRole('link', { name }).isVisible(), name)
          await page.keyboard.press('Escape')
        }
      },
      { locale: 'de-DE' },
    )
  })
})

test('can be used by keyboard', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page }) => {
      await page.getByRole('button', { name: 'Talk to Mira' }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Mira' }).waitFor()
      await typeText(page, 'Typed without a mouse')
      await page.keyboard.press('Enter')
      await waitForMessage(page, 'Typed without a mouse')
      await page.getByRole('button', { name: 'More', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowUp')
      await page.locator(':focus', { hasText: 'Settings' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator(':focus', { hasText: 'More' }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL(/persona.*settings$/)
      await page.locator(':focus', { hasText: 'More' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.locator(':focus', { hasText: 'More' }).waitFor()
    })
  })
})

test('renders right-to-left text, and isolates right-to-left names', async () => {
  const models = createTalker({ answer: () => mixedWords })
  await withDaemon(
    async ({ url }) => {
      const { room } = await wake(url, 'مريم')
      await withPage(url + room, async ({ page, complaints }) => {
        await say(page, 'مرحبا!')
        const hers = page.locator('[role=log] .hers .md')
        await hers.locator('pre').waitFor()
        await pollAssert.is(() => getDirection(page, '.mine .words'), 'rtl')
        await pollAssert.is(() => getDirection(page, '.hers .md p'), 'ltr')
        for (const block of ['ol', 'blockquote', 'table'])
          await pollAssert.is(() => getDirection(page, `.hers .md ${block}`), 'rtl', block)
        await pollAssert.is(() => getDirection(page, '.hers .md pre'), 'ltr')
        // An item in another script is aligned with its marker.
        await pollAssert.is(() => getStyle(page, '.hers .md li:last-child', 'textAlign'), 'right')
        await pollAssert.ok(() => page.evaluate<boolean>(standsBesideFace))

        await openRoom(page, 'Settings')
        await page.getByText('\u2068مريم\u2069 is active.', { exact: true }).waitFor()
        await pollAssert.is(() => getDirection(page, '.how p'), 'ltr')

        for (const width of [360, 2200]) {
          await page.setViewportSize({ width, height: 900 })
          for (const place of rooms) {
            await page.goto(url + room.replace(/talk$/, place))
            await page.locator('.room-body > *').first().waitFor()
            await pollAssert.ok(() => fits(page), `${place} at ${width}`)
            if (place !== 'talk')
              await pollAssert.ok(() => page.evaluate<boolean>(standsInMiddle), `${place} at ${width}`)
          }
        }
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

const mixedWords = `Here is the list:

1. خبز من مخبز لينا
2. See you there

> من جدّ وجد.

| الاسم | المدينة |
|---|---|
| لينا | Porto |

\`\`\`js
const name = 'مريم' // اسم
\`\`\``

const getStyle = (page: Page, place: string, property: 'direction' | 'textAlign'): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${place}')).${property}`)
const getDirection = (page: Page, place: string): Promise<string> => getStyle(page, place, 'direction')

/** Runs in the page. */
const standsBesideFace = `(() => {
  const [face, name] = ['.room-head .face', '.room-head .name'].map((one) => document.querySelector(one).getBoundingClientRect())
  return name.left >= face.right && name.left - face.right < 30
})()`
const standsInMiddle = `(() => {
  const room = document.querySelector('.room-body')
  const box = room.getBoundingClientRect()
  const parts = [...room.firstElementChild.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 1)
  const [left, right] = [Math.min(...parts.map((one) => one.left)), Math.max(...parts.map((one) => one.right))]
  return Math.abs(left + right - box.left - box.right) < 2 && right - left <= 46 * 16 + 1
})()`

const longNames = ['picture.png', 'paper.pdf', 'song.wav'].map((name) => ({
  name: `${'long'.repeat(40)} ${name}`,
  mimeType: { 'picture.png': 'image/png', 'song.wav': 'audio/wav' }[name] ?? 'application/pdf',
  buffer: { 'picture.png': png, 'song.wav': wav }[name] ?? pdf,
}))

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(`[document.documentElement, document.body, ...document.querySelectorAll('.scroller, .sheet, .list, .composer, .room-body, main')].every(
    ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
  )`)

test.run()
