/**
 * Every screen in the light and dark theme, on a phone and in forced colours: accessible, no wider than the
 * screen, and without errors. Saves screenshots in `.tmp/screens/` if `SCREENS` is set or in a run at full
 * size.
 */
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Room } from '../../web/shared/address.ts'
import { createFakeClock } from '../clock.ts'
import { isWhole } from '../ordeal.ts'
import { png } from '../stand-ins/media.ts'
import { openPushService, pushReach } from '../stand-ins/push-service.ts'
import { livedHome, nowIso } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { standInForPush } from './push-browser.ts'
import { post, say, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })

/** By the name of the screenshot: a selector of its content. */
const ofAda = {
  talk: '[role=log] .words',
  life: '.room-body li',
  memory: '.statement',
  instructions: '.room-body h3, .room-body li',
  tools: '.room-body summary',
  skills: '.room-body input',
  calendar: '.room-body li',
  health: '.room-body details.card',
  settings: '.room-body form',
} as const satisfies Record<Room, string>

const themes = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

const savesScreenshots = isWhole || Boolean(process.env.SCREENS)
const shoot = async (page: Page, name: string) => {
  if (savesScreenshots) await page.screenshot({ path: `${folder}${name}.png` })
}

/** `locator`: the element to scroll into view. */
const lookAt = async (page: Page, name: string, locator?: Locator) => {
  for (const [look, media] of Object.entries(themes)) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
    await shoot(page, `${name}-${look}`)
    // Other tests check each room in the light and dark theme. With forced colours, axe would use the page's
    // colours.
    if (look !== 'forced' && !isWhole) continue
    await pollAssert.equal(
      () => barriers(page, { excludedRules: look === 'forced' ? ['color-contrast'] : [] }),
      [],
      `${name}, ${look}`,
    )
  }
  await page.emulateMedia(themes.light)
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.waitForTimeout(150)
  if (locator) await locator.scrollIntoViewIfNeeded()
  await shoot(page, `${name}-phone`)
  await page.emulateMedia(themes.dark)
  await shoot(page, `${name}-phone-dark`)
  await page.emulateMedia(themes.light)
  await pollAssert.equal(() => barriers(page), [], `${name}, phone`)
  await pollAssert.ok(
    () => page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    `${name} is wider than a phone`,
  )
  if (wide) await page.setViewportSize(wide)
}

/**
 * Each width is checked in one theme only, because a run of axe takes a third of a second. A usual run checks
 * one width of each room, in turn.
 */
const widths = [
  [820, 'dark'],
  [1440, 'forced'],
  [2200, 'light'],
] as const

let checkedRooms = 0

const checkWidths = async (page: Page, name: string) => {
  const size = page.viewportSize()
  const turn = checkedRooms % widths.length
  checkedRooms += 1
  for (const [width, look] of isWhole ? widths : widths.slice(turn, turn + 1)) {
    await page.emulateMedia({ ...themes[look], reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await pollAssert.equal(
      () => barriers(page, { excludedRules: look === 'forced' ? ['color-contrast'] : [] }),
      [],
      `${name}, ${width}, ${look}`,
    )
    await pollAssert.ok(
      () => page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
      `${name} is wider than ${width}`,
    )
  }
  await page.emulateMedia(themes.light)
  if (size) await page.setViewportSize(size)
}

test('the rooms of a persona with some history', async () => {
  const home = await livedHome()
  try {
    await withDaemon(
      async ({ url }) => {
        await post(url, '/api/persona/create', { name: 'Bruno', thinking_model: 'embedded/practice' })
        await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
          for (const [room, selector] of Object.entries(ofAda)) {
            await page.goto(`${url}/persona/ada/${room}`)
            await page.locator(selector).first().waitFor()
            await page.waitForTimeout(200)
            await lookAt(page, room)
            await checkWidths(page, room)
          }
          await page.goto(`${url}/settings`)
          await page.getByRole('heading', { name: 'Models' }).waitFor()
          await lookAt(page, 'preferences')
          await checkWidths(page, 'preferences')
          await page.goto(`${url}/persona/ada/memory?at=9`)
          await page.locator('.statement').first().waitFor()
          await lookAt(page, 'then')
          await page.goto(url)
          await page.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor()
          await lookAt(page, 'choose')
          await page.keyboard.press('Control+k')
          await page.getByRole('dialog').waitFor()
          await lookAt(page, 'palette')
          assert.equal(complaints, [])
        })
      },
      { home, clock: createFakeClock(nowIso, 'Europe/Berlin') },
    )
  } finally {
    await rm(home, { recursive: true })
  }
})

test('an off-record talk with a picture to send', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(`${url}${persona.room}?kept=no`, async ({ page, complaints }) => {
      await page.getByText('Talk with Mira here without leaving a trace.').waitFor()
      await lookAt(page, 'unkept-empty')
      await say(page, 'Between you and me: I may leave in spring.')
      await waitForMessage(page, 'I hear you.')
      await page.locator('input[type=file]').setInputFiles([
        { name: 'a-picture-with-quite-a-long-name-of-its-own.png', mimeType: 'image/png', buffer: png },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') },
      ])
      await page.getByText('Off the record you can send only pictures').waitFor()
      await page.getByRole('textbox').fill('Look at this')
      await lookAt(page, 'unkept')
      assert.equal(complaints, [])
    })
  })
})

test('the settings of push notifications', async () => {
  const service = await openPushService()
  try {
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, 'Mira')
        const visit = { serviceWorkers: 'allow', permissions: ['notifications'] } as const
        await withPage(
          'about:blank',
          async ({ page }) => {
            const { answers } = await standInForPush(page, service)
            await page.goto(`${url}${persona.room.replace('talk', 'settings')}#appearance`)
            const section = page.getByRole('group', { name: 'While the page is closed' })
            const press = (name: string) => section.getByRole('button', { name, exact: true }).click()
            const takePicture = async (name: string) => {
              await section.scrollIntoViewIfNeeded()
              await lookAt(page, name, section)
            }
            await section.getByRole('button', { name: 'Turn on' }).waitFor()
            await takePicture('told-not')
            await answers('granted')
            await press('Turn on')
            await section.getByText('Notifications are on.').waitFor()
            await takePicture('told')
          },
          { ...visit, permissions: [...visit.permissions] },
        )
      },
      { reach: pushReach },
    )
  } finally {
    await service.close()
  }
})

test('the screens that create a persona', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Talk to Mira' }).waitFor()
      await lookAt(page, 'first')
      await page.goto(`${url}/new`)
      await page.getByLabel('Name').waitFor()
      await lookAt(page, 'new')
      await page.goto(`${url}/restore`)
      await page.getByRole('heading').first().waitFor()
      await lookAt(page, 'restore')
      assert.equal(complaints, [])
    })
  })
})

test.run()
