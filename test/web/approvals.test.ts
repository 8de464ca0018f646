/** Approvals of a third-party server's tools in the talk. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { codeIn } from '../channels/platform.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { barriers, own, waitForFocusOn } from './axe.ts'
import { closeBrowser, handleFirst, withPage } from './browser.ts'
import { type Letters, withLetters } from './letters.ts'
import { pollAssert } from './poll-assert.ts'
import { post, say, settingsPath, waitForMessage } from './setup.ts'

test.after(closeBrowser)

const cards = (page: Page) => page.getByRole('article', { name: 'Mira asks to use a tool' })
const listPending = async ({ ask }: Pick<Letters, 'ask'>) => {
  const { approvals } = (await (await ask('GET', 'approvals')).json()) as { approvals: { id: number }[] }
  return approvals.map(({ id }) => id)
}

test('asks for approval of a tool in every tab and after a reload, and continues the turn after the answer', async () => {
  await withLetters(async (letters) => {
    const { url, persona, add } = letters
    await add()
    await withPage(url + persona.room, async ({ page, tab, complaints }) => {
      const otherPage = await tab(persona.room)
      await say(page, 'send Ines')
      for (const view of [page, otherPage]) await cards(view).waitFor()
      await pollAssert.match(
        () => cards(otherPage).innerText(),
        /post · send\s+to\s+Ines\s+lines\s+\["Dear friend,"/,
      )
      await page.getByRole('status').getByText('Mira asks to use send of post.').waitFor()
      await pollAssert.ok(() => page.getByRole('link', { name: /Mira.*waits for your decision/ }).count())
      await pollAssert.equal(() => barriers(page), [])
      await cards(page).getByText('Everything, as JSON').click()
      await pollAssert.match(() => cards(page).locator('pre').textContent(), /"to": "Ines"/)
      await pollAssert.equal(() => barriers(page, { moderate: true }), [])

      await page.reload()
      await cards(page).getByRole('button', { name: 'Once' }).focus()
      await page.keyboard.press('Enter')
      await waitForFocusOn(page, /^TEXTAREA/)
      for (const view of [page, otherPage]) {
        await view.getByText('You allowed it this once: send of post').waitFor()
        await waitForMessage(view, 'I hear you.')
        await pollAssert.is(() => cards(view).count(), 0)
        await pollAssert.is(() => view.getByRole('link', { name: /waits for your decision/ }).count(), 0)
      }
      const story = page.locator('.story-body')
      await page.getByRole('button', { name: 'Details' }).click()
      await pollAssert.match(
        () => story.innerText(),
        /post · send · [\d.]+ sec · you allowed it this once\s+to: Ines/,
      )
      await pollAssert.equal(() => barriers(page), [])
      assert.equal(await listPending(letters), [])
      await page.goto(`${url}/persona/${persona.id}/life`)
      for (const text of ['Mira asked to use send of post', 'You allowed a tool this once.'])
        await page.getByText(text).waitFor()
      await page.getByText('The tool server post was set up.').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('shows a question once if a paired chat gets it, too', async () => {
  const telegram = await createTelegramStandIn()
  try {
    await withLetters(
      async ({ url, persona, add, ask }) => {
        await add()
        await ask('POST', 'channels', { kind: 'telegram', credentials: { token: telegram.token } })
        await waitFor('a listener', () => telegram.polling() > 0)
        telegram.write({ text: 'hello?' })
        const code = await waitFor('a code', () =>
          telegram.sentMessages.map(({ text }) => codeIn(text)).find(Boolean),
        )
        await ask('POST', 'pair', { code })
        await withPage(url + persona.room, async ({ page, complaints }) => {
          const asked = () =>
            [...telegram.shownMessages.values()].filter(({ text }) => /^May I use/.test(text))
          await say(page, 'send Ines')
          await cards(page).waitFor()
          await waitFor('the question in the chat', () => asked().length === 1)
          await page.reload()
          await cards(page).waitFor()
          assert.is(await page.getByRole('log').getByText('May I use').count(), 0)
          await cards(page).getByRole('button', { name: 'Once' }).click()
          await page.getByText('You allowed it this once: send of post').waitFor()
          await waitForMessage(page, 'I hear you.')
          assert.is(await page.getByRole('log').getByText('May I use').count(), 0)
          const { messages } = (await (await ask('GET', 'conversation')).json()) as {
            messages: readonly { content: string; asks?: true }[]
          }
          assert.equal(
            messages.map(({ content, asks }) => [content.slice(0, 9), asks]).filter(([, asks]) => asks),
            [['May I use', true]],
          )
          assert.equal(complaints, [])
        })
      },
      'Mira',
      { env: { TELEGRAM_API_BASE_URL: telegram.url } },
    )
  } finally {
    await telegram.close()
  }
})

test('respects "no", and shows "always" in the settings without asking again', async () => {
  await withLetters(async ({ url, persona, add }) => {
    await add()
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'send Ines, Otto')
      await pollAssert.is(() => cards(page).count(), 2)
      await cards(page).first().getByRole('button', { name: 'No' }).press('Enter')
      // A second press answers nothing.
      await waitForFocusOn(page, /^H2/)
      await pollAssert.is(() => cards(page).count(), 1)
      await cards(page).getByRole('button', { name: 'Always' }).press('Enter')
      await waitForMessage(page, 'I hear you.')
      await page.getByText('You did not allow it: send of post').waitFor()
      await page.getByText('You allowed it from now on: send of post').waitFor()

      await say(page, 'send Paul')
      await waitForMessage(page, 'I hear you.', 2)
      await pollAssert.is(() => cards(page).count(), 0)
      await page.goto(url + settingsPath(persona, 'tools'))
      const modes = page.getByRole('group', { name: 'May send be used?' })
      await pollAssert.equal(() => modes.locator('[aria-pressed=true]').allTextContents(), ['Allow'])
      assert.equal(complaints, [])
    })
  })
})

// Verified to fail if the page only knows approvals that were settled while it was open.
test('asks about a new address at an allowed host with the reason and the whole address', async () => {
  await withLetters(async ({ url, persona, ask }) => {
    await ask('PATCH', 'hosts/example.org', { mode: 'allow' })
    await withPage(url + persona.room, async ({ page, complaints }) => {
      const topic = `${'pin4711'.repeat(150)}end`
      await say(page, `look up ${topic} at example.org`)
      const card = cards(page)
      await card.getByText('You always allow this, but this address is new').waitFor()
      await pollAssert.match(() => card.locator('dl').innerText(), /about=(pin4711){150}end/)
      await pollAssert.equal(() => barriers(page), [])
      if (process.env.LOOK) await page.screenshot({ path: process.env.LOOK })
      await card.getByRole('button', { name: 'No' }).click()
      await page.getByText('You did not allow it').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('keeps the decision at its place in the talk, after a reload and further messages', async () => {
  await withLetters(async ({ url, persona, add, ask }) => {
    await add()
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'send Ines')
      await cards(page).getByRole('button', { name: 'Once' }).click()
      await waitForMessage(page, 'I hear you.')
      await ask('POST', 'read?wait=30', { message: 'Something else.' })
      await waitForMessage(page, 'I hear you.', 2)
      await page.reload()
      await waitForMessage(page, 'I hear you.', 2)
      await page.getByText('You allowed it this once: send of post').waitFor()
      const text = await page.getByRole('log').innerText()
      const places = ['send Ines', 'You allowed it this once', 'Something else.'].map((label) =>
        text.indexOf(label),
      )
      assert.equal(
        places,
        [...places].sort((a, b) => a - b),
      )
      assert.ok((places[0] ?? -1) >= 0)
      assert.equal(complaints, [])
    })
  })
})

// Verified to fail if every response other than a success is shown as a failure.
test('shows a decision made in another tab without an error, and offers a retry after a failed request', async () => {
  await withLetters(async (letters) => {
    const { url, persona, add, ask } = letters
    await add()
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'send Ines')
      await cards(page).waitFor()
      await handleFirst(page, '**/approvals/*', 1, (route) => route.abort())
      await cards(page).getByRole('button', { name: 'Once' }).click()
      await cards(page).getByRole('alert').getByText('Daimon does not answer.').waitFor()
      const notFound = { status: 404, json: { detail: 'Approval not found, or answered already.' } }
      await page.route('**/approvals/*', (route) => route.fulfill(notFound))
      await cards(page).getByRole('button', { name: 'Once' }).click()
      await page.getByText('Answered already: send of post').waitFor()
      await waitForFocusOn(page, /^TEXTAREA/)
      const [id] = await listPending(letters)
      await ask('POST', `approvals/${id}`, { decision: 'no' })
      await page.getByText('You did not allow it: send of post').waitFor()
      await waitForMessage(page, 'I hear you.')
      assert.equal(
        own(complaints).filter((complaint) => !complaint.includes('ERR_FAILED')),
        [],
      )
    })
  })
})

test('accepts messages while an approval is open, and removes the approval when the turn is stopped', async () => {
  await withLetters(async (letters) => {
    const { url, persona, add, ask } = letters
    await add()
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'send Ines')
      await cards(page).waitFor()
      await say(page, 'And how are you?')
      await waitForMessage(page, 'I hear you.')
      await pollAssert.is(() => cards(page).count(), 1)
      await post(url, `/api/persona/${persona.id}/stop`)
      await cards(page).getByText('Mira continues after the start.').waitFor()
      await post(url, `/api/persona/${persona.id}/start`)
      await ask('POST', 'hush')
      await page.getByText('Request withdrawn: send of post').waitFor()
      await pollAssert.is(() => cards(page).count(), 0)
      assert.equal(complaints, [])
    })
  })
})

test('notifies once about an approval while the page is in the background', async () => {
  await withLetters(async ({ url, persona, add, ask }) => {
    await add()
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await page.getByRole('textbox').waitFor()
      await page.evaluate(`window.told = []
        window.Notification = class extends EventTarget {
          static permission = 'granted'
          constructor(title, { body }) { super(); told.push(title + ': ' + body) }
        }
        Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`)
      await ask('POST', 'read', { message: 'send Ines' })
      await cards(page).waitFor()
      await pollAssert.equal(() => page.evaluate('told'), ['Mira: Mira asks to use send of post.'])
      await pollAssert.match(() => page.title(), /^\(1\) Mira/)
      assert.equal(complaints, [])
    })
  })
})

test('is accessible on a dark phone, in German, with a right-to-left name', async () => {
  await withLetters(async ({ url, persona, add, become, ask }) => {
    await add()
    await ask('PATCH', 'tools/post/send', { mode: 'allow' })
    await become({ describes: 'שולח מכתב' })
    await ask('POST', 'tools/post/probe')
    await withPage(
      url + persona.room,
      async ({ page, complaints }) => {
        await say(page, 'send שלום')
        const card = page.getByRole('article', { name: 'möchte ein Werkzeug benutzen' })
        await card.waitFor()
        await card.getByText('Du hast dieses Werkzeug erlaubt').waitFor()
        await pollAssert.equal(() => barriers(page), [])
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
        await card.getByRole('link', { name: 'Ansehen' }).click()
        await page.getByRole('heading', { name: 'Wie es jetzt ist' }).waitFor()
        await pollAssert.equal(() => barriers(page), [])
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
        await page.goBack()
        await card.getByRole('button', { name: 'Nein' }).click()
        await page.getByText('Du hast es nicht erlaubt').waitFor()
        assert.equal(complaints, [])
      },
      { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 800 } },
    )
  }, 'מירה')
})

test.run()
