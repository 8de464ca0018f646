import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { facts, isFact } from '../../facts/facts.ts'
import { mayTouch } from '../../src/persona/rules/undo-table.ts'
import { getRow, facts as rows } from '../../web/life/fact-kinds.ts'
import { waitFor } from '../calls.ts'
import { life as linkedLife } from '../causes/life.ts'
import { createHome } from '../create-journal.ts'
import { barriers, waitForFocus, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import {
  focusedTag,
  getOverflow,
  keep,
  listedPersona,
  loadFacts,
  movableClock,
  sendMessage,
} from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import { post, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const life = (id: string, query = '') => `/persona/${id}/life${query}`
const happenings = (page: Page) => page.locator('details > summary .what')
const open = async (page: Page, text: string) => {
  const row = page.locator('li', { has: page.locator('summary', { hasText: text }) }).last()
  await row.locator('summary').click()
  return row
}
const day = 24 * 60 * 60 * 1000

/** Returns the files of a home that contain the text. */
const filesHolding = async (home: string, text: string): Promise<readonly string[]> => {
  const paths: string[] = []
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(path)).includes(text)) paths.push(path.slice(home.length))
  }
  return paths
}

test('has a row for every fact with text and undo', () => {
  assert.equal(Object.keys(rows).sort(), Object.keys(facts).sort())
  for (const [type, { traits }] of Object.entries(facts)) {
    assert.is(getRow(type).words !== undefined, traits.blank !== null, type)
    if (getRow(type).undo) assert.ok(isFact(type) && mayTouch(type), type)
  }
})

test('lists events in plain words, newest first, by kind, and adds new ones', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await sendMessage(url, id, 'Hello there!')
    await keep(url, id, 'Kim lives in Lisbon.')
    await withPage(url + life(id), async ({ page, complaints }) => {
      await happenings(page).first().waitFor()
      await pollAssert.match(
        async () => (await happenings(page).first().textContent()) ?? '',
        /You added to Mira's memory\s*Kim lives in Lisbon\./,
      )
      await pollAssert.match(
        async () => (await happenings(page).last().textContent()) ?? '',
        /Mira was created\.|Model: changed to/,
      )
      await page.getByRole('radio', { name: 'Talk' }).check()
      await page.getByText('You added to').waitFor({ state: 'hidden' })
      await pollAssert.equal(
        () => page.locator('summary .quote').allTextContents(),
        ['I hear you.', 'Hello there!'],
      )
      await sendMessage(url, id, 'And again.')
      await page.locator('summary').getByText('And again.').waitFor()

      await page.getByRole('radio', { name: 'Channels' }).check()
      await page.getByText("There are no events of this kind in Mira's life yet.").waitFor()
      await page.getByRole('button', { name: 'Show the main things' }).click()
      const row = await open(page, 'Kim lives in Lisbon.')
      await row.getByText(/By you · Event \d+/).waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('shows the causes and the effects of an event, down to the message in the talk', async () => {
  const home = await createHome(linkedLife)
  try {
    await withDaemon(
      async ({ url }) => {
        await withPage(`${url}${life('ada', '?record=10')}`, async ({ page, complaints }) => {
          const row = page.locator('details[open]')
          const causes = row.getByRole('button', { name: /^What led to this$/ })
          await causes.press('Enter')
          const list = row.getByRole('list', { name: /^What led to this$/ })
          const message = list.getByRole('link').first()
          await list.getByText('I live in Lisbon.').waitFor()
          assert.match((await message.getAttribute('href')) ?? '', /\/persona\/ada(\/talk)?\?record=4$/)
          // The tool call leads on to the model call, and so to the message.
          await list
            .getByRole('button', { name: /^Further back: .*tool|^Further back/ })
            .first()
            .press('Enter')
          await pollAssert.is(() => list.getByText('Model call').count(), 1)
          assert.equal(await barriers(page), [])

          await row.getByRole('button', { name: /^What came of it$/ }).press('Enter')
          await row.getByText('Known from memory').waitFor()
          for (const media of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme: media, reducedMotion: 'reduce' })
            assert.equal(await barriers(page), [])
          }
          await page.setViewportSize({ width: 360, height: 760 })
          assert.is(await getOverflow(page), 0)
          await page.setViewportSize({ width: 1280, height: 800 })
          await message.click()
          await page.waitForURL(/record=4$/)
          await page.locator('[role=log]').getByText('I live in Lisbon.').waitFor()
          assert.equal(complaints, [])
        })
        // An answer goes back to the statement that it used, and to the message behind that.
        await withPage(`${url}${life('ada', '?record=18')}`, async ({ page }) => {
          const row = page.locator('details[open]')
          await row.getByRole('button', { name: /^What led to this$/ }).click()
          const far = row.getByRole('list', { name: 'It goes back to' })
          await far.getByText('I live in Lisbon.').waitFor()
          assert.is(await far.getByRole('link').count(), 2)
        })
      },
      { home },
    )
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})

test('loads a long life in pages, and moves the focus to the loaded events', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    for (let n = 1; n <= 45; n++) await keep(url, id, `Statement ${n}.`)
    await withPage(url + life(id), async ({ page }) => {
      await page.getByText('Statement 45.').waitFor()
      await pollAssert.is(() => happenings(page).count(), 40)
      await page.getByRole('button', { name: 'Earlier' }).press('Enter')
      await page.getByText('Statement 1.', { exact: true }).waitFor()
      await pollAssert.is(() => focusedTag(page), 'SUMMARY')
      await pollAssert.is(() => page.getByRole('button', { name: 'Earlier' }).count(), 0)
    })
  })
})

