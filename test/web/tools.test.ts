/** Tool servers in the settings: added, tested, permitted, removed. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { barriers, own, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { withLetters } from './letters.ts'
import { pollAssert } from './poll-assert.ts'
import { settingsPath, typeText } from './setup.ts'

test.after(closeBrowser)

/** The folder for screenshots. */
const screens = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))

interface ToolsAnswer {
  readonly servers: readonly { readonly server: { readonly args: readonly string[] } }[]
}

const toolsSection = (page: Page) => page.locator('section', { has: page.locator('#tools') })
const modeGroup = (page: Page, tool: string) => page.getByRole('group', { name: `May ${tool} be used?` })
const getPressed = (page: Page, tool: string) =>
  modeGroup(page, tool).locator('[aria-pressed=true]').allTextContents()
const isWide = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

// Verified to fail if the form starts with empty values instead of the stored ones.
test('adds a server by hand, changes it without its secrets, removes it, and updates every tab', async () => {
  await withLetters(async ({ url, persona, entry, key }) => {
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, tab, complaints }) => {
      const otherPage = await tab(settingsPath(persona, 'tools'))
      await page.getByText('A tool server is a program on this machine').waitFor()
      await page.getByText('Add a server').click()
      const add = toolsSection(page).getByRole('button', { name: 'Add', exact: true })
      await add.click()
      await page.getByText('Please enter a name.').waitFor()
      await waitForFocusOn(page, /^INPUT/)
      await page.getByLabel('Name', { exact: true }).last().fill('po__st')
      await page.getByLabel('Command').fill(entry.command)
      await page.getByLabel('Arguments, one per line').fill(entry.args.join('\n'))
      await page.getByRole('button', { name: 'Variables: one more' }).click()
      await waitForFocusOn(page, /^INPUT Variables: name 1/)
      await typeText(page, 'KEY')
      await page.getByLabel('Variables: value 1').fill('hush-hush')
      await add.click()
      await page.getByRole('group', { name: 'Is this a secret?' }).waitFor()
      await waitForFocusOn(page, /^INPUT/)
      await add.click()
      await page.getByRole('alert').getByText('The name of a tool server').waitFor()
      await waitForFocusOn(page, /^INPUT/)
      await pollAssert.equal(() => barriers(page), [])
      await page.getByLabel('Name', { exact: true }).last().fill('post')
      await page.keyboard.press('Enter')
      await page.getByText('It works, and offers 2 tools.').waitFor()
      await waitForFocusOn(page, /^SUMMARY\s+Add a server/)
      await otherPage.getByRole('heading', { name: 'post' }).waitFor()
      assert.is(await key(), 'hush-hush')
      assert.not.match(await page.content(), /hush-hush/)

      await page.getByRole('button', { name: 'Change post' }).click()
      const dialog = page.getByRole('dialog')
      await pollAssert.is(() => dialog.getByLabel('Variables: value 1').inputValue(), '***')
      await pollAssert.equal(() => barriers(page), [])
      await dialog.getByLabel('Folder to start it in').fill('/')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('It works, and offers 2 tools.').waitFor()
      assert.is(await key(), 'hush-hush')

      const remove = page.getByRole('button', { name: 'Remove post' })
      await remove.click()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await waitForFocusOn(page, /Remove post/)
      await remove.click()
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
      for (const view of [page, otherPage]) await view.getByText('A tool server is a program').waitFor()
      await waitForFocusOn(page, /^SUMMARY/)
      assert.equal(own(complaints), [])
    })
  })
})

