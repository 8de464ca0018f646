/** The character on the page: when a persona is created, and in the settings. */
import { mkdir } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cardPng } from '../../packages/history-import/test/made-forms.ts'
import { call } from '../calls.ts'
import { seriousOn } from './accessible.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { settingsPath, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const folder = new URL('../../.tmp/screens/', import.meta.url).pathname
test.before(async () => {
  await mkdir(folder, { recursive: true })
})

const card = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Vera',
    description: `{{char}} is a retired sailor. ${'She mends nets. '.repeat(300)}`,
    personality: 'gruff',
    scenario: '',
    first_mes: 'Ahoy, {{user}}!',
    mes_example: '',
    character_book: { entries: [{ keys: ['net'], content: 'Nets are dear.', enabled: true }] },
  },
}
const file = (buffer: Buffer, name = 'vera.png') => ({ name, mimeType: 'image/png', buffer })
const message = 'Who they are and how they speak'
const loadCharacter = async (url: string, id: string) =>
  (await call(url, 'GET', `/api/persona/${id}/character`)).body

test('offers characters and cards when a persona is created, and begins with the greeting of a card', async () => {
  await withDaemon(async ({ url }) => {
    await withPage(`${url}/new`, async ({ page, complaints }) => {
      await page.setViewportSize({ width: 1200, height: 1500 })
      await page.getByText('Character', { exact: true }).click()
      await page.getByRole('radio', { name: /^Juno Curious and playful/ }).check({ force: true })
      const text = page.getByLabel(message)
      await pollAssert.match(() => text.inputValue(), /^You are curious, quick and playful\./)
      assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Juno')
      await page.screenshot({ path: `${folder}character-new.png`, fullPage: true })
      assert.equal(await seriousOn(page), [])

      const choose = page.getByLabel('Read a character card…')
      await choose.setInputFiles(file(Buffer.from('nothing'), 'vera.json'))
      await page.getByRole('alert').getByText('This is not a character card.').waitFor()
      assert.match(await text.inputValue(), /^You are curious/)
      await choose.setInputFiles(file(cardPng(card)))
      await page.getByText('From the card “Vera”.').waitFor()
      await page.getByText('One entry of its lorebook is added to messages that name it.').waitFor()
      await page.getByText(/^Description: \d+ characters did not fit/).waitFor()
      assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'Vera')
      await page.screenshot({ path: `${folder}character-card.png`, fullPage: true })
      await page.getByText('One model is installed on this machine.').waitFor()
      await page.getByRole('button', { name: 'Create Vera' }).click()
      await page.getByRole('textbox', { name: 'Write to Vera' }).waitFor()
      const { personas } = (await call(url, 'GET', '/api/personas')).body
      const savedCharacter = await loadCharacter(url, personas[0].id)
      assert.match(savedCharacter.text, /^\{\{char\}\} is a retired sailor\./)
      assert.equal([savedCharacter.card, savedCharacter.lore.length], ['Vera', 1])
      const { messages } = (await call(url, 'GET', `/api/persona/${personas[0].id}/conversation`)).body
      assert.is(messages[0].content, 'Ahoy, you!')
      // The refused card is the only error.
      assert.is(complaints.filter((complaint) => !complaint.includes('422')).length, 0)
    })
  })
})

test('changes and removes the character in the settings, and follows changes from elsewhere', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona, 'character'), async ({ page, complaints }) => {
      const text = page.getByLabel(message)
      await text.fill('You are a quiet gardener.')
      await page.getByRole('button', { name: 'Save the character' }).click()
      await page.getByText('Saved. It applies from the next message.').waitFor()
      assert.is((await loadCharacter(url, persona.id)).text, 'You are a quiet gardener.')
      await page.screenshot({ path: `${folder}character-settings.png` })
      assert.equal(await seriousOn(page), [])

      await call(url, 'PUT', `/api/persona/${persona.id}/character`, { text: 'You are a baker.' })
      await pollAssert.is(() => text.inputValue(), 'You are a baker.')
      await text.fill('x'.repeat(4001))
      await page.getByRole('button', { name: 'Save the character' }).click()
      await page.getByRole('alert').getByText('The text is too long: 4000 characters at most.').waitFor()
      await page.getByRole('button', { name: 'Remove the character' }).click()
      await page.getByText('Removed.', { exact: true }).waitFor()
      assert.equal(await loadCharacter(url, persona.id), { text: '', lore: [], card: null, starters: [] })
      assert.is(await text.inputValue(), '')
      assert.equal(complaints, [])
    })
  })
})

test('shows the lines of the persona about itself, and lets the user add one', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await call(url, 'POST', `/api/persona/${persona.id}/memories`, {
      document: 'self',
      text: 'You like rain.',
    })
    await withPage(`${url}/persona/${persona.id}/memory`, async ({ page, complaints }) => {
      await page.getByText('You like rain.').waitFor()
      await page
        .getByRole('button', { name: 'Write something down under “The persona about itself”' })
        .click()
      await page.getByText('One sentence, 200 characters at most.').waitFor()
      await page.getByLabel('Write something down under “The persona about itself”').fill('You like fog.')
      await page.keyboard.press('Enter')
      await page.locator('.statement').getByText('You like fog.').waitFor()
      await page.screenshot({ path: `${folder}character-self.png`, fullPage: true })
      assert.equal(complaints, [])
    })
  })
})

test.run()
