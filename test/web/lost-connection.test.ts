import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { listMessages, loadMessages, say, waitForMessage, wake } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

test('reports a lost connection and recovers without lost or repeated messages', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home, models: createTalker() })
  const persona = await wake(first.url, 'Mira')
  await withPage(first.url + persona.room, async ({ page }) => {
    await say(page, 'Before')
    await waitForMessage(page, 'I hear you.')
    await first.close()
    await page.getByText('Connection lost, trying again…').waitFor()
    await say(page, 'Meanwhile')
    await page.getByText('waits for the connection').waitFor()

    const second = await startDaemon({ home, port: first.port, models: createTalker() })
    try {
      await waitForMessage(page, 'Meanwhile')
      await waitForMessage(page, 'I hear you.', 2)
      await page.getByText('Connection lost, trying again…').waitFor({ state: 'detached' })
      await say(page, 'After')
      await waitForMessage(page, 'I hear you.', 3)
      await pollAssert.is(() => page.locator('.letter').count(), 0)
      await pollAssert.equal(
        () => listMessages(page),
        ['Before', 'I hear you.', 'Meanwhile', 'I hear you.', 'After', 'I hear you.'],
      )
      await pollAssert.equal(() => listMessages(page), await loadMessages(second.url, persona))
    } finally {
      await second.close()
    }
  })
  await rm(home, { recursive: true, force: true })
})

test('keeps messages written while offline over a reload, and delivers them once', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home, models: createTalker() })
  const persona = await wake(first.url, 'Mira')
  await withPage(first.url + persona.room, async ({ page, tab }) => {
    await say(page, 'Before')
    await waitForMessage(page, 'I hear you.')
    await first.close()
    await say(page, 'Kept')
    await page.getByText('waits for the connection').waitFor()
    await page.close()

    const second = await startDaemon({ home, port: first.port, models: createTalker() })
    try {
      const laterPage = await tab(persona.room)
      await waitForMessage(laterPage, 'Kept')
      await waitForMessage(laterPage, 'I hear you.', 2)
      await laterPage.locator('.letter').waitFor({ state: 'detached' })
      await pollAssert.equal(() => listMessages(laterPage), ['Before', 'I hear you.', 'Kept', 'I hear you.'])
      await pollAssert.equal(() => loadMessages(second.url, persona), await listMessages(laterPage))
    } finally {
      await second.close()
    }
  })
  await rm(home, { recursive: true, force: true })
})

// Verified to fail if responses of the API are cached, too.
test('opens while the daemon is unreachable, and caches no messages', async () => {
  const daemon = await startDaemon({ models: createTalker() })
  const persona = await wake(daemon.url, 'Mira')
  await withPage(
    daemon.url + persona.room,
    async ({ page }) => {
      await page.evaluate('navigator.serviceWorker.ready')
      await page.reload()
      await say(page, 'Between us')
      await waitForMessage(page, 'I hear you.')
      await daemon.close()
      await page.reload()
      await page.getByText('Daimon does not answer.').waitFor()
      const cached = await page.evaluate<readonly string[]>(`(async () => {
        const cache = await caches.open((await caches.keys())[0])
        const all = await cache.keys()
        const texts = await Promise.all(all.map(async (one) => (await (await cache.match(one)).text())))
        return all.map(({ url }, n) => new URL(url).pathname + (texts[n].includes('Between us') ? ' holds it' : ''))
      })()`)
      assert.ok(cached.length > 0)
      assert.equal(
        cached.filter((path) => path !== '/' && !/^\/assets\/[^ ]+$/.test(path)),
        [],
      )
    },
    { serviceWorkers: 'allow' },
  )
})

test('opens after a single visit while the daemon is unreachable, and continues when it runs again', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home, models: createTalker() })
  const persona = await wake(first.url, 'Mira')
  await withPage(
    first.url + persona.room,
    async ({ page }) => {
      await say(page, 'Hello')
      await waitForMessage(page, 'I hear you.')
      await waitFor('the files to be stored', () =>
        page.evaluate<boolean>(`(async () => {
          const cache = await caches.open('daimon-page')
          const names = performance.getEntriesByType('resource').map(({ name }) => name)
          const assets = names.filter((name) => name.startsWith(location.origin + '/assets/'))
          return (await Promise.all(['/', ...assets].map((name) => cache.match(name)))).every(Boolean)
        })()`),
      )
      await first.close()
      await page.reload()
      await page.getByRole('heading', { name: 'Daimon is not running' }).waitFor()
      await pollAssert.equal(() => barriers(page), [])
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('heading', { name: 'Daimon is not running' }).waitFor()

      const second = await startDaemon({ home, port: first.port, models: createTalker() })
      try {
        await waitForMessage(page, 'I hear you.')
        await pollAssert.is(() => page.getByText('Daimon is not running').count(), 0)
      } finally {
        await second.close()
      }
    },
    { serviceWorkers: 'allow' },
  )
  await rm(home, { recursive: true, force: true })
})

test.run()
