import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import {
  listMessages,
  loadMessages,
  post,
  readAllMessages,
  say,
  waitForMessage,
  wake,
  withDaemon,
} from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

test('keeps the talk over a reload', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await say(page, 'The key lies under the mat.')
      await waitForMessage(page, 'The key lies under the mat.')
      await waitForMessage(page, 'I hear you.')
      const messagesBefore = await listMessages(page)
      await page.reload()
      await waitForMessage(page, 'I hear you.')
      await pollAssert.equal(() => listMessages(page), messagesBefore)
      await pollAssert.equal(() => listMessages(page), await loadMessages(url, persona))
      await pollAssert.is(() => page.locator('.day').innerText(), 'Today')
    })
  })
})

test('keeps a draft over a reload, and clears it once it is sent', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await page.getByRole('textbox').fill('Half a thought')
      await page.reload()
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'Half a thought')
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(page, 'Half a thought')
      await page.reload()
      await waitForMessage(page, 'Half a thought')
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), '')
    })
  })
})

test('reports typing once after each answer, at most once a minute', async () => {
  await withDaemon(async ({ url }) => {
    const her = await wake(url, 'Mira')
    await withPage(url + her.room, async ({ page, complaints }) => {
      let reports = 0
      page.on('response', (response) => {
        if (response.url().endsWith('/typing') && response.ok()) reports++
      })
      const field = page.getByRole('textbox')
      await field.pressSequentially('Hello')
      await pollAssert.is(async () => reports, 1)
      await field.press('Enter')
      await waitForMessage(page, 'I hear you.')
      await field.pressSequentially('A')
      await page.evaluate('{ const now = Date.now; Date.now = () => now() + 61_000 }')
      await field.pressSequentially('nd')
      await pollAssert.is(async () => reports, 2)
      assert.equal(complaints, [])
    })
  })
})

// Verified to fail if the first letters are not stored, if those typed on a link are, and if storing never
// ends.
test('puts letters typed before the field exists into it, except those typed elsewhere', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url, async ({ page }) => {
      let release = () => {}
      const delayRoom = async () => {
        const whenComing = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route('**/assets/TalkRoom*', (route) => whenComing.then(() => route.continue()))
        await page.goto(url + persona.room)
        await page.getByRole('heading', { name: 'Mira' }).waitFor()
      }
      const field = page.getByRole('textbox')
      await delayRoom()
      await page.keyboard.type(' Good dayy')
      await page.keyboard.press('Backspace')
      await page.keyboard.press('Control+b')
      release()
      await field.waitFor()
      await pollAssert.is(() => field.inputValue(), 'Good day')
      await page.keyboard.type(', Mira')
      await pollAssert.is(() => field.inputValue(), 'Good day, Mira')

      await delayRoom()
      await page.keyboard.type(' and')
      await page.keyboard.press('Tab')
      await page.keyboard.type('lost')
      release()
      await field.waitFor()
      await pollAssert.is(() => field.inputValue(), 'Good day, Mira')
    })
  })
})

test('sends on Enter, and breaks the line on Shift+Enter', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await page.getByRole('textbox').pressSequentially('one')
      await page.getByRole('textbox').press('Shift+Enter')
      await page.getByRole('textbox').pressSequentially('two')
      await page.getByRole('textbox').press('Enter')
      await page.locator('[role=log] .mine').waitFor()
      await pollAssert.is(async () => (await loadMessages(url, persona))[0], 'one\ntwo')
    })
  })
})

// Safari reports the key only after the composition, with the code of a key of an input method.
test('does not send on the Enter that accepts a word of an input method', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    for (const path of [persona.room, `${persona.room}?kept=no`])
      await withPage(url + path, async ({ page }) => {
        const area = page.getByRole('textbox')
        await area.fill('にほん')
        for (const options of [{ isComposing: true }, { keyCode: 229 }]) {
          const init = JSON.stringify({ key: 'Enter', bubbles: true, cancelable: true, ...options })
          // False if the page handles the key.
          const isLeft = await page.evaluate(
            `document.querySelector('textarea').dispatchEvent(new KeyboardEvent('keydown', ${init}))`,
          )
          assert.is(isLeft, true, init)
        }
        await pollAssert.is(() => area.inputValue(), 'にほん')
        await area.press('Enter')
        await waitForMessage(page, 'にほん')
      })
    assert.is((await loadMessages(url, persona))[0], 'にほん')
  })
})

