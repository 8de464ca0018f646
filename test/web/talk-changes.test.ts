/** Another answer, the rest of an answer, and edited and deleted messages, on the page. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { seriousOn } from './accessible.ts'
import { own, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { listMessages, loadMessages, post, say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker, type Talker } from './talker.ts'

test.after(closeBrowser)

/** Answers with numbered texts. */
const createCounter = (talker: Talker = {}) => {
  let count = 0
  return createTalker({ answer: () => `Answer ${++count}.`, ...talker })
}

const chooseInMenu = async (page: Page, message: string, item: string) => {
  const row = page.locator('[role=log] .entry').filter({ hasText: message })
  await row.hover()
  await row.locator('.more').click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const showsOnly = (page: Page, messages: readonly string[]) =>
  pollAssert.equal(() => listMessages(page), messages)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const field = (page: Page) => page.getByRole('textbox')

test('tells in the talk which model answers from then on, and undoes the change with one press', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'Hello')
      await pollAssert.equal(async () => (await listMessages(page)).length, 2)
      assert.is(await page.getByRole('note').count(), 0)
      const thinking = { provider: 'openai', model: 'gpt-5', api_key: 'sk-test' }
      await post(url, `/api/persona/${persona.id}/update`, { thinking })
      const note = page.getByRole('note')
      await note.getByText('From here on, Mira answers with gpt-5.').waitFor()
      await say(page, 'Who are you?')
      await pollAssert.equal(async () => (await listMessages(page)).length, 4)
      const answer = page.locator('[role=log] .entry').last()
      await answer.hover()
      await answer.locator('.more').click()
      await page.locator('.menu-head').getByText('gpt-5').waitFor()
      await page.keyboard.press('Escape')
      await note.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('From here on, Mira answers with embedded/practice.').waitFor()
      await pollAssert.equal(() => page.getByRole('button', { name: 'Undo' }).count(), 1)
      await page.reload()
      await pollAssert.equal(() => page.getByRole('note').count(), 2)
      assert.equal(complaints, [])
    })
  })
})

test('gives another answer, and switches between answers in every tab', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, tab, complaints }) => {
        await say(page, 'Hello')
        await waitForMessage(page, 'Answer 1.')
        const otherPage = await tab(persona.room)
        await waitForMessage(otherPage, 'Answer 1.')
        await page.bringToFront()
        assert.is(await page.getByRole('group', { name: 'Answers' }).count(), 0)
        await button(page, 'Another answer').click()
        for (const view of [page, otherPage]) await showsOnly(view, ['Hello', 'Answer 2.'])
        await waitForFocusOn(page, /Write to Mira/)
        await button(page, 'Another answer').press('Enter')
        for (const view of [page, otherPage]) await showsOnly(view, ['Hello', 'Answer 3.'])
        await page.getByText('3/3').waitFor()
        await button(page, 'Previous answer').click()
        await showsOnly(page, ['Hello', 'Answer 2.'])
        await button(page, 'Previous answer').press('Enter')
        for (const view of [page, otherPage]) await showsOnly(view, ['Hello', 'Answer 1.'])
        await waitForFocusOn(page, /Previous answer/)
        await otherPage.getByText('1/3').waitFor()
        await otherPage.bringToFront()
        await button(otherPage, 'Next answer').click()
        for (const view of [page, otherPage]) await showsOnly(view, ['Hello', 'Answer 2.'])
        await page.reload()
        await page.getByText('2/3').waitFor()
        await showsOnly(page, ['Hello', 'Answer 2.'])
        await say(page, 'And now?')
        await showsOnly(page, ['Hello', 'Answer 2.', 'And now?', 'Answer 4.'])
        assert.is(await page.getByRole('group', { name: 'Answers' }).count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models: createCounter() },
  )
})

test('edits the last message, and keeps the draft of a new one', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, tab, complaints }) => {
        await say(page, 'Marleen')
        await waitForMessage(page, 'Answer 1.')
        const otherPage = await tab(persona.room)
        await waitForMessage(otherPage, 'Answer 1.')
        await page.bringToFront()
        await field(page).fill('A draft')
        await chooseInMenu(page, 'Marleen', 'Edit')
        await page.getByText('Editing your last message').waitFor()
        await waitForFocusOn(page, /Write to Mira/)
        assert.is(await field(page).inputValue(), 'Marleen')
        await page.keyboard.press('Escape')
        assert.is(await page.getByText('Editing your last message').count(), 0)
        assert.is(await field(page).inputValue(), 'A draft')
        await field(page).fill('')
        await field(page).press('ArrowUp')
        await page.getByText('Editing your last message').waitFor()
        await field(page).fill('Marlene')
        // An input method uses Enter to choose a word.
        await page.evaluate(
          `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }))`,
        )
        assert.is(await page.getByText('Editing your last message').count(), 1)
        await field(page).press('Enter')
        for (const view of [page, otherPage]) await showsOnly(view, ['Marlene', 'Answer 2.'])
        assert.is(await page.getByText('Editing your last message').count(), 0)
        assert.is(await field(page).inputValue(), '')
        // The same text again is not sent.
        await field(page).press('ArrowUp')
        await field(page).press('Enter')
        await page.getByText('Editing your last message').waitFor({ state: 'detached' })
        assert.equal(await loadMessages(url, persona), ['Marlene', 'Answer 2.'])
        assert.equal(complaints, [])
      })
    },
    { models: createCounter() },
  )
})

