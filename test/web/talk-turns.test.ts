/** The details and actions of messages, and failing Minds. */
import { mkdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { MindError } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { waitFor } from '../calls.ts'
import { unknownUsage } from '../chat-only-models.ts'
import { createHome } from '../create-journal.ts'
import { createMessageHeard } from '../journal/facts.ts'
import { png } from '../stand-ins/media.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { endsWith, loadMessages, post, say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'
import { tone } from './tone.ts'

test.after(closeBrowser)

const makers = { imagination_model: 'embedded/practice' }
const getFocused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.tagName')
const openMenu = async (page: Page, nth: number) => {
  await page.locator('[role=log] .entry').nth(nth).hover()
  await page.locator('[role=log] .more').nth(nth).click()
  await page.getByRole('menu').waitFor()
}

test('shows the tools and cost of each turn, folded, and offers a retry after an error', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', makers)
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'draw a lake')
        await waitForMessage(page, 'I hear you.')
        const story = page.locator('.story-body')
        const details = page.getByRole('button', { name: 'Details' })
        await pollAssert.is(() => details.count(), 1)
        let requests = 0
        await page.route('**/turns/*', (route) => {
          requests += 1
          return requests === 1
            ? route.fulfill({ status: 200, body: 'no turn', contentType: 'text/plain' })
            : route.continue()
        })
        await details.press('Enter')
        await story.getByRole('button', { name: 'Try again' }).click()
        await story.getByText('embedded/practice').first().waitFor()
        await pollAssert.match(() => story.innerText(), /Used\s+Draw a picture\s+a lake/)
        await pollAssert.match(() => story.innerText(), /Cost\s+nothing: it runs on this machine/)
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ picture: png }) },
  )
})

test('copies a message, changes and sends an earlier one again, and keeps the focus', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(
      url + persona.room,
      async ({ page, complaints }) => {
        await say(page, 'What is **this**?')
        await waitForMessage(page, 'I hear you.')
        await page.locator('[role=log] .more').first().focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
        await pollAssert.is(() => getFocused(page), 'More on this message')
        await openMenu(page, 0)
        await page.getByRole('menuitem', { name: 'Copy' }).click()
        await page.getByText('Copied.').waitFor()
        await pollAssert.is(() => page.evaluate('navigator.clipboard.readText()'), 'What is **this**?')
        await pollAssert.is(() => getFocused(page), 'More on this message')

        await say(page, 'And this?')
        await waitForMessage(page, 'I hear you.', 2)
        await page.getByRole('textbox').fill('Meanwhile')
        await openMenu(page, 0)
        await page.getByRole('menuitem', { name: 'Edit and ask again' }).press('Enter')
        await waitFor('the composer', async () => (await getFocused(page)) === 'Write to Mira')
        await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'What is **this**?\nMeanwhile')
        await page.keyboard.press('Enter')
        await waitForMessage(page, 'I hear you.', 3)
        await pollAssert.equal(
          async () => (await loadMessages(url, persona)).filter((text) => text !== 'I hear you.'),
          ['What is **this**?', 'And this?', 'What is **this**?\nMeanwhile'],
        )
        assert.equal(complaints, [])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })
})

const line = (text: string): PersonaEvent =>
  ({ ...createMessageHeard(text), channel: { type: 'telegram', name: '99' } }) as PersonaEvent

test('shows what was learned from a message, or that nothing was', async () => {
  const home = await createHome([
    { at: '2026-11-20T09:00:00+01:00', events: [line('My sister is called Ana.')] },
    { at: '2026-11-20T09:01:00+01:00', events: [line('It rains.')] },
    {
      at: '2026-11-20T09:02:00+01:00',
      events: [
        {
          type: 'MemoryKept',
          id: 'm1',
          document: 'person',
          origin: 'persona',
          text: 'Their sister is called <b>Ana</b>.',
          sources: [3],
        },
      ],
    },
  ])
  await withDaemon(
    async ({ url }) => {
      await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
        await waitForMessage(page, 'It rains.')
        await page.getByText('by Telegram').waitFor()
        const seqs = await page
          .locator('[data-record]')
          .evaluateAll((all) => all.map((row) => row.getAttribute('data-record')))
        assert.equal(seqs, ['3', '4'])
        await openMenu(page, 0)
        await page.getByRole('menuitem', { name: 'Show what was learned' }).click()
        const dialog = page.getByRole('dialog', { name: 'Learned from this message' })
        await dialog.getByText('Their sister is called <b>Ana</b>.').waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await pollAssert.is(() => getFocused(page), 'More on this message')
        await openMenu(page, 1)
        await page.getByRole('menuitem', { name: 'Show what was learned' }).click()
        await dialog.getByText('has learned nothing from it so far').waitFor()
        assert.equal(complaints, [])
      })
    },
    { home },
  )
})

