/** The memory room: six documents of statements with their sources. */
import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createFakeClock } from '../clock.ts'
import { heardSeqs, livedHome, nowIso } from './ada.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, typeText, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })
const shoot = (page: Page, name: string) => page.screenshot({ path: `${folder}memory-${name}.png` })

const inBerlin = { timezoneId: 'Europe/Berlin' }
const room = '/persona/ada/memory'

const withAda = async (look: (url: string) => Promise<void>) => {
  const home = await livedHome()
  try {
    const clock = createFakeClock(nowIso, 'Europe/Berlin')
    await withDaemon(({ url }) => look(url), { home, clock })
  } finally {
    await rm(home, { recursive: true })
  }
}

const part = (page: Page, title: string) => page.getByRole('region', { name: title })
const statement = (page: Page, text: string) => page.locator('.statement', { hasText: text })
const loadMemories = async (url: string): Promise<readonly { text: string; document: string }[]> => {
  const { memories } = (await (await fetch(`${url}/api/persona/ada/memories`)).json()) as {
    memories: readonly { text: string; document: string; forgotten: boolean }[]
  }
  return memories.filter(({ forgotten }) => !forgotten)
}
const getFocused = (page: Page) =>
  page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName')

test('lists statements by document with date and source, and opens the sources', async () => {
  await withAda(async (url) => {
    await withPage(
      url + room,
      async ({ page, complaints }) => {
        await part(page, 'About you').getByText('Your sister Lena has a bakery in Porto.').waitFor()
        await pollAssert.equal(
          () => part(page, 'About you').locator('.statement .sentence > p:first-child').allTextContents(),
          ['Your sister Lena has a bakery in Porto.', 'You drink tea.'],
        )
        const texts = await page.locator('.statement:not(.gone) .sentence > .quiet').allInnerTexts()
        assert.match(texts.join('\n'), /19 November.*09:10.*noted by Ada in the talk/s)
        assert.match(texts.join('\n'), /written by you/)
        assert.match(texts.join('\n'), /noted by Ada when going over the day/)
        await pollAssert.is(
          () =>
            statement(page, 'You drink tea.')
              .getByRole('button', { name: /Source/ })
              .count(),
          0,
        )

        await statement(page, 'Your sister Lena').getByRole('button', { name: 'Source' }).click()
        const source = page.getByRole('link', { name: 'My sister is called Lena' })
        await source.waitFor()
        await pollAssert.match(
          async () => (await source.getAttribute('href')) ?? '',
          new RegExp(`/talk\\?record=${heardSeqs.sister}$`),
        )
        await statement(page, 'Your left knee').getByRole('button', { name: 'Source' }).click()
        await page.getByText('Imported chat “Knee pain” (chatgpt)').waitFor()

        await source.click()
        await page.waitForURL(`**/persona/ada/talk?record=${heardSeqs.sister}`)
        await page.goBack()
        await part(page, 'About you').waitFor()
        assert.equal(complaints, [])
      },
      inBerlin,
    )
  })
})