test('follows a draft that another tab changes or sends, and keeps a different text', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, tab }) => {
      await page.getByRole('textbox').fill('Half a thought')
      const otherPage = await tab(persona.room)
      const otherField = otherPage.getByRole('textbox')
      await pollAssert.is(() => otherField.inputValue(), 'Half a thought')
      await page.getByRole('textbox').fill('A whole thought')
      await pollAssert.is(() => otherField.inputValue(), 'A whole thought')
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(otherPage, 'A whole thought')
      await pollAssert.is(() => otherField.inputValue(), '')
      await otherField.fill('Mine')
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'Mine')
      await page.evaluate(`localStorage.clear()`)
      await page.getByRole('textbox').fill('Yours')
      assert.is(await otherField.inputValue(), 'Mine')
    })
  })
})

test('shows the same talk in two tabs', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, tab }) => {
      const otherPage = await tab(persona.room)
      await say(page, 'Said here')
      await waitForMessage(otherPage, 'I hear you.')
      await say(otherPage, 'Said there')
      await Promise.all([waitForMessage(page, 'I hear you.', 2), waitForMessage(otherPage, 'I hear you.', 2)])
      await pollAssert.equal(() => listMessages(page), await loadMessages(url, persona))
      await pollAssert.equal(() => listMessages(otherPage), await listMessages(page))
    })
  })
})

test('shows the last message in the list, and marks unseen ones', async () => {
  await withDaemon(async ({ url }) => {
    const mira = await wake(url, 'Mira')
    const ada = await wake(url, 'Ada')
    // Another browser has the talk with Ada open.
    const line = new WebSocket(`${url.replace('http', 'ws')}/ws/${ada.id}`)
    await once(line, 'open')
    await post(url, `/api/persona/${ada.id}/read`, { message: 'Are you there?' })
    await withPage(url + mira.room, async ({ page, tab }) => {
      const row = page.getByRole('link', { name: /^Ada,/ })
      await row.getByText('I hear you.').waitFor()
      // Messages from before this browser's first visit are not new.
      await pollAssert.is(() => row.getAttribute('aria-label'), 'Ada, active')
      await page.getByRole('textbox').fill('Hello, Mira.')
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(page, 'I hear you.')
      await pollAssert.is(
        () => page.getByRole('link', { name: /^Mira,/ }).getAttribute('aria-label'),
        'Mira, active',
      )

      await post(url, `/api/persona/${ada.id}/read`, { message: 'Still there?' })
      await page.getByRole('link', { name: 'Ada, active, new message' }).waitFor()
      const otherPage = await tab('/')
      await otherPage.getByRole('link', { name: 'Ada, active, new message' }).click()
      await otherPage.getByText('Still there?').first().waitFor()
      // A message that was seen in one tab counts as seen in all, also after a reload.
      for (const view of [page, otherPage]) await view.locator('[aria-label="Ada, active"]').waitFor()
      await page.reload()
      await page.locator('[aria-label="Ada, active"]').getByText('I hear you.').waitFor()
    })
    line.close()
  })
})

test('streams an answer, and shows it once at the end', async () => {
  const models = createTalker({ answer: () => 'one two three four five six seven', pause: 500 })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await say(page, 'Count')
        await page.locator('.thought').getByText('one two three').waitFor()
        await waitForMessage(page, 'one two three four five six seven')
        await pollAssert.is(() => page.locator('.thought').count(), 0)
        await pollAssert.equal(() => listMessages(page), ['Count', 'one two three four five six seven'])
        await pollAssert.ok(() => page.getByRole('button', { name: 'Stop' }).isHidden())
      })
    },
    { models },
  )
})