// Verified to fail if a page that is loaded meanwhile does not request the state.
test('shows a failing Mind immediately, marks waiting messages, and shows their later answers', async () => {
  let isReachable = true
  const answer = () => {
    if (!isReachable) throw new MindError('unreachable', 'Nobody answers at that address.')
    return 'I am back.'
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, tab }) => {
        await say(page, 'Hello')
        await waitForMessage(page, 'I am back.')
        isReachable = false
        await say(page, 'Are you there?')
        const head = page.locator('.room-head .condition')
        await head.getByText('has a problem').waitFor()
        await page.locator('.mine').last().getByText('waiting for Mira').waitFor()
        await pollAssert.is(() => page.getByText('waiting for Mira').count(), 1)
        await page.getByRole('link', { name: 'Mira, has a problem' }).waitFor()
        const laterPage = await tab(persona.room)
        await laterPage.locator('.room-head .condition').getByText('has a problem').waitFor()
        await laterPage.getByText('waiting for Mira').waitFor()
        isReachable = true
        await page.getByRole('link', { name: 'Check the model' }).waitFor()
        await page.getByRole('button', { name: 'Try now' }).click()
        for (const view of [page, laterPage]) {
          await waitForMessage(view, 'I am back.', 2)
          await view.locator('.room-head .condition').waitFor({ state: 'detached' })
          await pollAssert.is(() => view.getByText('waiting for Mira').count(), 0)
        }
      })
    },
    { models: createTalker({ answer }) },
  )
})

test('sends a refused message again on request', async () => {
  let refuses = true
  const answer = () => {
    if (refuses) throw new MindError('refused', 'That is too much.')
    return 'Now I can.'
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Count to a million')
        await page.getByText('This was not answered.').waitFor()
        await page.reload()
        await page.getByText('This was not answered.').waitFor()
        refuses = false
        await page.getByRole('button', { name: 'Ask again' }).click()
        await waitForMessage(page, 'Now I can.')
        assert.is(
          (await loadMessages(url, persona)).filter((text) => text === 'Count to a million').length,
          2,
        )
        await pollAssert.is(() => page.getByText('This was not answered.').count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer }) },
  )
})

test('shows a notice of the daemon as a line of its own, in light and dark', async () => {
  let fails = true
  const answer = () => {
    if (fails) throw new MindError('refused', 'The “zebra” of http://x.example is not allowed.')
    return 'Good to hear from you.'
  }
  const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        fails = false
        await say(page, 'Hello')
        await waitForMessage(page, 'Good to hear from you.')
        fails = true
        await say(page, 'Are you there?')
        const line = page.locator('.by-daemon')
        await line.getByText('Notice from Daimon', { exact: true }).waitFor()
        await pollAssert.match(
          () => line.locator('.words').innerText(),
          /^The model did not answer this: The “zebra”/,
        )
        assert.is(await line.locator('.words').getAttribute('lang'), 'en')
        fails = false
        await say(page, 'And now?')
        await waitForMessage(page, 'Good to hear from you.', 2)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.screenshot({ path: `${folder}notice-${colorScheme}.png` })
          await pollAssert.equal(() => barriers(page), [], colorScheme)
        }
        assert.equal(complaints, [])
      })
      await withPage(
        url + persona.room,
        async ({ page }) => {
          await page.getByText('Hinweis von Daimon', { exact: true }).waitFor()
        },
        { locale: 'de-DE' },
      )
      const personaUrl = `${url}/api/persona/${persona.id}`
      const { messages } = (await (await fetch(`${personaUrl}/conversation`)).json()) as {
        messages: readonly { readonly role: string; readonly notice?: true }[]
      }
      assert.equal(
        messages.map(({ role, notice }) => [role, notice]),
        [
          ['person', undefined],
          ['assistant', undefined],
          ['person', undefined],
          ['assistant', true],
          ['person', undefined],
          ['assistant', undefined],
        ],
      )
      const find = async (text: string) =>
        ((await (await fetch(`${personaUrl}/search?q=${text}`)).json()) as { found: readonly unknown[] })
          .found.length
      assert.is(await find('there'), 1)
      assert.is(await find('zebra'), 0)
    },
    { models: createTalker({ answer }) },
  )
})