test('pins a statement, shows its dates, and unpins it', async () => {
  await withAda(async (url) => {
    const { memories } = (await (await fetch(`${url}/api/persona/ada/memories`)).json()) as {
      memories: readonly { id: string; text: string }[]
    }
    const tea = memories.find(({ text }) => text === 'They drink tea.')
    await fetch(`${url}/api/persona/ada/memories/${tea?.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: '2024', until: '2027-03' }),
    })
    await withPage(url + room, async ({ page, complaints }) => {
      await statement(page, 'You drink tea.').getByText('since 2024, until March 2027').waitFor()
      const pin = page.getByRole('button', { name: 'Pin: You drink tea.' })
      await pollAssert.is(() => pin.getAttribute('aria-pressed'), 'false')
      await pin.press('Enter')
      await page.getByText('Pinned. Ada keeps this in mind in every talk.').waitFor()
      await pollAssert.is(() => pin.getAttribute('aria-pressed'), 'true')
      await pollAssert.is(() => getFocused(page), 'Pin: You drink tea.')
      assert.equal(await barriers(page), [])
      await pin.press('Enter')
      await pollAssert.is(() => pin.getAttribute('aria-pressed'), 'false')
      assert.equal(complaints, [])
    })
  })
})

test('edits the dates of a statement, and explains a wrong one', async () => {
  await withAda(async (url) => {
    await withPage(
      url + room,
      async ({ page, complaints }) => {
        await page.getByRole('button', { name: 'Correct: You drink tea.' }).click()
        await page.getByLabel('True since').fill('2024-03')
        await page.getByLabel('True until').fill('next week')
        // Accepts a word of an input method in Safari.
        await page.evaluate(`document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))`)
        await page.waitForTimeout(200)
        assert.is(await page.getByText('Please write a date such as').count(), 0)
        await page.keyboard.press('Enter')
        await page.getByText('Please write a date such as 2027, 2027-03 or 2027-03-31.').waitFor()
        await page.getByLabel('True until').fill('2023')
        await page.keyboard.press('Enter')
        await page.getByText(/would begin after its end/).waitFor()
        assert.equal(await barriers(page), [])
        await shoot(page, 'dates')
        const soonDay = new Date(Date.now() + 3 * 86_400_000)
        const weekday = soonDay.toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' })
        await page.getByLabel('True until').fill(soonDay.toISOString().slice(0, 10))
        await page.keyboard.press('Enter')
        await statement(page, 'You drink tea.').getByText(`since March 2024, until ${weekday}`).waitFor()
        await pollAssert.is(() => getFocused(page), 'Correct: You drink tea.')
        await shoot(page, 'dated')
        await page.getByRole('button', { name: 'Correct: You drink tea.' }).click()
        await page.getByLabel('True since').fill('')
        await page.keyboard.press('Enter')
        await statement(page, 'You drink tea.').getByText(`until ${weekday}`, { exact: true }).waitFor()
        const refused = /Failed to load resource.*(?:400|422)/
        assert.equal(
          complaints.filter((line) => !refused.test(line)),
          [],
        )
      },
      { timezoneId: 'UTC' },
    )
    await withPage(
      url + room,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Korrigieren: You drink tea.' }).click()
        await page.getByLabel('Gilt seit').fill('2025')
        await page.getByLabel('Gilt bis').fill('2023')
        await page.keyboard.press('Enter')
        await page.getByText('Das Ende läge vor dem Anfang.').waitFor()
      },
      { locale: 'de-DE' },
    )
  })
})

test('adds, corrects, forgets and restores a statement by keyboard', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page, tab, complaints }) => {
      const otherPage = await tab(room)
      await statement(otherPage, 'You drink tea.').waitFor()

      await page.getByRole('button', { name: 'Write something down under “Wishes”' }).press('Enter')
      await page.keyboard.press('Enter')
      await page.getByText('Please write something.').waitFor()
      await typeText(page, 'They want a dog.')
      await page.keyboard.press('Enter')
      await part(page, 'Wishes').getByText('You want a dog.').waitFor()
      await part(otherPage, 'Wishes').getByText('You want a dog.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
      await typeText(page, 'They want a dog.')
      await page.keyboard.press('Enter')
      await page.getByText('This was already known.').waitFor()
      await page.keyboard.press('Escape')
      await pollAssert.is(() => getFocused(page), 'Write something down under “Wishes”')

      await page.getByRole('button', { name: 'Correct: You drink tea.' }).press('Enter')
      await pollAssert.is(() => page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
      await page.keyboard.press('ControlOrMeta+a')
      await typeText(page, 'They drink green tea.')
      await page.keyboard.press('Enter')
      await statement(otherPage, 'You drink green tea.').waitFor()
      await pollAssert.is(() => getFocused(page), 'Correct: You drink green tea.')

      await page.getByRole('button', { name: 'Forget: You drink green tea.' }).press('Enter')
      await page.locator('.undo').waitFor()
      await statement(otherPage, 'You drink green tea.').waitFor({ state: 'hidden' })
      await pollAssert.is(() => page.evaluate('document.activeElement.textContent'), 'Undo')
      assert.not.ok((await loadMemories(url)).some(({ text }) => /tea/.test(text)))
      await page.keyboard.press('Enter')
      await statement(otherPage, 'You drink green tea.').waitFor()
      await pollAssert.ok(async () =>
        (await loadMemories(url)).some(({ text }) => text === 'They drink green tea.'),
      )
      await pollAssert.is(() => page.evaluate('document.activeElement.className.includes("statement")'), true)

      await page.getByText('Forgotten (1)').press('Enter')
      await page.getByRole('button', { name: 'Restore: You have a cat named Momo.' }).press('Enter')
      await part(otherPage, 'About you').getByText('You have a cat named Momo.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.dataset.memory'), 'cat')
      assert.equal(complaints, [])
    })
  })
})

test('shows an error of the daemon beside the field, and keeps the text', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page }) => {
      await page.getByRole('button', { name: 'Write something down under “Wishes”' }).click()
      await page.locator('textarea').fill('x'.repeat(301))
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The memory is too long: 300 characters at most.').waitFor()
      await pollAssert.is(async () => (await page.locator('textarea').inputValue()).length, 301)
      await pollAssert.is(() => page.locator('textarea').getAttribute('aria-invalid'), 'true')
    })
  })
})

test('reports that a statement forgotten in another tab cannot be corrected', async () => {
  await withAda(async (url) => {
    await withPage(url + room, async ({ page }) => {
      await page.getByRole('button', { name: 'Correct: You drink tea.' }).click()
      await page.route('**/memories/coffee', (route) =>
        route.fulfill({ status: 404, json: { detail: 'Memory not found.' } }),
      )
      await page.locator('textarea').fill('They drink coffee.')
      await page.keyboard.press('Enter')
      await page.getByText('It was changed elsewhere meanwhile.').waitFor()
      await pollAssert.is(() => page.locator('textarea').inputValue(), 'They drink coffee.')
    })
  })
})

test('offers a retry if the memory cannot be loaded', async () => {
  await withAda(async (url) => {
    await withPage(`${url}/persona/ada/talk`, async ({ page }) => {
      let fails = true
      await page.route('**/memories', (route) =>
        fails ? route.fulfill({ status: 503, json: { detail: 'The home is full.' } }) : route.continue(),
      )
      await page.goto(url + room)
      await page.getByText('The home is full.').waitFor()
      fails = false
      await page.getByRole('button', { name: 'Try again' }).click()
      await part(page, 'About you').getByText('You drink tea.').waitFor()
      await pollAssert.is(() => page.getByText('The home is full.').count(), 0)
    })
  })
})

test('shows the memory of a past moment read-only', async () => {
  await withAda(async (url) => {
    await post(url, '/api/persona/ada/memories', { document: 'person', text: 'They moved to Rome.' })
    await withPage(`${url}${room}?at=${heardSeqs.imported + 1}`, async ({ page, complaints }) => {
      await part(page, 'About you').waitFor()
      await statement(page, 'Your sister Lena').waitFor()
      await pollAssert.is(() => statement(page, 'You moved to Rome.').count(), 0)
      await pollAssert.is(
        () => page.getByRole('button', { name: /Correct|Forget:|Write|Restore/ }).count(),
        0,
      )
      assert.equal(complaints, [])
    })
  })
})

test('shows the statement that the address names', async () => {
  await withAda(async (url) => {
    await withPage(`${url}${room}?record=${heardSeqs.imported + 6}`, async ({ page }) => {
      await page.locator('.sought').getByText('You have a cat named Momo.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.dataset.memory'), 'cat')
    })
  })
})

test('shows a hint if the memory is empty', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    await withPage(`${url}/persona/${id}/memory`, async ({ page }) => {
      await page.getByText('Mira knows nothing about you yet.').waitFor()
      await page.getByRole('link', { name: 'Talk to Mira' }).click()
      await page.waitForURL(`**/persona/${id}/talk`)
    })
  })
})

test('lists proposals of programs separately, and learns accepted ones', async () => {
  await withDaemon(async ({ url }) => {
    const { id } = await wake(url, 'Mira')
    const propose = async (text: string) => {
      const params = { name: 'remember', arguments: { document: 'wishes', text } }
      await fetch(`${url}/mcp/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      }).then((answer) => answer.text())
    }
    await propose('They want to see the sea.')
    await withPage(`${url}/persona/${id}/memory`, async ({ page }) => {
      const proposedPart = part(page, 'Proposed')
      await proposedPart.getByText('They want to see the sea.').waitFor()
      await propose('They want a <b>dog</b>.')
      await proposedPart.getByText('They want a <b>dog</b>.').waitFor()
      await pollAssert.equal(() => barriers(page), [])
      await page.getByRole('button', { name: 'Accept: They want to see the sea.' }).click()
      await part(page, 'Wishes').getByText('You want to see the sea.').waitFor()
      await page.getByRole('button', { name: /^Decline: They want a/ }).click()
      await pollAssert.is(() => proposedPart.count(), 0)
      await pollAssert.is(() => page.locator('.statement').count(), 1)
    })
  })
})

