/** The page of a copy that is only shown (`daimon journal-browser`). */

import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startDaemon, tempHome } from '../daemon.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { getOverflow, sendMessage } from './lives.ts'
import { wake } from './setup.ts'

test.after(closeBrowser)

const banners = [
  {
    locale: 'en-GB',
    sentence:
      /^Read-only copy of Mira, up to \S.* 2026.*, from \/backups\/old home\. Nothing can be changed here\.$/,
  },
  {
    locale: 'de-DE',
    sentence:
      /^Schreibgeschützte Kopie von Mira, Stand \S.* 2026.*, aus \/backups\/old home\. Hier lässt sich nichts ändern\.$/,
  },
]

test('says in each language what is shown, and up to when', async () => {
  const home = await tempHome()
  const original = await startDaemon({ home })
  const { id } = await wake(original.url, 'Mira')
  await sendMessage(original.url, id, 'I live in Lisbon.')
  await withPage(`${original.url}/persona/${id}/life`, async ({ page }) => {
    await page.getByText('I live in Lisbon.').first().waitFor()
    assert.is(await page.locator('.copy-bar').count(), 0)
  })
  await original.close()
  const copy = { path: '/backups/old home', until: { [id]: '2026-11-28T21:04:00+01:00' } }
  const shown = await startDaemon({ home, copy })
  try {
    for (const { locale, sentence } of banners)
      for (const viewport of [
        { width: 1200, height: 800 },
        { width: 390, height: 760 },
      ])
        await withPage(
          `${shown.url}/persona/${id}/life`,
          async ({ page, complaints }) => {
            await page.getByText('I live in Lisbon.').first().waitFor()
            assert.match(await page.locator('.copy-bar').innerText(), sentence)
            assert.equal(await barriers(page), [])
            assert.is(await getOverflow(page), 0)
            await page.screenshot({ path: `.tmp/screens/copy-${locale}-${viewport.width}.png` })
            assert.equal(complaints, [])
          },
          { locale, viewport },
        )
  } finally {
    await shown.close()
    await rm(home, { recursive: true, force: true })
  }
})

test.run()
