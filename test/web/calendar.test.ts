/** The calendar room. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { entryPlanned, heardSeqs } from './ada.ts'
import { barriers, waitForFocus } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, typeText, wake, withDaemon } from './setup.ts'
import { withAda } from './with-ada.ts'

test.after(closeBrowser)

const room = '/persona/ada/calendar'

interface PlannedEntry {
  readonly id: string
  readonly time: string
  readonly body: string
  readonly recurrence: string | null
}
const loadPlanned = async (url: string): Promise<Readonly<Record<string, PlannedEntry>>> => {
  const { destiny } = (await (
    await fetch(`${url}/api/persona/ada/calendar?start=2026-11-23&end=2100-01-01`)
  ).json()) as {
    destiny: Readonly<Record<'reminder' | 'schedule', readonly (PlannedEntry & { readonly id: string })[]>>
  }
  return Object.fromEntries(
    [...destiny.reminder, ...destiny.schedule].map((entry: PlannedEntry) => [entry.body, entry]),
  )
}
const row = (page: Page, text: string) => page.locator('.plan', { hasText: text })
const grid = (page: Page) => page.getByRole('region', { name: 'Calendar' })
const dialog = (page: Page) => page.getByRole('dialog')

test('shows an appointment without an hour as one of the whole day', async () => {
  const trip = entryPlanned('trip', '2026-11-26T09:00', 'Trip to Madeira', { kind: 'schedule', allDay: true })
  await withAda(
    room,
    async ({ page, complaints }) => {
      await pollAssert.match(() => row(page, 'Trip to Madeira').innerText(), /^all day\s+Trip to Madeira/)
      if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-agenda.png` })
      await page.getByRole('button', { name: 'Week', exact: true }).click()
      const event = grid(page).locator('.ec-all-day .ec-event', { hasText: 'Trip to Madeira' })
      await event.waitFor()
      if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-week.png` })
      assert.is(await event.locator('.ec-event-time').count(), 0)
      assert.equal(complaints, [])
    },
    { moreFacts: [trip] },
  )
})

test('shows upcoming entries and past days in the agenda', async () => {
  await withAda(room, async ({ page, complaints }) => {
    await row(page, 'Water the plants').waitFor()
    await pollAssert.equal(
      () =>
        page
          .getByRole('region', { name: 'To come' })
          .locator('.plan .what > p:first-child')
          .allTextContents(),
      ['Water the plants', 'Dentist, Dr. Rossi', 'Pay the rent'],
    )
    await pollAssert.match(
      () => row(page, 'Pay the rent').innerText(),
      /08:00\s+Pay the rent\s+Reminder, every month/,
    )
    await page.getByText('A quiet day. They called Lena in the evening.').waitFor()
    await pollAssert.match(() => row(page, 'Call Lena').innerText(), /was due/)
    await pollAssert.is(() => row(page, 'Call Lena').getByRole('button').count(), 0)
    assert.equal(complaints, [])
  })
})

test('adds, changes, cancels and restores an entry by keyboard', async () => {
  await withAda(room, async ({ page, tab, url, complaints }) => {
    const otherPage = await tab(room)
    await row(otherPage, 'Pay the rent').waitFor()
    await page.getByRole('button', { name: 'Plan something' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Plan it' }).press('Enter')
    await dialog(page).getByText('Please write something.').waitFor()
    await pollAssert.ok(() => page.evaluate('document.activeElement.classList.contains("what")'))
    await typeText(page, 'Sail with Lena')
    await dialog(page).getByLabel('Date', { exact: true }).fill('2026-11-28')
    await dialog(page).getByLabel('Time', { exact: true }).fill('10:30')
    await dialog(page).getByLabel('Repeats').selectOption('every week')
    await page.keyboard.press('Enter')
    await row(page, 'Sail with Lena').waitFor()
    await row(otherPage, 'Sail with Lena').getByText('Reminder, every week').waitFor()
    await pollAssert.is(
      async () => (await loadPlanned(url))['Sail with Lena']?.time,
      '2026-11-28T10:30:00.000+01:00',
    )

    await page.getByRole('button', { name: 'Change: Sail with Lena' }).press('Enter')
    await dialog(page).getByLabel('Appointment').check()
    await dialog(page).getByLabel('What', { exact: true }).fill('Sailing with Lena')
    await page.keyboard.press('Enter')
    await row(otherPage, 'Sailing with Lena').getByText('Appointment, every week').waitFor()
    await row(page, 'Sailing with Lena').waitFor()
    await pollAssert.is(
      () => page.evaluate('document.activeElement.getAttribute("aria-label")'),
      'Change: Sailing with Lena',
    )

    await page.getByRole('button', { name: 'Cancel: Sailing with Lena' }).press('Enter')
    await page.getByText('Cancelled. Sailing with Lena').waitFor()
    await row(otherPage, 'Sailing with Lena').waitFor({ state: 'hidden' })
    await pollAssert.is(async () => (await loadPlanned(url))['Sailing with Lena'], undefined)
    await pollAssert.is(() => page.evaluate('document.activeElement.textContent'), 'Undo')
    await page.keyboard.press('Enter')
    await row(otherPage, 'Sailing with Lena').waitFor()
    await pollAssert.is(async () => (await loadPlanned(url))['Sailing with Lena']?.recurrence, 'weekly')
    await waitForFocus(page)
    assert.equal(complaints, [])
  })
})

test('adds an entry on a pressed day of the month, and moves an entry by dragging', async () => {
  await withAda(room, async ({ page, url, complaints }) => {
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    const dentist = grid(page).locator('.ec-event', { hasText: 'Dentist' })
    await dentist.waitFor()
    await grid(page).locator('.ec-event', { hasText: 'A quiet day.' }).waitFor()

    const startBox = await dentist.boundingBox()
    const cell = await grid(page)
      .locator('.ec-day', { has: page.locator('time[datetime="2026-11-27"]') })
      .boundingBox()
    assert.ok(startBox && cell)
    await page.mouse.move(startBox.x + 20, startBox.y + 8)
    await page.mouse.down()
    await page.mouse.move(cell.x + 30, cell.y + 50, { steps: 8 })
    await page.mouse.up()
    await page
      .getByText(/^Moved to .*27 November.*14:30/)
      .first()
      .waitFor()
    await pollAssert.is(
      async () => (await loadPlanned(url))['Dentist, Dr. Rossi']?.time,
      '2026-11-27T14:30:00.000+01:00',
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' })
    await pollAssert.is(
      async () => (await loadPlanned(url))['Dentist, Dr. Rossi']?.time,
      '2026-11-26T14:30:00.000+01:00',
    )

    const laterGrid = await grid(page)
      .locator('.ec-day', { has: page.locator('time[datetime="2026-11-28"]') })
      .boundingBox()
    assert.ok(laterGrid)
    await page.mouse.click(laterGrid.x + 40, laterGrid.y + 70)
    await pollAssert.is(() => dialog(page).getByLabel('Date', { exact: true }).inputValue(), '2026-11-28')
    await pollAssert.is(() => dialog(page).getByLabel('Time', { exact: true }).inputValue(), '09:00')
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    // The entry is dropped only then.
    await waitForFocus(page)

    await grid(page).locator('.ec-event', { hasText: 'Dentist' }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Cancel the entry' }).click()
    await page.getByText('Cancelled. Dentist, Dr. Rossi').waitFor()
    await pollAssert.is(async () => (await loadPlanned(url))['Dentist, Dr. Rossi'], undefined)

    await page.getByRole('button', { name: 'Month after' }).click()
    await page.getByRole('heading', { name: 'December 2026' }).waitFor()
    await grid(page).locator('.ec-event', { hasText: 'Pay the rent' }).waitFor()
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    await grid(page).locator('.ec-event', { hasText: 'Water the plants' }).waitFor()
    assert.equal(complaints, [])
  })
})

// Verified to fail if the focus is lost when the grid is rendered again.
test('keeps the focus on an entry of the grid when another one is added', async () => {
  await withAda(room, async ({ page, url }) => {
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    const dentist = grid(page).locator('.ec-event', { hasText: 'Dentist' })
    await dentist.focus()
    const answer = await fetch(`${url}/api/persona/ada/calendar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ when: '2026-11-28T10:00', content: 'Call the plumber' }),
    })
    assert.is(answer.status, 200)
    await grid(page).locator('.ec-event', { hasText: 'Call the plumber' }).waitFor()
    await pollAssert.match(() => page.evaluate('document.activeElement.textContent'), /Dentist/)
    await page.keyboard.press('Enter')
    await dialog(page).getByRole('button', { name: 'Cancel the entry' }).waitFor()
  })
})

test('moves an entry back with the reason if the move fails', async () => {
  await withAda(room, async ({ page, url }) => {
    await page.getByRole('button', { name: 'Month', exact: true }).click()
    const dentist = grid(page).locator('.ec-event', { hasText: 'Dentist' })
    await grid(page).locator('.ec-event', { hasText: 'A quiet day.' }).waitFor()
    await dentist.waitFor()
    const startBox = await dentist.boundingBox()
    const pastGrid = await grid(page)
      .locator('.ec-day', { has: page.locator('time[datetime="2026-11-17"]') })
      .boundingBox()
    assert.ok(startBox && pastGrid)
    await page.mouse.move(startBox.x + 20, startBox.y + 8)
    await page.mouse.down()
    await page.mouse.move(pastGrid.x + 30, pastGrid.y + 50, { steps: 8 })
    await page.mouse.up()
    await page.getByText(/is in the past/).waitFor()
    await pollAssert.is(
      async () => (await loadPlanned(url))['Dentist, Dr. Rossi']?.time,
      '2026-11-26T14:30:00.000+01:00',
    )
    const day = grid(page).locator('.ec-day', { has: page.locator('time[datetime="2026-11-26"]') })
    const getScroll = async () =>
      Math.abs(((await dentist.boundingBox())?.x ?? 0) - ((await day.boundingBox())?.x ?? 9999))
    for (let tries = 0; tries < 60 && (await getScroll()) > 8; tries++) await page.waitForTimeout(50)
    await pollAssert.ok(async () => (await getScroll()) <= 8, `${await getScroll()} off`)
  })
})

test('says that the daemon is in another time zone, and plans in the local one', async () => {
  await withAda(
    room,
    async ({ page, url }) => {
      await page
        .getByText('Daimon runs in the time zone Europe/Berlin. All times here are in yours.')
        .waitFor()
      await pollAssert.match(() => row(page, 'Dentist').innerText(), /^08:30/)
      await page.getByRole('button', { name: 'Plan something' }).click()
      await dialog(page).getByLabel('What', { exact: true }).fill('Breakfast')
      await dialog(page).getByLabel('Date', { exact: true }).fill('2026-12-02')
      await dialog(page).getByLabel('Time', { exact: true }).fill('08:00')
      await dialog(page)
        .getByText(/In Europe\/Berlin, the time zone of Daimon: .*2 December 2026.* 14:00/)
        .waitFor()
      await page.keyboard.press('Enter')
      await row(page, 'Breakfast').waitFor()
      await pollAssert.is(
        async () => (await loadPlanned(url)).Breakfast?.time,
        '2026-12-02T08:00:00.000-05:00',
      )
    },
    { timezoneId: 'America/New_York' },
  )
})

test('plans at the displayed time if the browser reports no time zone', async () => {
  await withAda(
    room,
    async ({ page, url }) => {
      await page.addInitScript(() => {
        const original = Intl.DateTimeFormat.prototype.resolvedOptions
        Intl.DateTimeFormat.prototype.resolvedOptions = function () {
          return { ...original.call(this), timeZone: 'Etc/Unknown' }
        }
      })
      await page.reload()
      await page
        .getByText('Daimon runs in the time zone Europe/Berlin. All times here are in yours.')
        .waitFor()
      await page.getByRole('button', { name: 'Plan something' }).click()
      await dialog(page).getByLabel('What', { exact: true }).fill('Breakfast')
      await dialog(page).getByLabel('Date', { exact: true }).fill('2026-12-02')
      await dialog(page).getByLabel('Time', { exact: true }).fill('08:00')
      await page.keyboard.press('Enter')
      await row(page, 'Breakfast').waitFor()
      await pollAssert.is(
        async () => (await loadPlanned(url)).Breakfast?.time,
        '2026-12-02T14:00:00.000+01:00',
      )
    },
    { timezoneId: 'America/New_York' },
  )
})

test('shows the entry or the day that the address names', async () => {
  await withAda(`${room}?record=${heardSeqs.imported + 15}`, async ({ page, url }) => {
    await page.locator('.plan.sought').getByText('Pay the rent').waitFor()
    await page.goto(`${url}${room}?at=${heardSeqs.imported + 14}`)
    await row(page, 'Dentist').waitFor()
    await pollAssert.equal(
      async () => [await row(page, 'Pay the rent').count(), await page.locator('.plan button').count()],
      [0, 0],
    )
    await pollAssert.is(() => page.getByRole('button', { name: 'Plan something' }).count(), 0)
  })
})

test('copies the address of the feed, which serves a calendar', async () => {
  await withAda(room, async ({ page, url }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Copied.').waitFor()
    const address = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.is(address, `${url}/api/persona/ada/calendar.ics`)
    assert.match(await (await fetch(address)).text(), /SUMMARY:Dentist/)
  })
})

test('shows an error of the daemon at its field, and keeps the input', async () => {
  await withAda(room, async ({ page }) => {
    await page.getByRole('button', { name: 'Plan something' }).click()
    await dialog(page).getByLabel('What', { exact: true }).fill('Sail')
    await dialog(page).getByLabel('Date', { exact: true }).fill('2026-11-20')
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/is in the past/)
      .waitFor()
    await pollAssert.is(
      () => dialog(page).getByLabel('Date', { exact: true }).getAttribute('aria-invalid'),
      'true',
    )
    await pollAssert.ok(() => page.evaluate('document.activeElement.classList.contains("date")'))
    await pollAssert.is(() => dialog(page).getByLabel('What', { exact: true }).inputValue(), 'Sail')
    await dialog(page).getByLabel('Date', { exact: true }).fill('2026-11-29')
    await dialog(page).getByLabel('What', { exact: true }).fill('x'.repeat(5000))
    await page.keyboard.press('Enter')
    await dialog(page)
      .getByText(/too long/)
      .waitFor()
    await pollAssert.is(
      () => dialog(page).getByLabel('What', { exact: true }).getAttribute('aria-invalid'),
      'true',
    )
  })
})

test('offers a retry if the daemon does not answer, and says if an entry no longer exists', async () => {
  await withAda(room, async ({ page }) => {
    await row(page, 'Dentist').waitFor()
    await page.route('**/calendar/dentist', (route) =>
      route.fulfill({ status: 404, json: { detail: 'Entry not found.' } }),
    )
    await page.getByRole('button', { name: 'Cancel: Dentist' }).click()
    await page.getByText('It is no longer planned').waitFor()
    await page.route('**/calendar?*', (route) => route.fulfill({ status: 500, json: { detail: 'Broken.' } }))
    await page.reload()
    await page.getByText('Broken.').waitFor()
    await page.unroute('**/calendar?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Dentist').waitFor()
  })
})

