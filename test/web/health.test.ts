import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { barriers, waitForFocus } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { getOverflow, listedPersona, sendMessage } from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import { post, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

/** Opens the part with the last day, the abilities and the journal. */
const openDetails = (page: Page) => page.locator('details.card > summary').click()

const roomPath = (id: string, query = '') => `/persona/${id}/health${query}`

test('describes the condition in one sentence, and offers the actions that fit', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(url + roomPath(id), async ({ page, tab, complaints }) => {
      await page.getByText('Everything works.').waitFor()
      const otherPage = await tab(roomPath(id))
      await page.getByRole('button', { name: 'Stop' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('Stopped.', { exact: true }).waitFor()
      await waitForFocus(page)
      for (const view of [page, otherPage]) await view.getByText('Mira is stopped.').waitFor()
      await page.getByRole('button', { name: 'Put to sleep' }).click()
      await page.getByText('Mira is asleep.').waitFor()
      await page.getByRole('button', { name: 'Start' }).click()
      await otherPage.getByText('Everything works.').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('builds derived data again, and says whether it was right', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await sendMessage(url, id, 'I live in Lisbon.')
    await withPage(url + roomPath(id), async ({ page, complaints }) => {
      await openDetails(page)
      for (const name of ['Memory, calendar and settings', 'Search index']) {
        await page.getByRole('button', { name: `Build again: ${name}` }).click()
        await page.getByText(`${name}: built again. It was right before, too.`).waitFor()
      }
      assert.equal(await barriers(page), [])
      assert.is(await getOverflow(page), 0)
      assert.equal(complaints, [])
    })
  })
})

test("shows the daemon's reason if an action fails", async () => {
  let fails = false
  const models = {
    ...createTalker(),
    probe: async () => {
      if (fails) throw new Error('nobody listens there')
    },
  }
  await withDaemon(
    async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      await post(url, `/api/persona/${id}/stop`)
      fails = true
      await withPage(url + roomPath(id), async ({ page }) => {
        await page.getByRole('button', { name: 'Start', exact: true }).click()
        await page.getByText('nobody listens there').first().waitFor()
        await waitForFocus(page)
        fails = false
        await page.getByRole('button', { name: 'Start', exact: true }).click()
        await page.getByText('Everything works.').waitFor()
      })
    },
    { models },
  )
})

test('lists the failures of the last day with the last error of the organ', async () => {
  let fails = false
  const talker = createTalker()
  const models = {
    ...talker,
    mind: (...mindArgs: Parameters<typeof talker.mind>) => ({
      async *think(...thinkArgs: Parameters<ReturnType<typeof talker.mind>['think']>) {
        if (fails) throw new MindError('unreachable', 'the Mind is out of sorts')
        yield* talker.mind(...mindArgs).think(...thinkArgs)
      },
    }),
  }
  await withDaemon(
    async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      await withPage(url + roomPath(id), async ({ page }) => {
        await openDetails(page)
        await page.getByText('Nothing failed.').waitFor()
        await pollAssert.match(
          async () =>
            (await page.getByRole('img', { name: '24 hours of 60 minutes' }).getAttribute('aria-label')) ??
            '',
          /failed in 0\./,
        )
        fails = true
        await post(url, `/api/persona/${id}/read?wait=5`, { message: 'Are you there?' })
        await page.getByRole('list', { name: 'What failed' }).getByRole('listitem').first().waitFor()
        await page.getByText('the Mind is out of sorts').first().waitFor()
        await page.getByText('Mira cannot answer: the model on this machine does not answer.').waitFor()
        await page.getByRole('link', { name: 'Change the key or the model' }).waitFor()
        fails = false
        await page.getByRole('button', { name: 'Try now' }).click()
        await page.getByText('Everything works.').waitFor()
      })
    },
    { models },
  )
})

test('describes the result of a verification of journal, files and diaries', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(url + roomPath(id), async ({ page, complaints }) => {
      await openDetails(page)
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText(/^The journal is undamaged: all \d+ events are as they were written\.$/).waitFor()
      await page.getByText('There are no files.').waitFor()
      await page.getByText('The one backup file here is readable.').waitFor()
      await waitForFocus(page)
      assert.equal(complaints, [])
    })
  })
})