const sayMany = async (count: number): Promise<string> =>
  createHome(
    Array.from({ length: count }, (_, n) => ({
      at: new Date(Date.parse('2026-10-01T09:00:00Z') + n * 60_000).toISOString(),
      events: [
        {
          ...createMessageHeard(`Message ${n}${' with more words'.repeat(n % 30)}`),
          channel: { type: 'web', name: 'ada' },
        } as PersonaEvent,
      ],
    })),
  )

test('scrolls to the old message that the address names, and marks it', async () => {
  await withDaemon(
    async ({ url }) => {
      await withPage(`${url}/persona/ada/talk?record=13`, async ({ page, complaints }) => {
        const row = page.locator('[data-record="13"]')
        await page.locator('.marked').waitFor()
        await waitFor('the row to be in sight', () => inSight(page, 13))
        await pollAssert.match(() => row.innerText(), /Message 10/)
        await pollAssert.is(() => page.getByText('Looking for that message').count(), 0)
        await pollAssert.ok(async () => (await page.locator('[role=log] .words').count()) < 80)
        await page.goto(`${url}/persona/ada/talk?record=99999`)
        await page.getByText('That message is not in this talk.').waitFor()
        await waitFor('the end', () => inSight(page, 602))
        assert.equal(complaints, [])
      })
    },
    { home: await sayMany(600) },
  )
})

const inSight = (page: Page, record: number): Promise<boolean> =>
  page.evaluate(`(() => {
    const found = document.querySelector('[data-record="${record}"]')?.getBoundingClientRect()
    const log = document.querySelector('.scroller')?.getBoundingClientRect()
    return !!found && found.top >= log.top - 1 && found.bottom <= log.bottom + 1
  })()`)

// Verified to fail if older messages are inserted without correcting the scroll position.
test('keeps the scroll position when older messages load above', async () => {
  await withDaemon(
    async ({ url }) => {
      await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
        await waitFor('the end', () => inSight(page, 602))
        let loadedCount = 0
        page.on('response', (response) => {
          if (response.url().includes('before=')) loadedCount += 1
        })
        for (let n = 0; loadedCount < 2 && n < 400; n += 1) {
          const [record, before, pages] = await topmost(page, loadedCount)
          await page.waitForTimeout(40)
          const positionAfter = await getPosition(page, record)
          if (positionAfter !== null)
            assert.ok(
              Math.abs(positionAfter - before) < 2,
              `${record} moved from ${before} to ${positionAfter}, ${pages}`,
            )
        }
        assert.is(loadedCount, 2)
        assert.equal(complaints, [])
      })
    },
    { home: await sayMany(600) },
  )
})

/**
 * Scrolls up a little, waits until the position is stable, and returns the message in the middle and its
 * position.
 */
const topmost = async (page: Page, loadedCount: number): Promise<readonly [number, number, number]> => {
  await page.evaluate(`(async () => {
    document.querySelector('.scroller').scrollTop -= 400
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 20))))
  })()`)
  const [record, place] = await page.evaluate<readonly [number, number]>(`(() => {
    const one = [...document.querySelectorAll('[data-record]')].find((entry) => entry.getBoundingClientRect().top > 300)
    return [Number(one.dataset.record), one.getBoundingClientRect().top]
  })()`)
  return [record, place, loadedCount]
}

const getPosition = (page: Page, record: number): Promise<number | null> =>
  page.evaluate(`document.querySelector('[data-record="${record}"]')?.getBoundingClientRect().top ?? null`)