test('shows a past moment in every room after moving along the timeline by keyboard', async () => {
  const clock = movableClock(-6 * day)
  await withDaemon(
    async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      await sendMessage(url, id, 'The first day.')
      clock.move(3 * day)
      await sendMessage(url, id, 'The middle.')
      clock.move(3 * day)
      await sendMessage(url, id, 'The last day.')
      await withPage(url + life(id), async ({ page, complaints }) => {
        const scrubber = page.getByRole('slider', { name: "A moment in Mira's life" })
        await pollAssert.is(() => scrubber.getAttribute('max'), '6')
        await page.getByText('The last day.').waitFor()
        await scrubber.press('ArrowLeft')
        await scrubber.press('ArrowLeft')
        await page.waitForURL(/\?at=\d+$/)
        await page.getByText(/^You are looking at Mira as of /).waitFor()
        await page.getByText('The last day.').waitFor({ state: 'hidden' })
        await page.getByText('The middle.').waitFor()
        await pollAssert.is(() => focusedTag(page), 'INPUT')

        for (const room of ['Health', 'Talk']) {
          const rooms = page.getByRole('navigation', { name: 'Pages of Mira' })
          if (room === 'Health') await rooms.getByRole('button', { name: 'More' }).click()
          await rooms.getByRole('link', { name: room }).click()
          await page.getByRole('heading', { name: 'The talk at that time' }).waitFor()
          await page.getByText('The middle.').waitFor()
          await pollAssert.is(() => page.getByText('The last day.').count(), 0)
          await pollAssert.is(() => page.locator('.room-body :is(textarea, button)').count(), 0)
        }
        await page.reload()
        await page.getByText(/^You are looking at Mira as of /).waitFor()
        await pollAssert.equal(() => barriers(page), [])
        await page.goto(url + life(id, '?at=1'))
        await page.getByRole('link', { name: 'Back to now' }).click()
        await page.getByText('The last day.').waitFor()
        await pollAssert.is(() => page.getByText(/^You are looking at/).count(), 0)
        assert.equal(complaints, [])
      })
    },
    { clock },
  )
})