test('repairs a damaged journal after a confirmation, and reports the loss', async () => {
  const home = await tempHome()
  const first = await startDaemon({ home })
  const { id } = await wake(first.url, 'Mira')
  await sendMessage(first.url, id, 'My name is Kim.')
  await sendMessage(first.url, id, 'I live in Lisbon.')
  await first.close()
  await damageJournal(home, id, 9)

  const { url, close } = await startDaemon({ home })
  try {
    await post(url, `/api/persona/${id}/verify`)
    await waitFor('the damage to be found', async () => (await listedPersona(url, id)).status === 'sick')
    await withPage(url + roomPath(id), async ({ page, complaints }) => {
      await page.getByText('The data of Mira is damaged.').waitFor()
      await openDetails(page)
      await page.getByRole('button', { name: 'Check now' }).click()
      await page.getByText('The journal is damaged from event 9 on').waitFor()
      await page.getByRole('button', { name: 'Rescue…' }).click()
      await page.getByRole('dialog').getByText('The others are lost here').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await pollAssert.is(async () => (await listedPersona(url, id)).status, 'sick')
      await page.getByRole('button', { name: 'Rescue…' }).click()
      await page.getByRole('button', { name: 'Rescue and start' }).click()
      await page.getByText(/^Rescued: \d+ events kept, \d+ lost\.$/).waitFor()
      await waitForFocus(page)
      await page.getByText('Everything works.').waitFor()
      await page.getByRole('button', { name: 'Rescue…' }).waitFor({ state: 'hidden' })
      assert.equal(complaints, [])
    })
  } finally {
    await close()
  }
})

test('shows usage as chart and tables, and offers a retry after an error', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(url + roomPath(id), async ({ page }) => {
      await page.getByText('Mira has used no tokens in this time.').waitFor()
      await page.route('**/usage*', (route) =>
        route.fulfill({ status: 500, contentType: 'application/json', body: '{"detail":"It is lost."}' }),
      )
      await page.getByLabel('Show').selectOption('7 days')
      await page.getByText('It is lost.').waitFor()
      await page.unroute('**/usage*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('It is lost.').waitFor({ state: 'hidden' })
      await sendMessage(url, id, 'Hello!')
      await page.getByRole('row', { name: /^Model 1 / }).waitFor()
      const usage = (await (await fetch(`${url}/api/persona/${id}/usage`)).json()) as {
        readonly days: readonly object[]
        readonly total: object
      }
      Object.assign(usage.days[0] ?? {}, { input: 1200, output: 300, usd: 0.02 })
      Object.assign(usage.total, { input: 1200, output: 300, usd: 0.02 })
      await page.route('**/usage*', (route) => route.fulfill({ json: usage }))
      await page.getByLabel('Show').selectOption('30 days')
      await page
        .getByRole('img', { name: /^Tokens and cost per day/ })
        .locator('canvas')
        .waitFor()
    })
  })
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`is accessible and fits a phone (${colorScheme})`, async () => {
    await withDaemon(async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      await sendMessage(url, id, 'Hello!')
      await withPage(
        url + roomPath(id),
        async ({ page, complaints }) => {
          await page.getByRole('row', { name: /^Model \d/ }).waitFor()
          await openDetails(page)
          await pollAssert.equal(() => barriers(page), [])
          await page.setViewportSize({ width: 360, height: 740 })
          await pollAssert.is(() => getOverflow(page), 0)
          await pollAssert.equal(() => barriers(page), [])
          assert.equal(complaints, [])
        },
        { colorScheme },
      )
    })
  })

test.run()
