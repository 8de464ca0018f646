/** Texts and a browser setting that once left the page blank. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { endsWith, post, say, waitForMessage, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const address = 'http://a.example'

// Verified to fail with a regular expression for the end of an address, and if brackets are counted again for
// each of them.
test('stays responsive with an address followed by thousands of brackets or full stops', async () => {
  await withDaemon(async ({ url }) => {
    for (const tail of [')'.repeat(8000), '.'.repeat(240_000), '])}'.repeat(60_000)]) {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Hello.')
        await waitForMessage(page, 'I hear you.')
        assert.equal(await post(url, `/api/persona/${persona.id}/read`, { message: address + tail }), {
          status: 'received',
        })
        await endsWith(page, 'I hear you.', url, persona, 4)
        await page.reload()
        await endsWith(page, 'I hear you.', url, persona, 4)
        await pollAssert.is(() => page.locator('[role=log] .mine a').count(), 1)
        await say(page, 'Still here.')
        await endsWith(page, 'I hear you.', url, persona, 6)
        assert.equal(complaints, [])
      })
    }
  })
})

test('excludes punctuation of the sentence from a link', async () => {
  const expectedLinks: Readonly<Record<string, string>> = {
    [`See ${address}/x.`]: `${address}/x`,
    [`(see ${address}/x)`]: `${address}/x`,
    [`(${address}/a_(b))!`]: `${address}/a_(b)`,
    [`[${address}/?q=[1]]*.`]: `${address}/?q=[1]`,
    [`${address}/x)).`]: `${address}/x`,
    [`${address}/(x`]: `${address}/(x`,
  }
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      for (const [n, words] of Object.keys(expectedLinks).entries()) {
        await say(page, words)
        await waitForMessage(page, 'I hear you.', n + 1)
      }
      await pollAssert.equal(
        () => page.locator('[role=log] .mine a').allTextContents(),
        Object.values(expectedLinks),
      )
    })
  })
})

// Verified to fail with `en-US@posix`, which browsers report on a system without a language.
test('works in a browser with an invalid language tag', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    for (const languages of [['en-US@posix'], ['en_GB.UTF-8', 'en-AU'], []])
      await withPage(url + persona.room, async ({ page, complaints }) => {
        // Set before the page's first line, and without a fallback language.
        await page.addInitScript(createSpeakingScript(languages))
        await page.reload()
        await say(page, `I speak ${languages.length}.`)
        await waitForMessage(page, `I speak ${languages.length}.`)
        await pollAssert.is(() => page.locator('.day').first().innerText(), 'Today')
        assert.equal(complaints, [])
      })
  })
})

/** Runs in the page. Sets its languages and the default locale of formats. */
const createSpeakingScript = (languages: readonly string[]) => `{
  const languages = ${JSON.stringify(languages)}
  Object.defineProperty(navigator, 'languages', { get: () => languages })
  Object.defineProperty(navigator, 'language', { get: () => languages[0] })
  const Format = Intl.DateTimeFormat
  Intl.DateTimeFormat = function (locales, options) { return new Format(locales ?? languages[0], options) }
  Intl.DateTimeFormat.supportedLocalesOf = Format.supportedLocalesOf
  const upper = String.prototype.toLocaleUpperCase
  String.prototype.toLocaleUpperCase = function (locales) { return upper.call(this, locales ?? languages[0]) }
}`

test.run()
