import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { codeIn } from '../channels/platform.ts'
import { createMatrixStandIn } from '../stand-ins/matrix.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { barriers, own, waitForFocus, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, settingsPath, type WokenPersona, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const withTelegram = async (
  look: (all: {
    readonly url: string
    readonly persona: WokenPersona
    readonly telegram: Awaited<ReturnType<typeof createTelegramStandIn>>
  }) => Promise<void>,
) => {
  const telegram = await createTelegramStandIn()
  try {
    await withDaemon(async ({ url }) => look({ url, persona: await wake(url, 'Mira'), telegram }), {
      models: createTalker(),
      env: { TELEGRAM_API_BASE_URL: telegram.url },
    })
  } finally {
    await telegram.close()
  }
}

const waitForChannel = (url: string, { id }: WokenPersona, token: string) =>
  post(url, `/api/persona/${id}/channels`, { kind: 'telegram', credentials: { token } })

test('adds, pairs and removes a bot, and updates every tab', async () => {
  await withTelegram(async ({ url, persona, telegram }) => {
    await withPage(url + settingsPath(persona, 'channels'), async ({ page, tab, complaints }) => {
      const otherPage = await tab(settingsPath(persona))
      await page.getByText('So far you can reach Mira only on this page.').waitFor()
      await page.getByText('Add a channel').click()
      const token = page.getByLabel('Token of the bot')
      await token.press('Enter')
      await page.getByText('Please enter the token.').waitFor()
      await waitForFocusOn(page, /^INPUT/)

      await token.fill('4242:nonsense-nonsense-nonsense')
      await token.press('Enter')
      await page.getByRole('alert').getByText('telegram validation failed').waitFor()
      await pollAssert.is(() => token.getAttribute('aria-invalid'), 'true')
      await waitForFocusOn(page, /^INPUT/)

      await token.fill(telegram.token)
      await token.press('Enter')
      await page.getByText('fern_bot').waitFor()
      await otherPage.getByText('fern_bot').waitFor()
      await page.getByText('Not connected with a chat yet.').waitFor()
      await page.getByText('Added. Now write to the bot').waitFor()
      await waitForFocusOn(page, /^SUMMARY\s+Add a channel/)
      assert.not.match(await page.content(), new RegExp(telegram.token.slice(-20)))

      await waitFor('a listener', () => telegram.polling() > 0)
      telegram.write({ text: 'hello?' })
      const code = await waitFor('a code', () =>
        telegram.sentMessages.map(({ text }) => codeIn(text)).find(Boolean),
      )
      const field = page.getByLabel('Code from the chat')
      await field.press('Enter')
      await page.getByText('Please enter the code.').waitFor()
      await field.fill('AAAA-AAAA')
      await field.press('Enter')
      await page.getByText('Pairing code is invalid or has expired.').waitFor()
      await waitForFocusOn(page, /^INPUT/)
      await field.fill(code.toLowerCase())
      await page.getByRole('button', { name: 'Connect' }).click()
      await page.getByText('Connected. Mira now gets your messages from there.').waitFor()
      await page.getByText('Mira gets messages from there.').waitFor()
      await page.getByText('fern_bot', { exact: true }).waitFor()
      await otherPage.getByText('Mira gets messages from there.').waitFor()
      await pollAssert.is(() => field.count(), 0)
      await pollAssert.is(() => page.getByText('Added. Now write to the bot').count(), 0)
      await waitForFocus(page)

      const remove = page.getByRole('button', { name: 'Remove Telegram fern_bot' })
      await remove.click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      await waitForFocusOn(page, /Remove Telegram fern_bot/)
      await remove.click()
      await pollAssert.equal(() => barriers(page), [])
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
      for (const view of [page, otherPage]) await view.getByText('So far you can reach Mira').waitFor()
      await waitForFocusOn(page, /^SUMMARY\s+Add a channel/)
      assert.equal(own(complaints), [])
    })
  })
})

test('adds a Matrix account by its password or its token', async () => {
  const matrix = await createMatrixStandIn()
  const account = matrix.register('fern')
  try {
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, 'Mira')
        await withPage(url + settingsPath(persona, 'channels'), async ({ page, complaints }) => {
          const addNow = page.getByRole('button', { name: 'Add', exact: true })
          await page.getByText('Add a channel').click()
          await page.getByLabel('Platform').selectOption('matrix')
          await addNow.click()
          await page.getByText('Please fill in all fields.').waitFor()
          await waitForFocusOn(page, /^INPUT/)

          await page.getByLabel('Homeserver').fill(matrix.url)
          await page.getByLabel('User name of the account').fill('fern')
          const password = page.getByLabel('Password of the account')
          await password.fill('not-this-one')
          await addNow.click()
          await page.getByRole('alert').getByText('refuses this user name or this password').waitFor()
          await pollAssert.is(() => password.getAttribute('aria-invalid'), 'true')
          await pollAssert.equal(() => barriers(page), [])
          await password.fill('fern-password')
          await addNow.click()
          await page.getByText('Added. Now write to the bot').waitFor()
          const name = account.id.slice(1)
          await page.getByText(name, { exact: true }).waitFor()
          assert.not.match(await page.content(), /fern-password/)

          await page.getByText('Add a channel').click()
          await page.getByLabel('Sign in with').selectOption('token')
          await page.getByLabel('Access token of the account').fill(matrix.createToken(account.id))
          await addNow.click()
          await pollAssert.is(() => page.getByLabel('Platform').isVisible(), false)
          assert.is(await page.getByText(name, { exact: true }).count(), 1)
          assert.equal(own(complaints), [])
        })
      },
      { models: createTalker() },
    )
  } finally {
    await matrix.close()
  }
})

test('shows why a channel fails, and when it works again', async () => {
  await withTelegram(async ({ url, persona, telegram }) => {
    await waitForChannel(url, persona, telegram.token)
    await withPage(url + settingsPath(persona, 'channels'), async ({ page, complaints }) => {
      await page.getByText('Not connected with a chat yet.').waitFor()
      await waitFor('a listener', () => telegram.polling() > 0)
      telegram.webhook('https://elsewhere.test/')
      await page.getByText('Does not work at the moment.').waitFor()
      await page
        .locator('section', { has: page.locator('#channels') })
        .locator('.trouble')
        .waitFor()
      await post(url, `/api/persona/${persona.id}/stop`)
      await page.getByText('Start Mira first: the bot answers').waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('says if a platform does not answer, and keeps the token for a retry', async () => {
  await withTelegram(async ({ url, persona, telegram }) => {
    await telegram.leave()
    await withPage(url + settingsPath(persona, 'channels'), async ({ page, complaints }) => {
      await page.getByText('Add a channel').click()
      await page.getByLabel('Token of the bot').fill(telegram.token)
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('alert').getByText('telegram validation failed').waitFor()
      await pollAssert.is(() => page.getByLabel('Token of the bot').inputValue(), telegram.token)
      await telegram.restore()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByText('fern_bot').waitFor()
      assert.equal(own(complaints), [])
    })
  })
})

test.run()
