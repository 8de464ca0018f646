/** Subscribed calendars in the calendar room: add, look at events, failures, remove. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  calendarPassword,
  calendarText,
  calendarUser,
  eventText,
  openCalendarServer,
} from '../stand-ins/calendars.ts'
import { barriers } from './axe.ts'
import { closeBrowser } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { withAda } from './with-ada.ts'

const server = await openCalendarServer()
test.after(async () => {
  await closeBrowser()
  await server.close()
})

const room = '/persona/ada/calendar'
const dialog = (page: Page) => page.getByRole('dialog')
const event = (page: Page, title: string) => page.locator('li.event', { hasText: title })
const look = async (page: Page, name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-${name}.png`, fullPage: true })
}

/** The browser reports the refused requests that these tests make. */
const isUnexpected = (complaint: string) => !/status of 400/.test(complaint)

const work = calendarText([
  eventText(
    '1',
    '20261125T083000Z',
    'Team meeting with everyone',
    'DTEND:20261125T093000Z',
    'LOCATION:Room 4',
    'DESCRIPTION:Bring the plan.',
  ),
  'BEGIN:VEVENT\r\nUID:2\r\nDTSTART;VALUE=DATE:20261126\r\nDTEND;VALUE=DATE:20261128\r\nSUMMARY:Conference <b>bold</b>\r\nEND:VEVENT',
])

for (const width of [360, 1440])
  test(`adds an address, shows its events, a failure, and removes it at ${width} px`, async () => {
    server.files.set('/secret/basic.ics', work)
    server.answers.clear()
    await withAda(
      room,
      async ({ page, url, complaints }) => {
        const section = page.getByRole('region', { name: 'Calendars', exact: true })
        await section.getByRole('button', { name: 'Add a calendar' }).click()
        await dialog(page).getByRole('button', { name: 'Add' }).click()
        await dialog(page).getByText('Please enter an address.').waitFor()
        await dialog(page).getByLabel('Address', { exact: true }).fill(`${server.url}/gone.ics`)
        await dialog(page).getByRole('button', { name: 'Add' }).click()
        await dialog(page).getByText('no calendar at this address').waitFor()
        await look(page, `${width}-dialog`)
        assert.equal(await barriers(page), [])
        await dialog(page).getByLabel('Address', { exact: true }).fill(`${server.url}/secret/basic.ics`)
        await dialog(page).getByRole('button', { name: 'Add' }).click()
        await dialog(page).waitFor({ state: 'detached' })

        await pollAssert.match(
          () => event(page, 'Team meeting').innerText(),
          /09:30\s+Team meeting with everyone\s+from the calendar “Work”, Room 4/,
        )
        await pollAssert.match(
          () => event(page, 'Conference').innerText(),
          /^all day\s+Conference <b>bold<\/b>/,
        )
        await pollAssert.is(() => event(page, 'Team meeting').getByRole('button').count(), 0)
        await section.getByText('2 events').waitFor()
        assert.not.match(await page.content(), 'secret/basic')
        await event(page, 'Team meeting').scrollIntoViewIfNeeded()
        await look(page, `${width}-agenda`)
        assert.equal(await barriers(page), [])
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))

        await page.getByRole('button', { name: 'Month', exact: true }).click()
        const inGrid = page.getByRole('region', { name: 'Calendar', exact: true }).locator('.is-subscribed')
        await inGrid.filter({ hasText: 'Team meeting' }).first().waitFor()
        await look(page, `${width}-month`)
        await inGrid.filter({ hasText: 'Team meeting' }).first().click()
        await dialog(page).getByText('Bring the plan.').waitFor()
        await look(page, `${width}-event`)
        await dialog(page).getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'Agenda', exact: true }).click()

        server.answers.set('/secret/basic.ics', (_, response) => void response.writeHead(500).end())
        await section.getByRole('button', { name: 'Refresh: Work' }).click()
        await section.getByText('It could not be refreshed.').waitFor()
        await event(page, 'Team meeting').waitFor()
        await look(page, `${width}-failing`)
        await page.goto(`${url}/persona/ada/health`)
        await page.getByText('The calendar Work could not be refreshed.').waitFor()
        await page.getByRole('link', { name: 'Open the calendar' }).click()
        await section.getByRole('button', { name: 'Remove: Work' }).click()
        await event(page, 'Team meeting').waitFor({ state: 'detached' })
        await section.getByText('2 events').waitFor({ state: 'detached' })
        assert.equal(complaints.filter(isUnexpected), [])
      },
      { viewport: { width, height: 800 } },
    )
  })

test('finds the calendars of a server, and adds the chosen ones', async () => {
  server.calendars.set('work', {
    name: 'Work',
    events: [calendarText([eventText('1', '20261125T083000Z', 'Meeting')])],
    tag: 1,
  })
  server.calendars.set('home', { name: 'Home', events: [], tag: 1 })
  await withAda(room, async ({ page, complaints }) => {
    const section = page.getByRole('region', { name: 'Calendars', exact: true })
    await section.getByRole('button', { name: 'Add a calendar' }).click()
    await dialog(page).getByText('Server', { exact: true }).click()
    await dialog(page).getByLabel('Address', { exact: true }).fill(server.url)
    await dialog(page).getByRole('button', { name: 'Find calendars' }).click()
    await dialog(page).getByText('Please enter the user name and the password.').waitFor()
    await dialog(page).getByLabel('User name').fill(calendarUser)
    await dialog(page).getByLabel('Password').fill('wrong')
    await dialog(page).getByRole('button', { name: 'Find calendars' }).click()
    await dialog(page).getByText('refuses the user name or the password').waitFor()
    await dialog(page).getByLabel('Password').fill(calendarPassword)
    await dialog(page).getByRole('button', { name: 'Find calendars' }).click()
    await dialog(page).getByLabel('Work').check()
    await look(page, 'choose')
    await dialog(page).getByRole('button', { name: 'Add' }).click()
    await section.getByText('Work').waitFor()
    await event(page, 'Meeting').waitFor()
    await pollAssert.is(() => section.getByText('Home').count(), 0)
    assert.equal(complaints.filter(isUnexpected), [])
  })
})

test.run()