test('accepts the pasted configuration of another app, and returns to the section of the address', async () => {
  await withLetters(async ({ url, persona, entry }) => {
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, complaints }) => {
      await page.getByText('Paste a configuration').click()
      const field = page.getByLabel('Configuration', { exact: true })
      const add = page.getByRole('button', { name: 'Add them' })
      for (const [configuration, message] of [
        ['', 'There is nothing here yet.'],
        ['{"mcpServers": {', 'This is no valid JSON'],
        ['{"theme": "dark"}', 'There is no server in this'],
        ['{"mcpServers": {"post": {"args": ["x"]}}}', 'needs a command or a url'],
      ] as const) {
        await field.fill(configuration)
        await add.click()
        await page.getByRole('alert').getByText(message).waitFor()
        await pollAssert.is(() => field.getAttribute('aria-invalid'), 'true')
      }
      const inputs = [{ type: 'promptString', id: 'key', description: 'Letter key', password: true }]
      const serverEntry = { ...entry, env: { KEY: ['$', '{input:key}'].join('') } }
      await field.fill(`// of VS Code\n${JSON.stringify({ inputs, servers: { asks: serverEntry } })}`)
      await add.click()
      await page.getByLabel('Letter key').fill('swordfish-12')
      await waitForFocusOn(page, /^INPUT/)
      await pollAssert.equal(() => barriers(page), [])
      await mkdir(screens, { recursive: true })
      await page.screenshot({ path: `${screens}paste-inputs.png` })
      await add.click()
      await page.getByText('Added: asks.').waitFor()
      await page.getByText('Paste a configuration').click()
      const disabledServer = { command: 'nothing', disabled: true }
      await field.fill(
        JSON.stringify({ mcpServers: { post: { ...entry, type: 'stdio' }, 'old one': disabledServer } }),
      )
      await add.click()
      await page.getByText('Added: post. Skipped, because switched off there: old one.').waitFor()
      await page.getByText('It works, and offers 2 tools.').waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'post' }).waitFor()
      await page.getByRole('heading', { name: 'Tools' }).waitFor()
      assert.equal(own(complaints), [])
    })
  })
})

// Verified to fail with the previous version, which did not ask: the first value was stored in plain text in
// a fact.
test('asks about values that may be secrets, and stores them as secrets unless denied', async () => {
  await withLetters(async ({ url, persona, entry, ask }) => {
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, complaints }) => {
      await page.getByText('Paste a configuration').click()
      const args = [
        ...entry.args,
        '--channel',
        'x7Gk2pQ9zT',
        '--password',
        'swordfish',
        '--pat',
        'ghp_9a8B7c6D5e4F3g2H1',
      ]
      await page
        .getByLabel('Configuration', { exact: true })
        .fill(JSON.stringify({ mcpServers: { post: { ...entry, args } } }))
      const add = page.getByRole('button', { name: 'Add them' })
      await add.click()
      const question = page.getByRole('group', { name: 'Is this a secret?' })
      await question.waitFor()
      await waitForFocusOn(page, /^INPUT/)
      assert.equal(await question.locator('code').allTextContents(), ['x7Gk2pQ9zT', 'swordfish'])
      const checks = question.getByRole('checkbox')
      for (const n of [0, 1]) assert.ok(await checks.nth(n).isChecked())
      await pollAssert.equal(() => barriers(page), [])
      await question.scrollIntoViewIfNeeded()
      await mkdir(screens, { recursive: true })
      await page.screenshot({ path: `${screens}secret-question.png` })
      const loadTools = async () => (await (await ask('GET', 'tools')).json()) as ToolsAnswer
      assert.equal((await loadTools()).servers, [], 'nothing is stored before the answer')
      await checks.nth(0).uncheck()
      await add.click()
      await page.getByText('It works, and offers 2 tools.').waitFor()
      const { servers } = await loadTools()
      const shownArgs = ['--channel', 'x7Gk2pQ9zT', '--password', '***', '--pat', '***']
      assert.equal(servers[0]?.server.args.slice(entry.args.length), shownArgs)
      assert.not.match(await page.content(), /swordfish|ghp_9a8/)

      // Earlier answers stay when something else is edited by hand. Only new values are asked about.
      await page.getByRole('button', { name: 'Change post' }).click()
      const dialog = page.getByRole('dialog')
      const field = dialog.getByLabel('Arguments, one per line')
      await field.fill(`${await field.inputValue()}\n--pass\nopen sesame`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByRole('group', { name: 'Is this a secret?' }).waitFor()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await pollAssert.match(
        async () => (await ask('GET', 'tools')).text(),
        /"--channel","x7Gk2pQ9zT".*"--pass","\*\*\*"/,
      )
      assert.equal(own(complaints), [])
    })
  })
})

