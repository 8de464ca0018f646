/** Mailboxes in the settings: connect, mails, failures, disconnect. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { mailPassword, mailText, mailUser, openMailServer } from '../stand-ins/imap.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { settingsPath, wake, withDaemon } from './setup.ts'

const server = await openMailServer()
test.after(async () => {
  await closeBrowser()
  await server.close()
})

const dialog = (page: Page) => page.getByRole('dialog')
const look = async (page: Page, name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}-${name}.png` })
}

/** The browser reports the refused requests that these tests make. */
const isUnexpected = (complaint: string) => !/status of 400/.test(complaint)

for (const [width, language] of [
  [360, 'en'],
  [1440, 'de'],
] as const)
  test(`connects a mailbox, shows a mail, a failure, and disconnects at ${width} px`, async () => {
    const isGerman = language === 'de'
    const name = (english: string, german: string) => (isGerman ? german : english)
    server.special = null
    server.folders.set('INBOX', { uidValidity: 1, mails: [] })
    server.add(mailText({ subject: 'Lunch <b>bold</b>', body: 'Lunch on Friday? Please tell me.' }))
    server.add(mailText({ subject: 'Sale', header: ['List-Unsubscribe: <https://shop.example>'] }))
    await withDaemon(async ({ url }) => {
      const persona = await wake(url, 'Ada')
      await withPage(
        url + settingsPath(persona),
        async ({ page, complaints }) => {
          const section = page.getByRole('region', { name: name('Mailboxes', 'Postfächer'), exact: true })
          await section.getByRole('button', { name: name('Add a mailbox', 'Postfach hinzufügen') }).click()
          const button = dialog(page).getByRole('button', { name: name('Connect', 'Verbinden'), exact: true })
          await button.click()
          await dialog(page).getByText(name('Enter the server', 'Bitte gib den Server')).waitFor()
          await dialog(page).getByLabel('Server (IMAP)').fill('127.0.0.1')
          await dialog(page).getByLabel(name('User name', 'Benutzername')).fill(mailUser)
          await dialog(page).getByLabel(name('App password', 'App-Passwort')).fill('wrong-4712')
          await dialog(page).getByLabel(name('Encryption', 'Verschlüsselung')).selectOption('none')
          await dialog(page).getByLabel(name('Port, if', 'Port, falls')).fill(String(server.port))
          await dialog(page).getByLabel(name('Also read', 'Dazu die')).selectOption('3')
          await button.click()
          await dialog(page)
            .getByText(
              name('refuses the user name or the password', 'lehnt den Benutzernamen oder das Passwort ab'),
            )
            .waitFor()
          await look(page, `${width}-dialog`)
          assert.equal(await barriers(page), [])
          await dialog(page).getByLabel(name('App password', 'App-Passwort')).fill(mailPassword)
          await button.click()
          await dialog(page).waitFor({ state: 'detached' })

          await section.getByRole('button', { name: name('Mails that were read', 'Gelesene Mails') }).click()
          await section.getByText('Lunch <b>bold</b>').waitFor()
          await section.getByText(name('Bulk mail', 'Massenmail')).waitFor()
          await section.scrollIntoViewIfNeeded()
          await look(page, `${width}-mails`)
          assert.equal(await barriers(page), [])
          assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
          assert.not.match(await page.content(), mailPassword)

          server.special = (command, _, socket) => {
            if (!command.startsWith('UID SEARCH')) return false
            socket.destroy()
            return true
          }
          await section.getByRole('button', { name: name('Check: ', 'Nachsehen: ') }).click()
          await section.getByText(name('It could not be read.', 'Es konnte nicht gelesen werden.')).waitFor()
          // The daemon's own words are English.
          await section.getByText('nicht erreichbar').waitFor({ state: isGerman ? 'visible' : 'detached' })
          await look(page, `${width}-failing`)
          const health = await page.context().newPage()
          await health.goto(`${url}/persona/${persona.id}/health`)
          await health.getByText(name('The mailbox ada', 'Das Postfach ada')).waitFor()
          await health.getByText('nicht erreichbar').waitFor({ state: isGerman ? 'attached' : 'detached' })
          assert.equal(await barriers(health), [])
          await health.close()
          await section.getByRole('button', { name: name('Disconnect: ', 'Trennen: ') }).click()
          await section.getByText(mailUser).waitFor({ state: 'detached' })
          assert.equal(complaints.filter(isUnexpected), [])
        },
        { viewport: { width, height: 800 }, locale: isGerman ? 'de-DE' : 'en-GB' },
      )
    })
  })

test.run()
