import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { simple } from '../../packages/history-import/test/made.ts'
import { call } from '../calls.ts'
import { barriers, own, waitForFocus, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, settingsPath, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

/** A model that learns one statement from each conversation. */
const attentive = ({ pause = 0 } = {}) => {
  let n = 0
  return createTalker({
    pause,
    answer: () => {
      n += 1
      const text = `They have been to place ${n}.`
      return JSON.stringify({
        summary: 'They talked of travels.',
        operations: [{ op: 'keep', document: 'person', text, sources: [1] }],
      })
    },
  })
}

const createExport = (titles: readonly string[]) => ({
  name: 'conversations.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify(titles.map((title) => simple(title, `I have been to ${title}.`, 'How nice!'))),
  ),
})

const memories = async (url: string, id: string): Promise<number> =>
  (await call(url, 'GET', `/api/persona/${id}/memories`)).body.memories.length

test('previews, selects and imports chats, counts the results, and recognizes the chats later', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
        await page.getByText('Settings → Data controls').waitFor()
        await page.getByLabel('Source of the chats').selectOption('claude')
        await page.getByText('Settings → Privacy').waitFor()
        const file = page.getByLabel('The exported file')
        await file.setInputFiles(createExport(['Rome', 'Oslo', 'Bonn']))
        await page.getByRole('heading', { name: '3 chats' }).waitFor()
        await waitForFocusOn(page, /^H3/)
        await pollAssert.is(() => memories(url, persona.id), 0)
        const list = page.getByRole('list', { name: 'Chats in the file' })
        await pollAssert.equal(() => list.locator('.title').allTextContents(), ['Rome', 'Oslo', 'Bonn'])
        await list.getByText('2 messages').first().waitFor()

        await page.getByRole('button', { name: 'Choose none' }).click()
        await pollAssert.ok(() => page.getByRole('button', { name: 'Import 0 chats' }).isDisabled())
        await page.getByRole('checkbox', { name: 'Rome' }).check()
        await page.getByRole('checkbox', { name: 'Bonn' }).check()
        await pollAssert.equal(() => barriers(page), [])
        await page.getByRole('button', { name: 'Import 2 chats' }).click()
        await page.getByText('2 chats were new. Mira learned 2 statements from it.').waitFor()
        await waitForFocusOn(page, /^P\s+2 chats were new/)
        await pollAssert.is(() => memories(url, persona.id), 2)

        await page.getByRole('button', { name: 'Another file' }).click()
        await waitForFocus(page)
        await file.setInputFiles(createExport(['Rome', 'Oslo', 'Bonn']))
        await page.getByRole('heading', { name: '3 chats, 1 of them new' }).waitFor()
        await pollAssert.ok(() => page.getByRole('checkbox', { name: 'Rome' }).isDisabled())
        await page.getByRole('button', { name: 'Import one chat' }).click()
        await page.getByText('One chat was new. Mira learned one statement from it.').waitFor()
        assert.equal(complaints, [])
      })
    },
    { models: attentive() },
  )
})

test('continues in another room, and stops on request', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
        const titles = Array.from({ length: 14 }, (_, n) => `Place ${n}`)
        await page.getByLabel('The exported file').setInputFiles(createExport(titles))
        await page.getByLabel('Search the titles').fill('place 1')
        await page.getByRole('button', { name: 'Choose none' }).click()
        // Conversations 1 and 10 to 13 are not selected.
        await page.getByRole('button', { name: 'Import 9 chats' }).click()
        await page.getByText('of 9 imported…').waitFor()
        await page.getByRole('link', { name: 'Talk', exact: true }).click()
        await page.getByRole('textbox').waitFor()
        await page.goBack()
        await page.getByText('of 9 imported…').waitFor()
        await page.getByRole('button', { name: 'Stop here' }).click()
        await page.getByText(/Mira learned|was new to Mira/).waitFor()
        await waitForFocus(page)
        await pollAssert.ok(async () => (await memories(url, persona.id)) < 9)
        assert.equal(complaints, [])
      })
    },
    { models: attentive({ pause: 40 }) },
  )
})

test('refuses an unsupported file, and names the supported formats', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
      const nonsense = { name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') }
      await page.getByLabel('The exported file').setInputFiles(nonsense)
      await page.getByRole('alert').getByText('Could not parse the external data.').waitFor()
      await page.getByRole('alert').getByText('These forms are read: ChatGPT').waitFor()
      await waitForFocusOn(page, /^INPUT/)
      const empty = { name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from('[]') }
      await page.getByLabel('The exported file').setInputFiles(empty)
      await page.getByText('There are no chats with messages in this file').waitFor()
      await pollAssert.is(() => page.getByRole('alert').count(), 0)
      assert.equal(own(complaints), [])
    })
  })
})