test('is accessible in the light and dark theme and on a phone', async () => {
  await withAda(async (url) => {
    for (const colorScheme of ['light', 'dark'] as const)
      await withPage(
        url + room,
        async ({ page }) => {
          await statement(page, 'Your sister Lena').getByRole('button', { name: 'Source' }).click()
          await page.getByRole('link', { name: 'My sister is called Lena' }).waitFor()
          await page.getByText('Forgotten (1)').click()
          await page.getByRole('button', { name: 'Write something down under “Wishes”' }).click()
          await pollAssert.equal(() => barriers(page), [])
          await pollAssert.ok(() =>
            page.evaluate('document.querySelector(".room-body").scrollWidth <= innerWidth'),
          )
        },
        { colorScheme, viewport: { width: 360, height: 740 } },
      )
  })
})

test('shows the source of third-party text in a statement', async () => {
  const models = createTalker({
    calls: (text) =>
      text.includes('Porto')
        ? [{ name: 'remember', input: { op: 'keep', document: 'person', text: 'Lena is moving to Porto.' } }]
        : [],
  })
  await withDaemon(
    async ({ url }) => {
      const { id } = await wake(url, 'Mira')
      const message = '> Hi, Lena here: I am moving to Porto in May!\n\nWhat do you think?'
      await post(url, `/api/persona/${id}/read?wait=20`, { message })
      await post(url, `/api/persona/${id}/memories`, { document: 'person', text: 'They drink tea.' })
      await withPage(`${url}/persona/${id}/memory`, async ({ page, complaints }) => {
        await statement(page, 'Lena is moving to Porto.').getByText('in the words of a quotation').waitFor()
        assert.is(await statement(page, 'You drink tea.').getByText('in the words of').count(), 0)
        await pollAssert.equal(() => barriers(page), [])
        if (process.env.LOOK) await page.screenshot({ path: process.env.LOOK })
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test.run()