test('reports an invalid moment, and links back to now', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(`${url}/persona/${id}/health?at=someday`, async ({ page }) => {
      await page.locator('.room-body').getByRole('alert').waitFor()
      await page.getByRole('link', { name: 'Back to now' }).click()
      await page.getByText('Everything works.').waitFor()
    })
  })
})

test('forks a persona at a moment, and shows its recovery words once', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await sendMessage(url, id, 'Before the fork.')
    const seq = (await loadFacts(url, id)).length
    await sendMessage(url, id, 'After the fork.')
    await withPage(url + life(id, `?at=${seq}`), async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'A copy from this moment…' }).click()
      await page.getByLabel('Name').fill('Mara')
      await page.getByLabel('Another model').check()
      const model = page.getByLabel('Model', { exact: true })
      await waitFor('the offered model', async () => (await model.inputValue()) !== '')
      await model.fill('')
      await page.getByRole('button', { name: 'Create the copy' }).click()
      await page.getByText('Please choose a model.').waitFor()
      await page.getByLabel('The model of that time').check()
      await page.getByRole('button', { name: 'Create the copy' }).click()
      await page.getByRole('heading', { name: 'The 24 recovery words of Mara' }).waitFor()
      const words = page.getByRole('list', { name: 'The 24 recovery words' }).getByRole('listitem')
      await pollAssert.is(() => words.count(), 24)
      await page.getByRole('button', { name: 'Later', exact: true }).click()
      await page.waitForURL(/talk$/)
      await page.getByRole('log').getByText('Before the fork.').waitFor()
      await pollAssert.is(() => page.getByRole('log').getByText('After the fork.').count(), 0)
      assert.equal(complaints, [])
    })
  })
})

test('compares two moments: learned, revised, forgotten', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    const lisbon = await keep(url, id, 'Lives in Lisbon.')
    const sails = await keep(url, id, 'Sails a boat.')
    const seq = (await loadFacts(url, id)).length
    const path = `${url}/api/persona/${id}/memories`
    const headers = { 'content-type': 'application/json' }
    await fetch(`${path}/${lisbon.id}`, { method: 'PATCH', headers, body: '{"text":"Lives in Porto."}' })
    await fetch(`${path}/${sails.id}`, { method: 'DELETE' })
    await keep(url, id, 'Has a cat.')
    await withPage(url + life(id, `?at=${seq}`), async ({ page }) => {
      await page.getByText(/^You are looking at/).waitFor()
      await page.getByRole('button', { name: 'What has changed since…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('From').fill('')
      await dialog.getByRole('button', { name: 'Compare' }).click()
      await dialog.getByText('Please choose a moment.').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'What has changed since…' }).click()
      await dialog.getByRole('button', { name: 'Compare' }).click()
      await dialog.getByRole('heading', { name: 'Learned' }).waitFor()
      const dialogText = (await dialog.textContent()) ?? ''
      for (const text of ['Has a cat.', 'Lives in Porto.', 'Sails a boat.'])
        assert.ok(dialogText.includes(text), text)
      await pollAssert.equal(
        () => dialog.locator('del').allTextContents(),
        ['before: Lives in Lisbon.', 'before: Sails a boat.'],
      )
      await pollAssert.equal(() => barriers(page), [])
    })
  })
})

test('undoes a fact, and shows why another cannot be undone', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await keep(url, id, 'Lives in Lisbon.')
    await withPage(url + life(id), async ({ page }) => {
      const row = await open(page, 'Lives in Lisbon.')
      await row.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone.', { exact: true }).waitFor()
      await page.locator('summary').getByText('A statement was forgotten.').waitFor()
      const item = await open(page, 'A statement was forgotten.')
      await item.getByText('Lives in Lisbon.').waitFor()
      await row.getByRole('button', { name: 'Undo' }).click()
      await row
        .getByRole('alert')
        .getByText(/undone already/)
        .waitFor()
      await waitForFocus(page)
    })
  })
})