test('offers to forget what was learned only from the old text', async () => {
  const statement = { op: 'keep', document: 'person', text: 'They live in Graz.' }
  const calls = (message: string) =>
    message.includes('Graz') ? [{ name: 'remember', input: statement }] : []
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'I live in Graz')
        await waitForMessage(page, 'Answer 1.')
        await field(page).press('ArrowUp')
        await field(page).fill('I live in Linz')
        await button(page, 'Send').click()
        const dialog = page.getByRole('dialog', { name: 'Learned from the old text' })
        await dialog.getByText('They live in Graz.').waitFor()
        await pollAssert.equal(() => seriousOn(page), [])
        await button(page, 'Forget: They live in Graz.').press('Enter')
        await dialog.getByText('forgotten', { exact: true }).waitFor()
        await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
        await dialog.waitFor({ state: 'detached' })
        const { memories } = (await (await fetch(`${url}/api/persona/${persona.id}/memories`)).json()) as {
          memories: readonly { readonly text: string; readonly forgotten: boolean }[]
        }
        assert.ok(memories.every(({ forgotten }) => forgotten))
        await showsOnly(page, ['I live in Linz', 'Answer 2.'])
        assert.equal(complaints, [])
      })
    },
    { models: createCounter({ calls }) },
  )
})

test('deletes any message, and restores it', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, tab, complaints }) => {
        await say(page, 'One')
        await waitForMessage(page, 'Answer 1.')
        await say(page, 'Two')
        await waitForMessage(page, 'Answer 2.')
        const otherPage = await tab(persona.room)
        await waitForMessage(otherPage, 'Answer 2.')
        await page.bringToFront()
        await chooseInMenu(page, 'Answer 1.', 'Delete from the talk')
        for (const view of [page, otherPage]) await showsOnly(view, ['One', 'Two', 'Answer 2.'])
        await page.getByText('Message deleted from the talk.').waitFor()
        await button(page, 'Undo').click()
        for (const view of [page, otherPage]) await showsOnly(view, ['One', 'Answer 1.', 'Two', 'Answer 2.'])
        await page.locator('[role=log] .more').first().focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
        await showsOnly(page, ['Answer 1.', 'Two', 'Answer 2.'])
        await waitForFocusOn(page, /Write to Mira/)
        for (let presses = 0; presses < 6; presses++) {
          await page.keyboard.press('Tab')
          if (await page.evaluate<boolean>(`document.activeElement.textContent === 'Undo'`)) break
        }
        await waitForFocusOn(page, /Undo/)
        await page.keyboard.press('Enter')
        await showsOnly(page, ['One', 'Answer 1.', 'Two', 'Answer 2.'])
        await page.reload()
        await showsOnly(page, ['One', 'Answer 1.', 'Two', 'Answer 2.'])
        assert.equal(complaints, [])
      })
    },
    { models: createCounter() },
  )
})

test('continues an answer that was stopped, and returns to the earlier one if there is none', async () => {
  let words = 'The beginning of a story that is long enough to be stopped'
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Tell me a story')
        await page.locator('.thought').getByText('The beginning').waitFor()
        await page.keyboard.press('Escape')
        await page.getByText('stopped', { exact: true }).waitFor()
        await page.reload()
        await page.getByText('stopped', { exact: true }).waitFor()
        words = 'the end.'
        await button(page, 'Continue').click()
        await waitForMessage(page, 'the end.')
        assert.is((await listMessages(page)).length, 3)
        assert.is(await button(page, 'Continue').count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer: () => words, pause: 150 }) },
  )
})

test('shows which earlier answers were stopped, and a continued answer as one version', async () => {
  const texts = ['The beginning of a story that is long enough to be stopped', 'the end.', 'Another.', 'Bye.']
  let place = 0
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Tell me a story')
        await page.locator('.thought').getByText('The beginning').waitFor()
        await page.keyboard.press('Escape')
        await page.getByText('stopped', { exact: true }).waitFor()
        place = 1
        await button(page, 'Continue').click()
        await waitForMessage(page, 'the end.')
        assert.is(await page.getByRole('group', { name: 'Answers' }).count(), 0)
        place = 2
        await button(page, 'Another answer').click()
        await page.getByText('2/2').waitFor()
        await page.reload()
        await page.getByText('2/2').waitFor()
        await button(page, 'Previous answer').click()
        await page.getByText('1/2').waitFor()
        assert.is((await listMessages(page)).length, 3)
        place = 3
        await say(page, 'Thanks')
        await waitForMessage(page, 'Bye.')
        await page.reload()
        await page.getByText('stopped', { exact: true }).waitFor()
        assert.is(await button(page, 'Continue').count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models: createTalker({ answer: () => texts[place] ?? '', pause: 100 }) },
  )
})

