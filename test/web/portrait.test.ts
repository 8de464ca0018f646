/** The portrait on the page: chosen in the view of the persona, shown everywhere, drawn and removed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getMainHue } from '../../web/who/main-hue.ts'
import { png } from '../stand-ins/media.ts'
import { seriousOn } from './accessible.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const fill = (red: number, green: number, blue: number) =>
  Array.from({ length: 16 }, () => [red, green, blue, 255]).flat()

test('finds the main hue of a picture, and none in a grey one', () => {
  assert.is(getMainHue(fill(128, 128, 128)), null)
  assert.is(getMainHue([]), null)
  const hues = [fill(255, 0, 0), fill(0, 255, 0), fill(0, 0, 255)].map((pixels) => getMainHue(pixels) ?? 0)
  assert.equal(
    hues.map((hue) => Math.round(hue / 10) * 10),
    [30, 140, 260],
  )
})

test('shows a chosen portrait in the header and the list, and removes it', async () => {
  await withDaemon(async ({ url }) => {
    const { room } = await wake(url, 'Ada')
    await withPage(url + room, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'About Ada' }).click()
      const dialog = page.getByRole('dialog', { name: 'Ada' })
      await dialog.getByText('Nothing yet.').waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      const picker = dialog.getByLabel('Choose a picture…')
      const text = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
      await picker.setInputFiles(text)
      await dialog.getByRole('alert').getByText('no picture that can be shown').waitFor()
      await picker.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
      await dialog.getByText('Saved.').waitFor()
      await page.locator('.room-head img.face').first().waitFor()
      await page.locator('a.row img.face').waitFor()
      await dialog.getByRole('button', { name: 'Remove the portrait' }).click()
      await dialog.getByText('Removed.').waitFor()
      await pollAssert.is(() => page.locator('img.face').count(), 0)
      assert.equal(complaints, [])
    })
  })
})

test('opens the talk with an example of an empty room in its field', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Ada')
    await withPage(`${url}/persona/${id}/memory`, async ({ page }) => {
      await page.getByRole('button', { name: 'Remember that my sister is called Ana.' }).click()
      const field = page.getByRole('textbox', { name: 'Write to Ada' })
      await pollAssert.is(() => field.inputValue(), 'Remember that my sister is called Ana.')
    })
  })
})

test.run()
