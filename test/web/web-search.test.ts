/** Searching the web on the page: setting up providers, and the question and sources in the talk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { openSearchProviders, searchKey } from '../stand-ins/search-providers.ts'
import { article, openSite } from '../web-reading/site.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { say, waitForMessage } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

test('sets up search providers, asks before the first search, and lists the read pages', async () => {
  const providers = await openSearchProviders()
  const site = await openSite((_, response) => response.setHeader('content-type', 'text/html').end(article()))
  const page1 = site.url('a.example', '/lighthouses')
  providers.pages = [{ title: 'Lighthouses', url: page1, text: 'Towers by the sea.' }]
  const models = createTalker({
    calls: (text) => {
      const [, query] = /search (.+)$/m.exec(text) ?? []
      if (query) return [{ name: 'search_web', input: { query } }]
      return /read it$/m.test(text) ? [{ name: 'read_page', input: { url: page1 } }] : []
    },
  })
  const env = {
    DAIMON_GREETING: 'off',
    BRAVE_BASE_URL: providers.urls.brave ?? '',
    WIKIPEDIA_BASE_URL: providers.urls.wikipedia ?? '',
  }
  const daemon = await startDaemon({ models, env, reach: site.reach })
  try {
    const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
      name: 'Mira',
      thinking_model: 'talker',
    })
    await call(daemon.url, 'POST', `/api/persona/${body.persona.id}/phrase/confirm`)
    const home = `${daemon.url}/persona/${body.persona.id}`
    await withPage(`${home}/tools`, async ({ page, complaints }) => {
      await page.getByText('Searching the web').click()
      const brave = page.getByRole('listitem').filter({ hasText: 'Brave Search' })
      await brave.getByText('Set up').click()
      await brave.getByLabel('Key', { exact: true }).fill('wrong')
      await brave.getByRole('button', { name: 'Test' }).click()
      await brave.getByText('Brave Search: it refuses the key (status 401).').waitFor()
      await brave.getByLabel('Key', { exact: true }).fill(searchKey)
      await brave.getByRole('button', { name: 'Use' }).click()
      await brave.getByRole('group', { name: 'May Brave Search be used?' }).waitFor()
      await brave.getByRole('button', { name: 'Try earlier' }).click()
      await pollAssert.match(() => brave.innerText(), /1\.\s*Brave Search/)
      await brave.getByRole('button', { name: 'Test' }).click()
      await brave.getByText('It works: one result.').waitFor()
      await pollAssert.equal(() => barriers(page), [])

      await page.goto(`${home}/talk`)
      await say(page, 'search lighthouse')
      const card = page.getByRole('article', { name: 'Mira asks to use a tool' })
      await pollAssert.match(() => card.innerText(), /Search the web with Brave Search\s+query\s+lighthouse/)
      await card.getByRole('button', { name: 'Always' }).click()
      await waitForMessage(page, 'I hear you.')
      await say(page, 'read it')
      await page.getByText(/Read pages of a\.example/).waitFor()
      await page.getByRole('button', { name: 'Once' }).click()
      await page.getByText('Sources (1)').click()
      const link = page.getByRole('link', { name: 'The title' })
      assert.is(await link.getAttribute('href'), page1)
      await pollAssert.equal(() => barriers(page), [])
      await page.reload()
      await page.getByText('Sources (1)').waitFor()
      assert.equal(complaints, [])
    })
    assert.not.match(JSON.stringify(providers.requests), 'wrong')
  } finally {
    await daemon.close()
    await site.close()
    await providers.close()
  }
})

test.run()
