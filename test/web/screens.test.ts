/**
 * Every screen in light, dark, on a phone and in forced colours: nothing keeps somebody from using it,
 * nothing is wider than the screen, nothing is complained about. Pictures of them are left in
 * `.tmp/screens/`.
 */
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../clock.ts'
import { whole } from '../ordeal.ts'
import { livedHome, now } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { post, withDaemon } from './setup.ts'
import { soon } from './soon.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })

/** By the name of its picture, and what stands there once it is drawn. */
const ofAda = {
  talk: '[role=log] .words',
  life: '.room-body li',
  memory: '.statement',
  instructions: '.room-body h3, .room-body li',
  calendar: '.room-body li',
  health: '.room-body table, .room-body dl',
  settings: '.room-body form',
} as const

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  forced: { colorScheme: 'light', forcedColors: 'active' },
} as const

const lookAt = async (page: Page, name: string) => {
  for (const [look, media] of Object.entries(looks)) {
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
    await page.screenshot({ path: `${folder}${name}-${look}.png` })
    // Light and dark are looked at room by room. Forced colours are the system's: axe reckons with the
    // page's.
    if (look !== 'forced' && !whole) continue
    await soon.equal(
      () => barriers(page, { without: look === 'forced' ? ['color-contrast'] : [] }),
      [],
      `${name}, ${look}`,
    )
  }
  await page.emulateMedia(looks.light)
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.waitForTimeout(150)
  await page.screenshot({ path: `${folder}${name}-phone.png` })
  await soon.equal(() => barriers(page), [], `${name}, phone`)
  await soon.ok(
    () => page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    `${name} is wider than a phone`,
  )
  if (wide) await page.setViewportSize(wide)
}

test('the rooms of somebody who has lived a while', async () => {
  const home = await livedHome()
  try {
    await withDaemon(
      async ({ url }) => {
        await post(url, '/api/persona/create', { name: 'Bruno', thinking_model: 'embedded/practice' })
        await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
          for (const [room, there] of Object.entries(ofAda)) {
            await page.goto(`${url}/persona/ada/${room}`)
            await page.locator(there).first().waitFor()
            await page.waitForTimeout(200)
            await lookAt(page, room)
          }
          await page.goto(`${url}/persona/ada/memory?at=9`)
          await page.locator('.statement').first().waitFor()
          await lookAt(page, 'then')
          await page.goto(url)
          await page.getByRole('heading', { name: 'Whom would you like to talk to?' }).waitFor()
          await lookAt(page, 'choose')
          await page.keyboard.press('Control+k')
          await page.getByRole('dialog').waitFor()
          await lookAt(page, 'palette')
          assert.equal(complaints, [])
        })
      },
      { home, clock: createFakeClock(now, 'Europe/Berlin') },
    )
  } finally {
    await rm(home, { recursive: true })
  }
})

test('the screens of the beginning', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Try it now' }).waitFor()
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
