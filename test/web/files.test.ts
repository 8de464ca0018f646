import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { file } from '../../packages/documents/test/place.ts'
import { startDaemon } from '../daemon.ts'
import { pdf, png } from '../stand-ins/media.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { files, loadMessages, post, say, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })

const picture = { name: 'fern.png', mimeType: 'image/png', buffer: png }
const lease = { name: 'lease.pdf', mimeType: 'application/pdf', buffer: pdf }

const choose = (page: Page, ...files: readonly (typeof picture)[]) =>
  page.locator('input[type=file]').setInputFiles([...files])

const getOwnMessages = (page: Page) => page.locator('[role=log] .mine')

// Verified to fail if a delivered message is not recognized in the outbox, and if the text is sent with the
// last file.
test('delivers several files in one turn, in order, with the text at the first', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, tab, complaints, origins }) => {
      const otherPage = await tab(persona.room)
      await choose(page, picture, lease)
      await page.getByRole('textbox').fill('Both are from the hall.')
      await page.getByRole('textbox').press('Enter')
      for (const view of [page, otherPage]) {
        await waitForMessage(view, 'Both are from the hall.')
        await pollAssert.is(() => view.locator('.letter').count(), 0)
        await pollAssert.is(() => getOwnMessages(view).count(), 2)
        await getOwnMessages(view).nth(0).getByRole('button', { name: 'Both are from the hall.' }).waitFor()
        await pollAssert.is(
          () => getOwnMessages(view).nth(1).getByRole('link').getAttribute('download'),
          'lease.pdf',
        )
      }
      await pollAssert.equal(
        async () => (await files(url, persona)).map(({ name, mime, content }) => [name, mime, content]),
        [
          ['fern.png', 'image/png', 'Both are from the hall.'],
          ['lease.pdf', 'application/pdf', ''],
        ],
      )
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), '')
      await waitForMessage(page, 'I hear you.')
      await pollAssert.equal(() => turns(url, persona), [['fern.png', 'lease.pdf']])
      await page.reload()
      await waitForMessage(page, 'Both are from the hall.')
      await pollAssert.is(() => getOwnMessages(page).locator('img').count(), 1)
      await pollAssert.is(() => getOwnMessages(page).locator('.chip').count(), 1)
      assert.equal([...origins], [url])
      assert.equal(complaints, [])
    })
  })
})

/** Returns the files of each turn. */
const turns = async (
  url: string,
  { id }: { readonly id: string },
): Promise<readonly (readonly string[])[]> => {
  const load = async <T>(path: string) =>
    (await (await fetch(`${url}/api/persona/${id}/${path}`)).json()) as T
  type Messages = { readonly turn: number | null; readonly media: { readonly name: string } | null }[]
  const { messages } = await load<{ messages: Messages }>('conversation')
  const turnIds = [...new Set(messages.flatMap(({ turn }) => turn ?? []))]
  const loadedTurns = await Promise.all(turnIds.map((turn) => load<{ heard: Messages }>(`turns/${turn}`)))
  return loadedTurns.map(({ heard }) => heard.flatMap(({ media }) => media?.name ?? []))
}

test('accepts dropped and pasted files, removes them, and keeps them with the draft in another room', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      const chosenFiles = page.getByRole('list', { name: 'Files to send' })
      await page.getByRole('textbox').fill('Look')
      await page.evaluate(`${give}; drag('dragover', 'a.txt')`)
      await page.locator('.drop').waitFor()
      await page.evaluate(`${give}; drag('drop', 'a.txt', 'b.txt')`)
      await page.locator('.drop').waitFor({ state: 'hidden' })
      await page.evaluate(`${give}; paste('c.png')`)
      await chosenFiles.getByText('c.png').waitFor()
      await chosenFiles.getByRole('button', { name: 'Remove a.txt' }).press('Enter')
      await pollAssert.is(() => page.evaluate('document.activeElement.ariaLabel'), 'Remove b.txt')

      await page.getByRole('link', { name: 'Daimon', exact: true }).click()
      await page.getByRole('link', { name: 'Mira, active' }).click()
      await pollAssert.equal(() => chosenFiles.locator('.chip-name').allTextContents(), ['b.txt', 'c.png'])
      await pollAssert.is(() => page.getByRole('textbox').inputValue(), 'Look')
      await page.getByRole('button', { name: 'Send' }).click()
      await waitForMessage(page, 'Look')
      await pollAssert.equal(
        async () => (await files(url, persona)).map(({ name }) => name),
        ['b.txt', 'c.png'],
      )
      await pollAssert.is(() => chosenFiles.locator('li').count(), 0)
    })
  })
})

/** Drops or pastes files as the operating system does. */
const give = `
  const held = (names) => names.reduce((data, name) => (data.items.add(new File(['words'], name)), data), new DataTransfer())
  const options = { bubbles: true, cancelable: true }
  const drag = (type, ...names) => document.querySelector('.scroller').dispatchEvent(new DragEvent(type, { ...options, dataTransfer: held(names) }))
  const paste = (...names) => document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: held(names) }))`