test('counts messages in the title while in the background, and only then asks for notifications', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'First')
      await waitForMessage(page, 'I hear you.')
      await pollAssert.is(() => page.getByText('Should this browser notify you').count(), 0)
      await page.evaluate(createVisibilityScript('hidden'))
      await post(url, `/api/persona/${persona.id}/read`, { message: 'Second' })
      await waitForMessage(page, 'I hear you.', 2)
      await waitFor('the count', async () => (await page.title()) === '(1) Mira · Daimon')
      await page.evaluate(createVisibilityScript('visible'))
      await waitFor('no count', async () => (await page.title()) === 'Mira · Daimon')
      await page.getByText('Mira wrote while you were away.').waitFor()
      await page.getByRole('button', { name: 'Not now' }).click()
      await pollAssert.is(() => getFocused(page), 'Write to Mira')
      await page.evaluate(createVisibilityScript('hidden'))
      await post(url, `/api/persona/${persona.id}/read`, { message: 'Third' })
      await waitForMessage(page, 'I hear you.', 3)
      await page.evaluate(createVisibilityScript('visible'))
      await pollAssert.is(() => page.getByText('Should this browser notify you').count(), 0)
      assert.equal(complaints, [])
    })
  })
})

const createVisibilityScript = (
  state: string,
) => `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
  Object.defineProperty(Notification, 'permission', { value: 'default', configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))`

test('saves the whole talk as Markdown', async () => {
  await withDaemon(
    async ({ url }) => {
      await withPage(`${url}/persona/ada/talk`, async ({ page, complaints }) => {
        await endsWith(page, `Message 299${' with more words'.repeat(29)}`, url, { id: 'ada', room: '' }, 300)
        await page.locator('[role=log] .more').last().click()
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('menuitem', { name: 'Save the talk as Markdown' }).click(),
        ])
        await page.getByText('300 messages were saved.').waitFor()
        const transcript = await readFile(await download.path(), 'utf8')
        assert.match(transcript, /^# Talk with Ada\n\n## Thursday/)
        assert.is(transcript.match(/^\*\*You\*\*/gm)?.length, 300)
        assert.equal(complaints, [])
      })
    },
    { home: await sayMany(300) },
  )
})

test('reads messages aloud by sentence, without Markdown, until stopped', async () => {
  const answer = () => 'The **first** sentence. A second one, see https://example.org/x! And a third.'
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await page.evaluate(`window.spoken = []
          speechSynthesis.speak = (one) => { spoken.push(one.text); if (spoken.length < 2) setTimeout(() => one.onend()) }
          speechSynthesis.cancel = () => spoken.push('quiet')`)
        await say(page, 'Tell me')
        await page.locator('[role=log] .hers').waitFor()
        await openMenu(page, 1)
        await page.getByRole('menuitem', { name: 'Read aloud' }).click()
        await page.getByText('Reading aloud…').waitFor()
        await waitFor('two', async () => (await page.evaluate<readonly string[]>('spoken')).length === 2)
        await page.keyboard.press('Escape')
        await page.getByText('Reading aloud…').waitFor({ state: 'detached' })
        await pollAssert.equal(
          () => page.evaluate('spoken'),
          ['The first sentence.', 'A second one, see !', 'quiet'],
        )
      })
    },
    { models: createTalker({ answer }) },
  )
})

// Verified to fail if a sentence with a sound is played while the browser's voice speaks.
test('reads on with one voice, in order, after the Mouth failed for a sentence', async () => {
  const answer = () => 'The first sentence. A second one! And a third.'
  const models: Models = {
    ...createTalker({ answer }),
    mouth: () => ({
      speak: async (text) => {
        if (text.startsWith('The first')) throw new MindError('barred', 'The key was rejected.')
        return { bytes: tone(0.2), mime: 'audio/wav', usage: unknownUsage }
      },
    }),
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', { mouth_model: 'embedded/practice' })
      await withPage(url + persona.room, async ({ page }) => {
        await page.evaluate(`window.spoken = []
          speechSynthesis.speak = (one) => { spoken.push(one.text); setTimeout(() => one.onend(), 1500) }
          const start = AudioBufferSourceNode.prototype.start
          AudioBufferSourceNode.prototype.start = function () { spoken.push('sound'); return start.call(this) }`)
        await say(page, 'Tell me')
        await page.locator('[role=log] .hers').waitFor()
        await openMenu(page, 1)
        await page.getByRole('menuitem', { name: 'Read aloud' }).click()
        await pollAssert.equal(
          () => page.evaluate('spoken'),
          ['The first sentence.', 'A second one!', 'And a third.'],
        )
      })
    },
    { models },
  )
})

test.run()