test('sets each tool, or all of them, to off, ask or allow, and updates every tab', async () => {
  await withLetters(async ({ url, persona, add }) => {
    await add()
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, tab, complaints }) => {
      const otherPage = await tab(settingsPath(persona, 'tools'))
      await pollAssert.equal(() => getPressed(page, 'send'), ['Ask'])
      await modeGroup(page, 'send').getByRole('button', { name: 'Allow' }).press('Enter')
      await waitForFocusOn(page, /^BUTTON\s+Allow$/)
      for (const view of [page, otherPage]) await pollAssert.equal(() => getPressed(view, 'send'), ['Allow'])
      await page.getByText('1 allowed · 1 asked about').waitFor()
      await page.getByRole('button', { name: 'All tools of post off' }).click()
      for (const view of [page, otherPage])
        for (const tool of ['send', 'count']) await pollAssert.equal(() => getPressed(view, tool), ['Off'])
      await page.getByRole('button', { name: 'Ask about all tools of post' }).click()
      await pollAssert.equal(() => getPressed(otherPage, 'count'), ['Ask'])
      assert.equal(complaints, [])
    })
  })
})

test('lists the decisions about web hosts, and changes them', async () => {
  await withLetters(async ({ url, persona, ask }) => {
    await ask('PATCH', 'hosts/news.example.test', { mode: 'allow' })
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, complaints }) => {
      await page.getByText('Web pages that Mira may read').click()
      await pollAssert.equal(() => getPressed(page, 'news.example.test'), ['Allow'])
      await pollAssert.equal(() => barriers(page), [])
      await modeGroup(page, 'news.example.test').getByRole('button', { name: 'Off' }).press('Enter')
      await pollAssert.equal(() => getPressed(page, 'news.example.test'), ['Off'])
      await pollAssert.match(
        async () => (await ask('GET', 'tools')).text(),
        /"news.example.test","mode":"off"/,
      )
      assert.equal(own(complaints), [])
    })
  })
})

test('shows both descriptions of a changed tool, and allows it again', async () => {
  await withLetters(async ({ url, persona, add, ask, become }) => {
    await add()
    await ask('PATCH', 'tools/post/send', { mode: 'allow' })
    await become({ describes: 'Sends a letter, and a copy to everybody.' })
    await ask('POST', 'tools/post/probe')
    await withPage(
      url + settingsPath(persona, 'tools'),
      async ({ page, complaints }) => {
        await page.getByText('You allowed this tool, but its server has changed its description').waitFor()
        await pollAssert.match(() => page.locator('del').textContent(), /Sends a letter\./)
        await pollAssert.match(() => page.locator('ins').textContent(), /and a copy to everybody/)
        await pollAssert.equal(() => barriers(page), [])
        assert.not(await isWide(page))
        await page.getByRole('button', { name: 'Allow as it is now' }).click()
        await pollAssert.equal(() => getPressed(page, 'send'), ['Allow'])
        await pollAssert.is(() => page.locator('del').count(), 0)
        assert.equal(complaints, [])
      },
      { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
    )
  })
})

test('shows the error of a server and the address to sign in', async () => {
  await withLetters(async ({ url, persona, add, become }) => {
    await become({ breaks: 'The stamps are missing.' })
    await add()
    await withPage(url + settingsPath(persona, 'tools'), async ({ page, complaints }) => {
      await page.getByRole('button', { name: 'Try post' }).click()
      await page.getByText('It does not work yet.').waitFor()
      await toolsSection(page).locator('.trouble').getByText('The stamps are missing.').waitFor()
      await waitForFocusOn(page, /Try post/)
      await become({})
      await page.keyboard.press('Enter')
      await page.getByText('It works, and offers 2 tools.').waitFor()
      await pollAssert.is(() => toolsSection(page).locator('.trouble').count(), 0)

      // Only http and https addresses become links.
      const places = ['javascript:alert(1)', 'https://sign-in.test/authorize?state=1']
      for (const authorize of places) {
        await page.route('**/api/persona/*/tools', async (route) => {
          const answer = await route.fetch()
          const { servers, builtin } = (await answer.json()) as { servers: object[]; builtin: unknown }
          await route.fulfill({
            json: { servers: servers.map((server) => ({ ...server, authorize })), builtin },
          })
        })
        await page.reload()
        await page.getByRole('heading', { name: 'post' }).waitFor()
        const link = page.getByRole('link', { name: 'Sign in' })
        await pollAssert.is(() => link.count(), authorize.startsWith('https:') ? 1 : 0)
        if (!authorize.startsWith('https:')) continue
        assert.is(await link.getAttribute('href'), authorize)
        assert.is(await link.getAttribute('target'), '_blank')
        assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
      }
      assert.equal(complaints, [])
    })
  })
})

test.run()