test('gets an answer from another model, which names itself', async () => {
  const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Hello')
        await waitForMessage(page, 'Answer 1.')
        await button(page, 'With another model…').click()
        const dialog = page.getByRole('dialog', { name: 'An answer from another model' })
        await dialog.getByText('keeps its own model').waitFor()
        await pollAssert.equal(() => seriousOn(page), [])
        await page.screenshot({ path: `${folder}other-model.png` })
        await dialog.getByRole('combobox', { name: 'Model' }).fill('talker')
        await button(page, 'Get the answer').click()
        await showsOnly(page, ['Hello', 'Answer 2.'])
        await page.getByText('by talker', { exact: true }).waitFor()
        await page.getByText('2/2').waitFor()
        await page.screenshot({ path: `${folder}other-model-answer.png` })
        await button(page, 'Previous answer').click()
        await showsOnly(page, ['Hello', 'Answer 1.'])
        assert.is(await page.getByText('by talker', { exact: true }).count(), 0)
        assert.equal(complaints, [])
      })
    },
    { models: createCounter() },
  )
})

test('gets another answer to an earlier message in a copy of the persona', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'One')
        await waitForMessage(page, 'Answer 1.')
        await say(page, 'Two')
        await waitForMessage(page, 'Answer 2.')
        await chooseInMenu(page, 'Answer 1.', 'Another answer, in a copy…')
        await page.getByText('The copy answers this message again').waitFor()
        await page.locator('dialog button[type=submit]').click()
        await waitFor('the copy', async () => !page.url().includes(persona.id))
        const { personas } = (await (await fetch(`${url}/api/personas`)).json()) as {
          personas: readonly { readonly id: string }[]
        }
        const copy = personas.find(({ id }) => id !== persona.id)
        await page.goto(`${url}/persona/${copy?.id}/talk`)
        await showsOnly(page, ['One', 'Answer 3.'])
        await page.getByText('2/2').waitFor()
        assert.equal(await loadMessages(url, persona), ['One', 'Answer 1.', 'Two', 'Answer 2.'])
        assert.equal(complaints, [])
      })
    },
    { models: createCounter() },
  )
})

test('shows a refusal as a sentence, and keeps the edited text', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'One')
        await waitForMessage(page, 'Answer 1.')
        await button(page, 'Another answer').waitFor()
        await field(page).press('ArrowUp')
        await field(page).fill('Two')
        await post(url, `/api/persona/${persona.id}/stop`)
        await field(page).press('Enter')
        await page
          .locator('.told')
          .getByText(/not (?:running|active)/i)
          .waitFor()
        assert.is(await field(page).inputValue(), 'Two')
        await page.getByText('Editing your last message').waitFor()
        await button(page, 'Cancel').click()
        await button(page, 'Another answer').click()
        await waitFor('the sentence', async () => /\.$/.test(await page.locator('.told').innerText()))
        await showsOnly(page, ['One', 'Answer 1.'])
        assert.equal(own(complaints), [])
      })
    },
    { models: createCounter() },
  )
})

test('shows notices of the daemon in the language of the page', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      for (const [locale, notice] of [
        ['de-DE', 'Das Modell hat eine leere Antwort gegeben. Sag es noch einmal, oder anders.'],
        ['en-GB', 'The model gave an empty answer. Say it again, or in another way.'],
      ] as const)
        await withPage(
          url + persona.room,
          async ({ page }) => {
            if (locale === 'de-DE') await say(page, 'Hallo')
            await waitForMessage(page, notice)
            const language = await page.locator('.by-daemon .words').getAttribute('lang')
            assert.is(language, locale === 'de-DE' ? null : 'en')
            await page.reload()
            await waitForMessage(page, notice)
          },
          { locale },
        )
    },
    { models: createTalker({ answer: () => '' }) },
  )
})

test('is accessible, in light, dark and on a phone', async () => {
  const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page }) => {
        await say(page, 'Which season is the best?')
        await waitForMessage(page, 'Answer 1.')
        await button(page, 'Another answer').click()
        await page.getByText('2/2').waitFor()
        await chooseInMenu(page, 'Which season', 'Delete from the talk')
        await button(page, 'Undo').waitFor()
        await pollAssert.equal(() => seriousOn(page), [])
        await page.screenshot({ path: `${folder}changes-deleted.png` })
        await button(page, 'Undo').click()
        await showsOnly(page, ['Which season is the best?', 'Answer 2.'])
        await field(page).press('ArrowUp')
        await page.getByText('Editing your last message').waitFor()
        await pollAssert.equal(() => seriousOn(page), [])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.screenshot({ path: `${folder}changes-${colorScheme}.png` })
        }
      })
      await withPage(
        url + persona.room,
        async ({ page }) => {
          await page.getByRole('group', { name: 'Antworten' }).waitFor()
          await field(page).press('ArrowUp')
          await page.getByText('Du bearbeitest deine letzte Nachricht').waitFor()
          await pollAssert.ok(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
          await page.screenshot({ path: `${folder}changes-phone.png` })
        },
        { locale: 'de-DE', viewport: { width: 390, height: 780 } },
      )
    },
    { models: createCounter() },
  )
})

test.run()
