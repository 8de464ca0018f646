/** Messages that a persona writes by itself: the settings, and the reasons in the calendar. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { call } from '../calls.ts'
import { heardSeqs, nowIso } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { withDaemon } from './setup.ts'
import { withAda } from './with-ada.ts'

test.after(closeBrowser)

const now = Date.parse(nowIso)
const hour = 3_600_000

const plan = (id: string, reason: string, at: number, source: number): PersonaEvent => ({
  type: 'InitiativePlanned',
  id,
  kind: 'follow-up',
  at,
  reason,
  sources: [source],
})

const facts: readonly PersonaEvent[] = [
  { type: 'InitiativeChosen', level: 'gentle', zone: null, quietFrom: '21:00', quietUntil: '09:00' },
  plan('i1', 'Ask about the sailing lesson.', now + 7 * hour, heardSeqs.boat),
  plan('i2', 'Ask about the bakery.', now + 30 * hour, heardSeqs.sister),
  plan('i3', 'Ask about the trip.', now - hour, heardSeqs.sister),
  { type: 'InitiativeSettled', id: 'i3', outcome: 'spoke', next: null },
  {
    type: 'MessageSpoken',
    turn: null,
    step: null,
    channel: null,
    content: 'How was the trip?',
    media: null,
    asks: null,
    initiative: 'i3',
  },
]

const getInitiative = async (url: string) => (await call(url, 'GET', '/api/persona/ada/initiative')).body

test('is chosen in the settings, with quiet hours and a time zone', async () => {
  await withAda('/persona/ada/settings', async ({ page, url, complaints }) => {
    const section = page.locator('section[aria-labelledby=initiative]')
    await section.getByText('Ada only answers').waitFor()
    assert.is(await section.getByLabel('Your time zone').count(), 0)
    await section.getByRole('radio', { name: 'Gently' }).check()
    await section.getByLabel('No messages from').fill('22:30')
    assert.is(await section.getByLabel('Your time zone').inputValue(), 'Europe/Berlin')
    assert.equal(await barriers(page), [])
    // A change from elsewhere keeps the input that is not saved.
    await call(url, 'PUT', '/api/persona/ada/initiative', { quiet_until: '08:00' })
    await pollAssert.is(() => section.getByLabel('Until').inputValue(), '08:00')
    assert.is(await section.getByLabel('No messages from').inputValue(), '22:30')
    assert.ok(await section.getByRole('radio', { name: 'Gently' }).isChecked())
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Saved.').waitFor()
    const { level, zone, own_zone, quiet_from, quiet_until } = await getInitiative(url)
    assert.equal(
      [level, zone, own_zone, quiet_from, quiet_until],
      ['gentle', 'Europe/Berlin', true, '22:30', '08:00'],
    )
    assert.equal(complaints, [])
  })
})

test('the calendar shows each reason with its messages, and removes, changes and rates it', async () => {
  await withAda(
    '/persona/ada/calendar',
    async ({ page, url, complaints }) => {
      const reasons = page.locator('section.reasons')
      await reasons.getByText('Ask about the sailing lesson.').waitFor()
      const why = reasons.getByRole('button', { name: 'Why: Ask about the sailing lesson.' })
      await why.click()
      await reasons.getByText('I want to learn to sail before I am fifty.').waitFor()
      assert.equal(await barriers(page), [])
      await why.click()

      await reasons.getByRole('button', { name: 'Change: Ask about the sailing lesson.' }).click()
      await page.getByLabel('About what').fill('Ask about the boat.')
      await page.getByLabel('Time').fill('19:00')
      assert.equal(await barriers(page), [])
      await page.getByRole('button', { name: 'Save' }).click()
      await reasons.getByText('Ask about the boat.').waitFor()
      const [first] = (await getInitiative(url)).reasons
      assert.equal([first.reason, first.time], ['Ask about the boat.', '2026-11-23T19:00:00.000+01:00'])

      await reasons.getByRole('button', { name: 'Remove: Ask about the boat.' }).click()
      await pollAssert.equal(async () => reasons.getByText('Ask about the boat.').count(), 0)
      await pollAssert.is(() => page.evaluate('document.activeElement?.tagName'), 'H2')
      await reasons.getByRole('button', { name: 'Less of this: Ask about the bakery.' }).click()
      await reasons.getByText('Ada has noted nothing yet.').waitFor()
      // Also for a message that was sent.
      await reasons.getByRole('button', { name: 'Less of this: Ask about the trip.' }).click()
      await reasons.getByText('less of this', { exact: true }).waitFor()
      const { recent, reasons: left } = await getInitiative(url)
      assert.equal([recent[0].disliked, left.length], [true, 0])
      assert.equal(complaints, [])
    },
    { moreFacts: facts },
  )
})

test('a message in the talk shows its reason and the messages behind it', async () => {
  await withAda(
    '/persona/ada/talk',
    async ({ page, complaints }) => {
      await page.locator('[role=log] .hers').getByText('How was the trip?').waitFor()
      await page.getByRole('button', { name: 'Why this message?' }).click()
      await page.locator('[role=log]').getByText('Ask about the trip.').waitFor()
      const sources = page.getByRole('list', { name: 'Messages behind: Ask about the trip.' })
      await pollAssert.is(() => sources.getByRole('link').count(), 1)
      assert.equal(await barriers(page), [])
      assert.equal(complaints, [])
    },
    { moreFacts: facts },
  )
})

test('a new persona gets the time zone of the browser', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(
      `${url}/new`,
      async ({ page }) => {
        await page.getByLabel('Name').fill('Eve')
        await page.getByText('One model is installed on this machine.').waitFor()
        const [request] = await Promise.all([
          page.waitForRequest('**/api/persona/create'),
          (async () => {
            await page.getByText('Whether it writes by itself').click()
            await page.getByRole('radio', { name: 'Gently' }).check()
            await page.getByRole('button', { name: 'Create Eve' }).click()
          })(),
        ])
        const { initiative, initiative_zone } = request.postDataJSON()
        assert.equal([initiative, initiative_zone], ['gentle', 'Asia/Tokyo'])
      },
      { timezoneId: 'Asia/Tokyo' },
    )
  })
})

test('the calendar says that it is off, and leads to the settings', async () => {
  await withAda('/persona/ada/calendar', async ({ page }) => {
    await page.locator('section.reasons').getByText('Ada does not write by itself.').waitFor()
    await page.locator('section.reasons').getByRole('link', { name: 'Change this' }).click()
    await page.locator('section[aria-labelledby=initiative]').getByText('How often').waitFor()
  })
})

test.run()