test('erases text after showing the extent and asking twice', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira', { thinking_model: 'embedded/practice' })
    await sendMessage(url, id, 'Please remember that my password at work is quinquireme.')
    await post(url, `/api/persona/${id}/sleep`)
    const countHolding = async () =>
      (await loadFacts(url, id)).filter(({ payload }) => JSON.stringify(payload).includes('quinquireme'))
        .length
    const countBefore = await countHolding()
    assert.ok(countBefore > 0)
    await withPage(url + life(id), async ({ page, complaints }) => {
      const row = await open(page, 'You said')
      await row.getByRole('button', { name: 'Erase the text…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This cannot be undone.').waitFor()
      await dialog.getByText(/backup files? here contains? it/).waitFor()
      await pollAssert.equal(() => barriers(page), [])
      await pollAssert.is(() => countHolding(), countBefore)
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByText('Are you sure?').waitFor()
      await pollAssert.is(() => countHolding(), countBefore)
      await dialog.getByRole('button', { name: 'Erase permanently' }).click()
      await page.getByText('The text is erased.').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      await page.locator('summary').getByText('The text was erased.').first().waitFor()
      await pollAssert.is(() => countHolding(), 0)
      await pollAssert.is(() => page.locator('summary', { hasText: 'quinquireme' }).count(), 0)
      await waitForFocus(page)
      assert.equal(complaints, [])
    })
    await pollAssert.is(async () => (await listedPersona(url, id)).status, 'active')
  })
})

test('names forks with the same text, and erases it in the selected ones', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira', { thinking_model: 'embedded/practice' })
    await sendMessage(url, id, 'Please remember that my password at work is quinquireme.')
    const fork = async (name: string): Promise<string> => {
      const body = { name, thinking_model: 'embedded/practice' }
      const { persona } = await post<{ persona: { id: string } }>(url, `/api/persona/${id}/fork`, body)
      return persona.id
    }
    const eve = await fork('Eve')
    const fay = await fork('Fay')
    const countHolding = async (persona: string) =>
      (await loadFacts(url, persona)).filter(({ payload }) => JSON.stringify(payload).includes('quinquireme'))
        .length
    await withPage(url + life(id), async ({ page, complaints }) => {
      const row = await open(page, 'You said')
      await row.getByRole('button', { name: 'Erase the text…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('2 other personas have the same past').waitFor()
      await pollAssert.equal(() => barriers(page), [])
      await dialog.getByRole('checkbox', { name: 'Erase it in Eve, too' }).check()
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await dialog.getByRole('button', { name: 'Erase permanently' }).click()
      await page.getByText('The text is erased.').waitFor()
      await pollAssert.is(() => countHolding(id), 0)
      await pollAssert.is(() => countHolding(eve), 0)
      assert.ok((await countHolding(fay)) > 0)
      assert.equal(complaints, [])
    })
  })
})

