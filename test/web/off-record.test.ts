/** A talk that is not saved: not by the daemon, not by the browser, and not by the page after a reload. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventData } from '../../web/off-record/event-data.ts'
import { waitFor } from '../calls.ts'
import { png } from '../stand-ins/media.ts'
import { seriousOn } from './accessible.ts'
import { own, waitForFocus, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { loadFacts } from './lives.ts'
import { pollAssert } from './poll-assert.ts'
import {
  listMessages,
  loadMessages,
  post,
  say,
  type WokenPersona,
  waitForMessage,
  wake,
  withDaemon,
} from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const offRecordPath = ({ room }: WokenPersona) => `${room}?kept=no`
const banner = (page: Page) => page.getByRole('complementary', { name: 'Off the record' })
const getLink = (page: Page) => page.getByRole('link', { name: 'Off the record' })
const button = (page: Page, name: string) => page.getByRole('button', { name })
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Returns the paths of files below the folder that contain a text or have it in their name. */
const filesHoldingText = async (
  folder: string,
  contents: readonly (string | Buffer)[],
): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path)
    const isIn = (word: string | Buffer) =>
      bytes.includes(word) || (typeof word === 'string' && path.includes(word))
    if (contents.some(isIn)) paths.push(path)
  }
  return paths
}

/** Enter does not send on a touch screen. */
const write = async (page: Page, words: string) => {
  await page.locator('textarea').fill(words)
  await button(page, 'Send').click()
}

/** Returns the page's data in the browser's storage. */
const getStorage = (page: Page): Promise<string> =>
  page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')

