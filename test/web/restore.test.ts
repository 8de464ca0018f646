/** Restores a persona on the page from a diary and 24 recovery words. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exportDiary, first, firstPhrase } from '../contract/diaries.ts'
import { startDaemon } from '../daemon.ts'
import { createOllama } from '../stand-ins/ollama.ts'
import { seriousOn } from './accessible.ts'
import { waitForFocus } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { organs, post, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const list = first.phrase.split(' ')
const field = (page: Page) => page.getByLabel('The 24 recovery words')
const getRestoreButton = (page: Page) => page.getByRole('button', { name: 'Restore' })

/** Returns a diary with a message, and a later one with more messages. */
const diariesOfAda = async (): Promise<readonly [Buffer, Buffer]> => {
  let diaries: readonly [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)]
  await withDaemon(
    async (daemon) => {
      const { id } = await wake(daemon.url, 'Ada')
      const say = (message: string) => post(daemon.url, `/api/persona/${id}/read?wait=30`, { message })
      await say('Remember the red boat.')
      const earlyDiary = await exportDiary(daemon, id)
      await say('Remember the green one, too.')
      diaries = [earlyDiary, await exportDiary(daemon, id)]
    },
    { newPhrase: firstPhrase },
  )
  return diaries
}

const diaryOfAda = async () => (await diariesOfAda())[0]

const choose = (page: Page, buffer: Buffer, name = 'ada.diary') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

test('restores a persona with its memory from a diary and any spelling of its recovery words', async () => {
  const diary = await diaryOfAda()
  await withDaemon(async ({ url }) => {
    await withPage(url, async ({ page, complaints, origins }) => {
      await page.getByRole('link', { name: 'Restore from a backup file' }).click()
      await page.getByRole('heading', { name: 'Restore from a backup file' }).waitFor()
      await page.getByText('One model is installed on this machine.').waitFor()
      await choose(page, diary)
      await field(page).fill(list.map((word, index) => `${index + 1}. ${word.toUpperCase()},\n`).join(''))
      await page.getByText('All 24 words are right.').waitFor()
      await pollAssert.equal(() => seriousOn(page), [])
      await page.getByLabel('Model', { exact: true }).fill('embedded/practice')
      await getRestoreButton(page).click()

      await page.getByRole('heading', { name: 'Ada' }).waitFor()
      await waitForMessage(page, 'Remember the red boat.')
      await waitForFocus(page)
      await pollAssert.equal(() => organs(url), { thinking: 'local embedded/practice' })
      // The user has typed the recovery words, so the page does not ask for them.
      await pollAssert.is(() => page.getByText('Please save the recovery words').count(), 0)
      assert.equal(complaints, [])
      assert.equal([...origins], [url])
    })
  })
})

test('marks a wrong word with suggestions, and corrects it with a press', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/restore`, async ({ page, complaints }) => {
      await field(page).fill(list.with(4, 'xyzzy').join(' '))
      await page.getByText('Word 5, “xyzzy”, is not one of the 2048 words.').waitFor()

      // Transposed letters.
      await field(page).fill(list.with(4, 'aboev').join(' '))
      await page.getByText('Word 5, “aboev”').waitFor()
      await page.getByRole('button', { name: 'Make word 5 “above”' }).click()
      await pollAssert.is(() => field(page).inputValue(), list.with(4, 'above').join(' '))
      await waitForFocus(page)

      await field(page).fill([...list, 'zoo'].join(' '))
      await page.getByText('25 words: 1 too many.').waitFor()
      await field(page).fill(list.slice(1).join(' '))
      await page.getByText('23 of 24 words').waitFor()
      await field(page).fill([list[1], list[0], ...list.slice(2)].join('\n'))
      await page.getByText('but they do not belong together').waitFor()
      // The first four letters are enough, with any separator.
      await field(page).fill(list.map((word) => word.slice(0, 4)).join(' / '))
      await page.getByText('All 24 words are right.').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('marks missing fields before anything is sent', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/restore`, async ({ page }) => {
      let sentCount = 0
      await page.route('**/migrate', (route) => {
        sentCount += 1
        return route.continue()
      })
      await page.getByText('One model is installed on this machine.').waitFor()
      await getRestoreButton(page).click()
      await page.getByRole('alert').getByText('Please choose the backup file').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.type'), 'file')
      await choose(page, Buffer.alloc(0))
      await getRestoreButton(page).click()
      await page.getByRole('alert').getByText('This file is empty.').waitFor()
      await choose(page, Buffer.from('no diary'), 'notes.txt')
      await page.getByText('The name of this file does not end in .diary.').waitFor()
      await getRestoreButton(page).click()
      await page.getByRole('alert').getByText('Please type the 24 recovery words.').waitFor()
      await pollAssert.is(() => page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
      await field(page).fill(list.with(2, 'xyzzy').join(' '))
      await getRestoreButton(page).click()
      await page.getByRole('alert').getByText('Please check the 24 recovery words').waitFor()
      assert.is(sentCount, 0)
    })
  })
})