// Verified to fail without the notes on the page.
test('shows notes on guessed encodings and omitted parts before and after the import', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
        const buffer = Buffer.from('user: Ich heiße Müller.\nassistant: Schön!\n', 'latin1')
        await page
          .getByLabel('The exported file')
          .setInputFiles({ name: 'talk.txt', mimeType: 'text/plain', buffer })
        await page.getByText('Read as Windows-1252').waitFor()
        await page.getByRole('button', { name: 'Import one chat' }).click()
        await page.getByText('One chat was new.').waitFor()
        await page.getByText('Read as Windows-1252').waitFor()
        await page.getByRole('button', { name: 'Another file' }).click()
        await page.getByText('Read as Windows-1252').waitFor({ state: 'detached' })
        assert.equal(complaints, [])
      })
    },
    { models: attentive() },
  )
})

const group = [
  '12.03.24, 14:05 - Ben: Who comes?',
  '12.03.24, 14:06 - Ana: Not me.',
  '12.03.24, 14:07 - Mia: I live in Porto.',
].join('\n')

test('asks who the user is in a group chat, and imports their messages after the answer', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
        await page.getByLabel('Source of the chats').selectOption('whatsapp')
        await page
          .getByLabel('The exported file')
          .setInputFiles({ name: 'chat.txt', mimeType: 'text/plain', buffer: Buffer.from(group) })
        await page.getByText('it is not known who you are').waitFor()
        const choice = page.getByLabel('Which of them are you?')
        await pollAssert.equal(
          () => choice.locator('option').allTextContents(),
          ['Not said', 'Ben', 'Ana', 'Mia'],
        )
        await pollAssert.equal(() => barriers(page), [])
        await choice.selectOption('Mia')
        await page.getByText('“Mia” was taken for you').waitFor()
        await pollAssert.is(() => page.getByText('it is not known who you are').count(), 0)
        await waitForFocusOn(page, /^H3/)
        await pollAssert.is(() => choice.inputValue(), 'Mia')
        await page.getByRole('button', { name: 'Import one chat' }).click()
        await page.getByText('One chat was new.').waitFor()
        await pollAssert.is(() => memories(url, persona.id), 1)
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer: () => JSON.stringify(keptFromMia) }) },
  )
})

/** A statement is kept if its sources are messages of the user: the third. */
const keptFromMia = {
  summary: 'They planned an evening.',
  operations: [
    { op: 'keep', document: 'person', text: 'They live in Porto.', sources: [3] },
    { op: 'keep', document: 'person', text: 'They do not come.', sources: [2] },
  ],
}

test('refuses to import for a hibernating persona, and links to the way to start it', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await post(url, `/api/persona/${persona.id}/stop`)
    await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
      await page.getByText('Start Mira first: the model reads the chats.').waitFor()
      await page.getByLabel('The exported file').setInputFiles(createExport(['Rome']))
      await page.getByRole('alert').getByText('Persona is not active.').waitFor()
      await page.getByRole('link', { name: 'Go to the setting' }).click()
      await waitForFocusOn(page, /^H2 life/)
      await page.getByRole('button', { name: 'Start' }).click()
      await page.getByText('Start Mira first: the model reads the chats.').waitFor({ state: 'detached' })
      assert.equal(own(complaints), [])
    })
  })
})

test('reports a Mind that fails midway, counts the results, and can continue', async () => {
  let isBroken = false
  const minds = attentive()
  const models: typeof minds = {
    ...minds,
    mind: (...mindArgs) => ({
      think: (...thinkArgs) => {
        if (isBroken) throw new Error('told to')
        return minds.mind(...mindArgs).think(...thinkArgs)
      },
    }),
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona, 'import'), async ({ page, complaints }) => {
        await page.getByLabel('The exported file').setInputFiles(createExport(['Rome', 'Oslo']))
        isBroken = true
        await page.getByRole('button', { name: 'Import 2 chats' }).click()
        await page.getByRole('alert').waitFor()
        await page.getByText('Nothing in it was new to Mira.').waitFor()
        isBroken = false
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByText('2 chats were new.').waitFor()
        await pollAssert.is(() => page.getByRole('alert').count(), 0)
        assert.equal(
          complaints.filter((complaint) => !/status of [45]\d\d/.test(complaint)),
          [],
        )
      })
    },
    { models },
  )
})

test.run()