// Verified to fail with `store: true` in the request, and with a stored draft.
test('saves nothing in the talk, the journal, the disk or the browser', async () => {
  const models = createTalker({ answer: () => 'The **quolldrif** sings of Grüße 🌱.' })
  await withDaemon(
    async ({ url, home }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + offRecordPath(persona), async ({ page, complaints }) => {
        await banner(page).getByText('Nothing you say here is saved').waitFor()
        await say(page, 'Zwieflock has the blue key.')
        await waitForMessage(page, 'Zwieflock has the blue key.')
        await waitForMessage(page, 'The quolldrif sings of Grüße 🌱.')
        await pollAssert.is(() => page.locator('[role=log] strong').innerText(), 'quolldrif')
        await page.locator('input[type=file]').setInputFiles([
          { name: 'morvenak.png', mimeType: 'image/png', buffer: png },
          { name: 'morvenak.txt', mimeType: 'text/plain', buffer: Buffer.from('Morvenak') },
        ])
        await page.getByText('Off the record you can send only pictures').waitFor()
        await page.getByRole('button', { name: 'Remove morvenak.png' }).waitFor()
        const shows = page.waitForRequest('**/v1/chat/completions')
        await say(page, 'Look at Zwieflock.')
        await page.getByRole('img', { name: 'morvenak.png' }).waitFor()
        const address = `data:image/png;base64,${png.toString('base64')}`
        assert.equal((await shows).postDataJSON().messages.at(-1).content, [
          { type: 'image_url', image_url: { url: address } },
          { type: 'text', text: 'Look at Zwieflock.' },
        ])
        await waitForMessage(page, 'The quolldrif sings of Grüße 🌱.', 2)
        await page.getByRole('textbox').fill('Morvenak, half writ')
        // The cost is recorded at the end.
        await waitFor('the cost in the journal', async () =>
          (await loadFacts(url, persona.id)).some(({ type }) => type === 'ModelAnswered'),
        )
        const words = ['wieflock', 'uolldrif', 'orvenak']
        assert.equal(await loadMessages(url, persona), [])
        const journal = JSON.stringify(await loadFacts(url, persona.id))
        assert.equal(
          words.filter((word) => journal.includes(word)),
          [],
        )
        assert.equal(await filesHoldingText(home, [...words, png.subarray(8)]), [])
        const inBrowser = await getStorage(page)
        assert.equal(
          words.filter((word) => inBrowser.includes(word)),
          [],
        )

        await page.reload()
        await banner(page).waitFor()
        await page.getByText('Talk with Mira here without leaving a trace.').waitFor()
        assert.equal(await listMessages(page), [])
        await pollAssert.is(() => page.getByRole('textbox').inputValue(), '')
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test('sends the whole talk, streams the answer, and stops it on Escape', async () => {
  const models = createTalker({ answer: () => 'and so on '.repeat(400), pause: 40 })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + offRecordPath(persona), async ({ page, complaints }) => {
        await say(page, 'Talk')
        await page.locator('.thought').getByText('and so on').waitFor()
        // Verified to fail without the abort: the model would continue.
        const failedRequest = page.waitForEvent('requestfailed')
        await page.keyboard.press('Escape')
        assert.match((await failedRequest).url(), '/v1/chat/completions')
        await button(page, 'Stop').waitFor({ state: 'hidden' })
        await pollAssert.is(() => page.locator('.thought').count(), 0)
        await pollAssert.match(async () => (await listMessages(page))[1] ?? '', /^and so on/)
        const messagesBefore = await listMessages(page)
        await waitForFocus(page)

        const request = page.waitForRequest('**/v1/chat/completions')
        await say(page, 'And then?')
        const { model, messages, store } = (await request).postDataJSON()
        assert.equal(
          [model, messages, store],
          [
            persona.id,
            [
              { role: 'user', content: 'Talk' },
              { role: 'assistant', content: messagesBefore[1] },
              { role: 'user', content: 'And then?' },
            ],
            undefined,
          ],
        )
        await page.locator('.thought').waitFor()
        await button(page, 'Stop').focus()
        await page.keyboard.press('Enter')
        await button(page, 'Stop').waitFor({ state: 'hidden' })
        await waitForFocusOn(page, /TEXTAREA/)
        await pollAssert.is(async () => (await listMessages(page)).length, 4)
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test('shows errors and offers a retry', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + offRecordPath(persona), async ({ page, complaints }) => {
      const firstChunk =
        'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Half a sen"},"finish_reason":null}]}\n\n'
      const answers = [
        { status: 400, json: { detail: 'The model is too busy.', error: { code: 'model_failed' } } },
        // Verified to fail if an error in the stream is read as a chunk without text.
        {
          contentType: 'text/event-stream',
          body: `${firstChunk}data: {"detail":"The model fell silent.","error":{"code":"model_failed"}}\n\n`,
        },
        // Verified to fail if the end of the stream is taken for the end of the answer.
        { contentType: 'text/event-stream', body: firstChunk },
      ]
      await page.route('**/v1/chat/completions', (route) => {
        const answer = answers.shift()
        return answer ? route.fulfill(answer) : route.continue()
      })
      await say(page, 'Are you there?')
      await page.getByRole('alert').getByText('The model is too busy.').waitFor()
      await button(page, 'Try again').click()
      await page.getByRole('alert').getByText('The model fell silent.').waitFor()
      await waitForMessage(page, 'Half a sen')
      await waitForFocusOn(page, /TEXTAREA/)
      await button(page, 'Try again').click()
      await page.getByRole('alert').getByText('Daimon does not answer.').waitFor()
      await button(page, 'Try again').click()
      await waitForMessage(page, 'I hear you.')
      await pollAssert.equal(() => listMessages(page), ['Are you there?', 'I hear you.'])
      await pollAssert.is(() => page.getByRole('alert').count(), 0)
      assert.equal(own(complaints), [])
    })
  })
})

test('says that a stopped persona cannot answer, and how to start it', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await post(url, `/api/persona/${persona.id}/stop`)
    await withPage(url + offRecordPath(persona), async ({ page, complaints }) => {
      await say(page, 'Are you there?')
      await page.getByRole('alert').getByText('Mira is not active and cannot answer.').waitFor()
      await button(page, 'Start Mira').click()
      await button(page, 'Start Mira').waitFor({ state: 'hidden' })
      await waitForFocusOn(page, /TEXTAREA/)
      await button(page, 'Try again').click()
      await waitForMessage(page, 'I hear you.')
      assert.equal(await loadMessages(url, persona), [])
      assert.equal(own(complaints), [])
    })
  })
})

test('opens from the talk and the palette, and returns the focus', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'This stays.')
      await waitForMessage(page, 'I hear you.')
      await page.getByRole('textbox').fill('A draft')
      await getLink(page).focus()
      await page.keyboard.press('Enter')
      await banner(page).waitFor()
      await waitForFocusOn(page, /TEXTAREA Write to Mira, off the record/)
      await pollAssert.is(() => page.title(), 'Off the record · Mira · Daimon')
      assert.equal(await listMessages(page), [])
      await say(page, 'This goes.')
      await waitForMessage(page, 'I hear you.')

      await banner(page).getByRole('link', { name: 'Back to the talk' }).click()
      await waitForMessage(page, 'This stays.')
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'A draft')
      // Verified to fail if the talk takes the focus for its text field.
      await waitForFocusOn(page, /^A Off the record/)
      await pollAssert.equal(() => listMessages(page), ['This stays.', 'I hear you.'])

      // The history leads back to the view, but its messages are gone.
      await page.goBack()
      await banner(page).waitFor()
      await waitForFocusOn(page, /TEXTAREA/)
      await pollAssert.equal(() => listMessages(page), [])
      await page.goBack()
      await waitForMessage(page, 'This stays.')
      await waitForFocusOn(page, /^A Off the record/)

      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('option', { name: 'Talk to Mira off the record' }).click()
      await banner(page).waitFor()
      await waitForFocusOn(page, /TEXTAREA/)
      await page.getByRole('link', { name: 'Talk', exact: true }).click()
      await banner(page).waitFor({ state: 'hidden' })
      await waitForMessage(page, 'This stays.')
      await waitForFocus(page)
      assert.equal(complaints, [])
    })
  })
})