test("shows the daemon's error about a diary, and changes nothing", async () => {
  const diary = await diaryOfAda()
  const otherPhraseWords = 'zoo '.repeat(23)
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/restore`, async ({ page }) => {
      await page.getByText('One model is installed on this machine.').waitFor()
      const alert = page.getByRole('alert')
      await field(page).fill(list.join(' '))
      await choose(page, Buffer.from('This is a letter.'))
      await getRestoreButton(page).click()
      await alert.getByText('This is not a backup file.').waitFor()

      await choose(page, diary.subarray(0, diary.length - 40))
      await getRestoreButton(page).click()
      await alert.getByText('damaged or incomplete').waitFor()

      await choose(page, diary)
      await field(page).fill(`${otherPhraseWords}vote`)
      await page.getByText('All 24 words are right.').waitFor()
      await getRestoreButton(page).click()
      await alert.getByText('do not open the backup file').waitFor()
      await waitForFocus(page)
      await pollAssert.equal(() => organs(url), {})
    })
  })
})

test('keeps the longer history of an existing persona, and explains both options if they diverged', async () => {
  const [earlyDiary, lateDiary] = await diariesOfAda()
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/restore`, async ({ page }) => {
      const bring = async (diary: Buffer) => {
        await page.getByText('One model is installed on this machine.').waitFor()
        await field(page).fill(list.join(' '))
        await choose(page, diary)
        await getRestoreButton(page).click()
      }
      await bring(earlyDiary)
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
      await page.getByRole('textbox').fill('And the blue one.')
      await page.getByRole('textbox').press('Enter')
      await waitForMessage(page, 'And the blue one.')
      await page.goto(`${url}/restore`)
      await bring(earlyDiary)
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
      await waitForMessage(page, 'And the blue one.')

      await page.goto(`${url}/restore`)
      await bring(lateDiary)
      await page.getByRole('alert').getByText('diverged on').waitFor()
      await page.getByRole('link', { name: 'Ada, active' }).click()
      await waitForMessage(page, 'And the blue one.')
    })
  })
})

test('accepts a dropped diary, and reports an unavailable Mind', async () => {
  const diary = await diaryOfAda()
  const ollama = await createOllama({ models: ['qwen3:8b'], registry: [] })
  const daemon = await startDaemon({ env: { OLLAMA_BASE_URL: ollama.url } })
  try {
    await withPage(`${daemon.url}/restore`, async ({ page }) => {
      await page.getByText('One model is installed on this machine.').waitFor()
      await pollAssert.is(() => page.getByLabel('Model', { exact: true }).inputValue(), 'qwen3:8b')
      const drop = await page.evaluateHandle(`(() => {
        const bytes = Uint8Array.from(atob('${diary.toString('base64')}'), (letter) => letter.charCodeAt(0))
        const carried = new DataTransfer()
        carried.items.add(new File([bytes], 'dropped.diary'))
        return carried
      })()`)
      await page.locator('.diary').dispatchEvent('drop', { dataTransfer: drop })
      await page.getByText('dropped.diary').waitFor()
      await field(page).fill(list.join(' '))
      await page.getByLabel('Model', { exact: true }).fill('gemma9')
      await page.getByText('gemma9 is not installed yet.').waitFor()
      await getRestoreButton(page).click()
      await page.getByRole('alert').getByText('There is no model “gemma9” on this machine').waitFor()
      await page.getByLabel('Model', { exact: true }).fill('qwen3:8b')
      await getRestoreButton(page).click()
      await page.getByRole('heading', { name: 'Ada' }).waitFor()
    })
  } finally {
    await daemon.close()
    await ollama.close()
  }
})

test('fits a phone', async () => {
  const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } as const
  await withDaemon(async ({ url }) => {
    await withPage(
      `${url}/restore`,
      async ({ page }) => {
        await choose(page, Buffer.from('x'), `${'long'.repeat(40)}.diary`)
        await field(page).fill(`${'x'.repeat(90)} ${list.join(' ')}`)
        await page.getByText('is not one of the 2048 words').waitFor()
        await pollAssert.ok(() =>
          page.evaluate(
            `[document.documentElement, ...document.querySelectorAll('main, .begin')].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)`,
          ),
        )
      },
      phone,
    )
  })
})

test.run()