test('shows a hint if there are no entries, and third-party text as plain text', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(`${url}/persona/${id}/calendar`, async ({ page, complaints }) => {
      await page.getByText('Nothing is planned. Ask Mira to remind you').waitFor()
      const content = '<img src=x onerror="console.error(1)"><b>bold</b> \u202egnp'
      await fetch(`${url}/api/persona/${id}/calendar`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content, when: new Date(Date.now() + 3_600_000).toISOString() }),
      })
      await row(page, '<b>bold</b>').waitFor()
      await page.getByRole('button', { name: 'Month', exact: true }).click()
      await grid(page).locator('.ec-event', { hasText: '<b>bold</b>' }).waitFor()
      await pollAssert.is(() => grid(page).locator('.ec-event b, .ec-event img').count(), 0)
      assert.equal(complaints, [])
    })
  })
})

test('is accessible in the light and dark theme and on a phone', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [view, waits] of [
      ['Agenda', '.plan'],
      ['Month', '.ec-event'],
      ['Week', '.ec-event'],
    ] as const)
      await withAda(
        room,
        async ({ page }) => {
          await page.getByRole('button', { name: view, exact: true }).click()
          await page.locator(waits).first().waitFor()
          if (view === 'Agenda') await page.getByRole('button', { name: 'Plan something' }).click()
          await pollAssert.equal(() => barriers(page, { moderate: true }), [])
          await pollAssert.ok(() =>
            page.evaluate('document.querySelector(".room-body").scrollWidth <= innerWidth'),
          )
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      )
})