for (const [width, options] of [
  [1200, {}],
  [360, phone],
] as const)
  test(`is accessible and fits the screen at ${width} pixels`, async () => {
    const models = createTalker({ answer: () => `${'word'.repeat(80)}\n\n| a | b |\n| - | - |\n| 1 | 2 |` })
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, `Konstantina ${'von und zu '.repeat(8)}`)
        await withPage(
          url + offRecordPath(persona),
          async ({ page, complaints }) => {
            await banner(page).waitFor()
            await pollAssert.equal(() => seriousOn(page), [])
            await write(page, 'שלום, what do you see?')
            await page.locator('[role=log] .hers').waitFor()
            await pollAssert.is(() => page.locator('.mine .words').getAttribute('dir'), 'auto')
            await pollAssert.equal(() => seriousOn(page), [])
            await post(url, `/api/persona/${persona.id}/stop`)
            await write(page, 'x'.repeat(300))
            await page.getByRole('alert').waitFor()
            await pollAssert.equal(() => seriousOn(page), [])
            await pollAssert.ok(() =>
              page.evaluate(
                `[document.documentElement, document.querySelector('.scroller')].every((one) => one.scrollWidth <= one.clientWidth)`,
              ),
            )
            assert.equal(own(complaints), [])
          },
          options,
        )
      },
      { models },
    )
  })

test('parses events regardless of chunk boundaries', async () => {
  const bytes = new TextEncoder().encode(
    ': thinking\r\n\r\ndata: Grüße 🌱\r\ndata:  two\r\n\r\nevent: x\ndata:{"a":1}\n\ndata: [DONE]\n\ndata: never ended',
  )
  // Verified to fail with a TextDecoder without `stream`, and if lines are split within each chunk.
  for (let size = 1; size <= bytes.length; size += 1) {
    const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (let offset = 0; offset < bytes.length; offset += size)
          controller.enqueue(bytes.slice(offset, offset + size))
        controller.close()
      },
    })
    const readNames: string[] = []
    for await (const data of eventData(pieces)) readNames.push(data)
    assert.equal(readNames, ['Grüße 🌱\n two', '{"a":1}', '[DONE]'], `in pieces of ${size}`)
  }
})

test.run()