test('stops the answer on Escape', async () => {
  const models = createTalker({ answer: () => 'and so on '.repeat(400), pause: 60 })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await say(page, 'Talk')
        await page.locator('.thought').getByText('and so on').waitFor()
        const stop = page.getByRole('button', { name: 'Stop' })
        await pollAssert.ok(() => stop.isVisible())
        await page.keyboard.press('Escape')
        await stop.waitFor({ state: 'hidden' })
        const { status } = await post<{ status: string }>(url, `/api/persona/${persona.id}/hush`)
        assert.is(status, 'quiet')
        await page.getByRole('textbox').fill('And then?')
        await page.getByRole('button', { name: 'Send' }).waitFor()
      })
    },
    { models },
  )
})

test('loads older messages above, each once and in order', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, tab }) => {
      // The channel opens when a page has connected.
      await say(page, 'First')
      await waitForMessage(page, 'First')
      for (let index = 0; index < 220; index += 1)
        await post(url, `/api/persona/${persona.id}/read`, { message: `Message ${index}` })
      const laterPage = await tab(persona.room)
      await waitForMessage(laterPage, 'Message 219')
      await pollAssert.ok(async () => (await listMessages(laterPage)).length <= 201)
      await pollAssert.equal(() => readAllMessages(laterPage), await loadMessages(url, persona))
    })
  })
})

test('shows why a message failed, and delivers it once on a retry', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      const keys: (string | undefined)[] = []
      await page.route('**/read', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        // The daemon accepts the first request, but its response is lost.
        if (keys.length === 1) await route.fetch()
        if (keys.length > 2) return route.continue()
        return route.fulfill({ status: 500, json: { detail: 'JournalUnavailable: the disk is full' } })
      })
      await say(page, 'Water the fern')
      await waitForMessage(page, 'Water the fern')
      await say(page, 'Feed the cat')
      await page.getByRole('alert').getByText('JournalUnavailable: the disk is full').waitFor()
      await page.getByRole('button', { name: 'Try again' }).click()
      await waitForMessage(page, 'Feed the cat')
      await page.locator('.letter').first().waitFor({ state: 'detached' })
      const messages = await loadMessages(url, persona)
      assert.is(messages.filter((text) => text === 'Water the fern').length, 1)
      assert.is(messages.filter((text) => text === 'Feed the cat').length, 1)
      assert.is(keys[1], keys[2])
      assert.is.not(keys[0], keys[1])
    })
  })
})

test('does not repeat a message after a reload if its response was lost', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await say(page, 'Only once')
      await waitForMessage(page, 'I hear you.')
      const request = page.waitForRequest('**/read')
      await say(page, 'Twice?')
      const key = (await request).headers()['idempotency-key']
      await waitForMessage(page, 'I hear you.', 2)
      // Simulates a page that was closed before the response arrived.
      const letter = JSON.stringify([{ key, content: 'Twice?' }])
      await page.evaluate(`localStorage.setItem('daimon.outbox.${persona.id}', ${JSON.stringify(letter)})`)
      await page.reload()
      await waitForMessage(page, 'I hear you.', 2)
      await page.locator('.letter').waitFor()
      await page.locator('.letter').waitFor({ state: 'detached' })
      await pollAssert.equal(() => listMessages(page), ['Only once', 'I hear you.', 'Twice?', 'I hear you.'])
      await pollAssert.equal(() => loadMessages(url, persona), await listMessages(page))
    })
  })
})

test('shows messages as text: markup stays as typed, and only web addresses become links', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      const text = '<img src=x onerror=alert(1)> see https://example.org/a_(b), not javascript:alert(1)'
      await say(page, text)
      await waitForMessage(page, text)
      const bubble = page.locator('[role=log] .mine .words')
      await pollAssert.is(() => bubble.locator('img').count(), 0)
      await pollAssert.equal(
        () =>
          bubble
            .locator('a')
            .evaluateAll((links) =>
              links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
            ),
        [['https://example.org/a_(b)', 'noopener noreferrer']],
      )
      assert.equal(complaints, [])
    })
  })
})

test.run()