test('shows the source of third-party text in an entry', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Ada')
    const client = new Client({ name: 'errands', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/${id}`)))
    await client.callTool({ name: 'plan', arguments: { content: 'Buy bread.', when: '2999-01-01T09:00' } })
    await client.close()
    await post(url, `/api/persona/${id}/calendar`, {
      kind: 'reminder',
      when: '2999-01-01T10:00',
      content: 'Water the plants.',
    })
    const calendarUrl = `${url}/api/persona/${id}/calendar?start=2998-12-31&end=2999-01-03`
    const { destiny } = (await (await fetch(calendarUrl)).json()) as {
      destiny: { reminder: readonly { body: string; via?: unknown }[] }
    }
    assert.equal(
      destiny.reminder.map(({ body, via }) => [body, via]),
      [
        ['Buy bread.', { from: 'program', by: null }],
        ['Water the plants.', undefined],
      ],
    )
    await withPage(`${url}/persona/${id}/calendar`, async ({ page, complaints }) => {
      await row(page, 'Buy bread.').getByText('in the words of a program').waitFor()
      assert.is(await row(page, 'Water the plants.').getByText('in the words of').count(), 0)
      await pollAssert.equal(() => barriers(page), [])
      if (process.env.LOOK) await page.screenshot({ path: process.env.LOOK })
      assert.equal(complaints, [])
    })
  })
})

test.run()