test('selects several events by keyboard, and erases their text together', async () => {
  await withDaemon(async ({ url, home }) => {
    const { id } = await wake(url, 'Mira', { thinking_model: 'embedded/practice' })
    await sendMessage(url, id, 'Please remember that my password at work is quinquireme.')
    await sendMessage(url, id, 'Nothing of note happened today.')
    await keep(url, id, 'The key lies beneath the amaryllis.')
    await post(url, `/api/persona/${id}/sleep`)
    const listHolding = async () => [
      ...(await filesHolding(home, 'quinquireme')),
      ...(await filesHolding(home, 'amaryllis')),
    ]
    assert.ok((await listHolding()).length > 0)
    await withPage(url + life(id), async ({ page, complaints }) => {
      const begin = page.getByRole('button', { name: 'Select several' })
      await happenings(page).first().waitFor()
      await begin.press('Enter')
      const boxes = page.getByRole('checkbox')
      await pollAssert.is(() => boxes.first().evaluate((box) => box.matches(':focus')), true)
      assert.ok((await boxes.count()) < (await page.locator('li .head').count()))
      await page.keyboard.press('Enter')
      await pollAssert.is(() => page.getByRole('dialog').count(), 0)

      await page.keyboard.press('Escape')
      await pollAssert.is(() => boxes.count(), 0)
      await waitForFocusOn(page, /Select several/)
      await begin.press('Enter')
      await boxes.first().press('Space')
      await page.getByText('One selected').waitFor()
      await page.getByRole('button', { name: 'Done' }).press('Enter')
      await waitForFocusOn(page, /Select several/)

      await begin.press('Enter')
      await page.getByText('Nothing selected yet').waitFor()
      await page.getByRole('checkbox', { name: /You added to .*amaryllis/ }).press('Space')
      await page.getByRole('radio', { name: 'Talk' }).check()
      await page.getByRole('checkbox', { name: /You said .*quinquireme/ }).press('Space')
      await page.getByText('2 selected').waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [1200, 360]) {
          await page.setViewportSize({ width, height: 800 })
          await pollAssert.equal(() => barriers(page), [], `${colorScheme} ${width}`)
          await pollAssert.is(() => getOverflow(page), 0)
        }
      }
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      const list = dialog.getByRole('list', { name: 'This text' })
      await pollAssert.is(() => list.getByRole('listitem').count(), 2)
      await list.getByText('quinquireme').waitFor()
      await list.getByText('amaryllis').waitFor()
      await dialog.getByText(/backup files? here contains? it/).waitFor()
      await pollAssert.equal(() => barriers(page), [])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      // The dialog is closed, and the selection still exists.
      await waitForFocusOn(page, /^INPUT/)
      await page.getByRole('button', { name: 'Erase the text of 2…' }).press('Enter')
      await dialog.getByLabel(/Remove those backup files/).press('Space')
      await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
      await dialog.getByRole('button', { name: 'Erase permanently' }).press('Enter')
      await page.getByText('The text is erased.').waitFor()
      await dialog.waitFor({ state: 'hidden' })
      await pollAssert.is(() => boxes.count(), 0)
      await waitForFocus(page)
      await page.getByRole('radio', { name: 'The main things' }).check()
      for (const text of ['A message came in', "A statement was added to Mira's memory"])
        await page.locator('summary', { hasText: text }).filter({ hasText: 'The text was erased.' }).waitFor()
      await pollAssert.is(() => page.locator('summary').getByText('Nothing of note').count(), 1)
      assert.equal(await listHolding(), [])
      assert.equal(complaints, [])
    })
  })
})

test('does not select events at a past moment, and ends the selection when going there', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await keep(url, id, 'Lives in Lisbon.')
    const seq = (await loadFacts(url, id)).length
    await withPage(url + life(id, `?at=${seq}`), async ({ page }) => {
      await page.getByText(/^You are looking at/).waitFor()
      const begin = page.getByRole('button', { name: 'Select several' })
      await pollAssert.ok(() => begin.isDisabled())
      await page.getByRole('link', { name: 'Back to now' }).click()
      await pollAssert.ok(() => begin.isEnabled())
      await begin.press('Enter')
      await page.getByRole('checkbox').first().waitFor()
      await page.goBack()
      await page.getByText(/^You are looking at/).waitFor()
      await pollAssert.is(() => page.getByRole('checkbox').count(), 0)
      await waitForFocus(page)
    })
  })
})

test('opens the event that the address names', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await keep(url, id, 'The sought one.')
    const seq = (await loadFacts(url, id)).length
    for (let n = 0; n < 5; n++) await keep(url, id, `Later ${n}.`)
    await withPage(url + life(id, `?record=${seq}`), async ({ page }) => {
      await page.locator('details[open] summary', { hasText: 'The sought one.' }).waitFor()
    })
  })
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`is accessible and fits a phone (${colorScheme})`, async () => {
    await withDaemon(async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      await sendMessage(url, id, 'Hello!')
      await withPage(
        url + life(id),
        async ({ page, complaints }) => {
          await open(page, 'You said')
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
