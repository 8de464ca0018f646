import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { newPhrase } from '../../src/persona/phrase.ts'
import { call } from '../calls.ts'
import { firstPhrase } from '../contract/diaries.ts'
import { startDaemon } from '../daemon.ts'
import { damageJournal } from '../damage-journal.ts'
import { barriers, own, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { loadMessages, settingsPath, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

/** Restores the persona in a new home. Returns its memory. */
const restoreDiary = async (diary: Uint8Array<ArrayBuffer>, phrase: string) => {
  const otherDaemon = await startDaemon({ models: createTalker() })
  try {
    const form = new FormData()
    form.append('diary', new File([diary], 'mira.diary'))
    form.append('phrase', phrase)
    form.append('model', 'embedded/practice')
    const response = await fetch(`${otherDaemon.url}/api/persona/migrate`, { method: 'POST', body: form })
    const { persona, detail } = (await response.json()) as { persona?: { id: string }; detail?: string }
    if (!persona) return { status: response.status, detail, heard: [] }
    const messages = await loadMessages(otherDaemon.url, { id: persona.id, room: '' })
    return { status: response.status, detail, heard: messages }
  } finally {
    await otherDaemon.close()
  }
}

const exportDiary = async (page: Page) => {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a backup file' }).click()
  const file = await saving
  const bytes = await readFile(await file.path())
  return { name: file.suggestedFilename(), bytes: Uint8Array.from(bytes) }
}

test('exports a diary that restores the persona with its recovery words, and uses new words for later diaries', async () => {
  await withDaemon(
    async ({ url }) => {
      const requestBody = { name: 'Mira', thinking_model: 'embedded/practice' }
      const { body } = await call(url, 'POST', '/api/persona/create', requestBody)
      const persona = { id: body.persona.id, room: '' }
      await call(url, 'POST', `/api/persona/${persona.id}/read?wait=30`, { message: 'I live in Lisbon.' })
      await withPage(url + settingsPath(persona, 'backup'), async ({ page, complaints }) => {
        await page.getByText('It is the only one that is kept here.').waitFor()
        const first = await exportDiary(page)
        assert.match(first.name, /^Mira \d{4}-\d\d-\d\d\.diary$/)
        await page.getByText('Your browser saves the file.').waitFor()
        await waitForFocusOn(page, /Save a backup file$/)
        const restoredPersona = await restoreDiary(first.bytes, body.recovery_phrase)
        assert.is(restoredPersona.status, 200, restoredPersona.detail)
        assert.is(restoredPersona.heard[0], 'I live in Lisbon.')

        await page.getByRole('button', { name: 'New recovery words…' }).click()
        await pollAssert.equal(() => barriers(page), [])
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await waitForFocusOn(page, /New recovery words…$/)
        await page.getByRole('button', { name: 'New recovery words…' }).click()
        await page.getByRole('button', { name: 'Make new recovery words' }).click()
        const list = page.getByRole('list', { name: 'The 24 recovery words in order' })
        await list.waitFor()
        const words = (await list.getByRole('listitem').allTextContents()).map((word) => word.trim())
        assert.is(words.length, 24)
        assert.not.equal(words.join(' '), body.recovery_phrase)
        await page.getByRole('button', { name: 'Later' }).click()
        await page.getByText('One of them needs older recovery words.').waitFor()
        await waitForFocusOn(page, /^H2 backup/)
        const second = await exportDiary(page)
        assert.is((await restoreDiary(second.bytes, words.join(' '))).heard[0], 'I live in Lisbon.')
        assert.is((await restoreDiary(second.bytes, body.recovery_phrase)).status, 400)
        assert.equal(complaints, [])
      })
    },
    { newPhrase },
  )
})

test('removes diaries with lost recovery words if requested', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      const diaries = async () => (await call(url, 'GET', `/api/persona/${persona.id}/diagnose`)).body.diaries
      await withPage(url + settingsPath(persona, 'backup'), async ({ page, complaints }) => {
        await page.getByRole('button', { name: 'New recovery words…' }).click()
        await page.getByLabel('Remove the backup file here').check()
        await page.getByRole('button', { name: 'Make new recovery words' }).click()
        await page.getByRole('button', { name: 'Later' }).click()
        await page.getByText('It is the only one that is kept here.').waitFor()
        const { kept, older } = await diaries()
        assert.equal([kept, older], [1, 0])
        assert.equal(complaints, [])
      })
    },
    { newPhrase },
  )
})

test('shows why an export fails, and saves nothing', async () => {
  const { tempHome } = await import('../daemon.ts')
  const home = await tempHome()
  const first = await startDaemon({ home, models: createTalker(), newPhrase: firstPhrase })
  const persona = await wake(first.url, 'Mira')
  await first.close()
  await damageJournal(home, persona.id, 2)
  await withDaemon(
    async ({ url }) => {
      await call(url, 'POST', `/api/persona/${persona.id}/verify`)
      await withPage(url + settingsPath(persona, 'backup'), async ({ page, complaints }) => {
        let downloads = 0
        page.on('download', () => {
          downloads += 1
        })
        await page.getByRole('button', { name: 'Save a backup file' }).click()
        await page.getByRole('alert').first().waitFor()
        assert.is(downloads, 0)
        await page.getByText('Mira has a problem and could not be started.').waitFor()
        assert.equal(
          own(complaints).filter((complaint) => !/status of 500/.test(complaint)),
          [],
        )
      })
    },
    { home },
  )
})

test.run()