// Verified to fail with a new key for the second attempt.
test('shows why a file failed, and sends it again with the same key', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      const keys: (string | undefined)[] = []
      await page.route('**/attach', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length === 1)
          return route.fulfill({ status: 500, json: { detail: 'JournalUnavailable: the disk is full' } })
        // The daemon has the file, but its response is lost.
        await route.fetch()
        return route.abort()
      })
      await choose(page, lease)
      await page.getByRole('textbox').fill('Please read it')
      await page.getByRole('textbox').press('Enter')
      await page.getByRole('alert').getByText('JournalUnavailable: the disk is full').waitFor()
      await pollAssert.ok(() => page.locator('.letter').getByText('lease.pdf').isVisible())
      await say(page, 'Meanwhile')
      await waitForMessage(page, 'Meanwhile')
      await page.getByRole('button', { name: 'Try again' }).click()
      await waitForMessage(page, 'Please read it')
      await page.locator('.letter').waitFor({ state: 'detached' })
      assert.is(keys[0], keys[1])
      await pollAssert.is(async () => (await files(url, persona)).length, 1)
      await pollAssert.is(() => getOwnMessages(page).count(), 2)
    })
  })
})

// Verified to fail if a cancelled upload continues.
test('shows the upload progress, and continues with the next file after a cancel', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      let first = true
      await page.route('**/attach', async (route) => {
        if (!first) return route.continue()
        first = false
      })
      for (const file of [lease, picture]) {
        await choose(page, file)
        await page.getByRole('textbox').press('Enter')
      }
      const pendingLetter = page.locator('.letter', { hasText: 'lease.pdf' })
      await pendingLetter.getByRole('progressbar', { name: 'Sending lease.pdf' }).waitFor()
      await page.locator('.letter').getByText('waiting').waitFor()
      await pendingLetter.getByRole('button', { name: 'Cancel' }).click()
      await getOwnMessages(page).getByRole('button', { name: 'fern.png' }).waitFor()
      await page.locator('.letter').first().waitFor({ state: 'detached' })
      await pollAssert.equal(async () => (await files(url, persona)).map(({ name }) => name), ['fern.png'])
    })
  })
})

// Verified to fail if files are dropped with the room.
test('keeps a file for a stopped persona outside the room, and delivers it after the start', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await post(url, `/api/persona/${persona.id}/stop`)
      await page.getByRole('button', { name: 'Start Mira' }).waitFor()
      await choose(page, lease)
      await page.getByRole('textbox').press('Enter')
      await page.getByText('waits until Mira is active').waitFor()
      await page.getByRole('link', { name: 'Daimon', exact: true }).click()
      await page.getByRole('link', { name: 'Mira, stopped' }).click()
      await page.getByRole('button', { name: 'Start Mira' }).click()
      await getOwnMessages(page).getByText('lease.pdf').waitFor()
      await page.locator('.letter').waitFor({ state: 'detached' })
      await pollAssert.is(async () => (await files(url, persona)).length, 1)
    })
  })
})

test('records a clip, delivers it and plays it', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira', { ear_model: 'embedded/practice' })
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Record your voice' }).click()
      await page.getByRole('timer').getByText('0:01').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox').waitFor()
      await page.getByRole('button', { name: 'Record your voice' }).press('Enter')
      await page.getByRole('timer').getByText('0:01').waitFor()
      await page.keyboard.press('Enter')
      await getOwnMessages(page).getByRole('button', { name: 'Play' }).click()
      await getOwnMessages(page).getByRole('button', { name: 'Pause' }).waitFor()
      await page.locator('.letter').waitFor({ state: 'detached' })
      await pollAssert.equal(
        async () => (await files(url, persona)).map(({ name, mime }) => [name, mime]),
        [['voice.webm', 'audio/webm']],
      )
      assert.equal(complaints, [])
    })
  })
})

test('explains a missing microphone, and hides the button if the browser cannot record', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira', { ear_model: 'embedded/practice' })
    await withPage(url + persona.room, async ({ page }) => {
      const record = page.getByRole('button', { name: 'Record your voice' })
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
      )
      await record.click()
      await page.getByText('does not allow the microphone').waitFor()
      await say(page, 'Then I write')
      await waitForMessage(page, 'Then I write')
      await pollAssert.equal(() => loadMessages(url, persona).then((all) => all[0]), 'Then I write')
      await page.addInitScript('delete window.MediaRecorder')
      await page.reload()
      await page.getByRole('textbox').waitFor()
      await pollAssert.is(() => record.count(), 0)
      await pollAssert.ok(() => page.getByRole('button', { name: 'Send' }).isVisible())
    })
  })
})

test('gives a Mind without a Researcher the text of files, and explains a picture that it cannot see', async () => {
  const ollama = await createOllama({
    models: ['llama3'],
    answer: ({ messages }) =>
      /840/.test(messages.at(-1)?.content ?? '') ? 'The rent is 840 euros.' : 'I cannot find it.',
  })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    const persona = await wake(daemon.url, 'Mira', { thinking_model: 'llama3' })
    await withPage(daemon.url + persona.room, async ({ page, complaints }) => {
      const notes = {
        name: 'notes.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Rent\n- 840 euros'),
      }
      await choose(page, notes)
      await page.getByRole('textbox').fill('What is the rent?')
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(page, 'The rent is 840 euros.')
      await page.locator('input[type=file]').setInputFiles(file('invoice.pdf'))
      await page.getByRole('textbox').fill('And this one?')
      await page.getByRole('textbox').press('Enter')
      await pollAssert.is(() => page.locator('[role=log] .hers').count(), 2)
      const chat = ollama.calls('/api/chat').at(-1)?.body as { messages: { content: string }[] } | undefined
      assert.match(
        chat?.messages.at(-1)?.content ?? '',
        /<file[^>]*name="invoice\.pdf"[^>]*perceived-by="yourself"/,
      )
      await choose(page, picture)
      await page.getByRole('button', { name: 'Send' }).click()
      const talk = page.getByRole('region', { name: /^Talk with/ })
      await talk.getByText('Image reading is missing').waitFor()
      await page.screenshot({ path: `${folder}files-without-organs.png` })
      assert.equal(complaints, [])
    })
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

test.run()
