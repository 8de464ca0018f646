/** Skills in the settings: added by button and by drop, reviewed before they are enabled, removed. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { zip } from '../../packages/documents/test/zip.ts'
import { call } from '../calls.ts'
import { seriousOn } from './accessible.ts'
import { own } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { settingsPath, wake, withDaemon } from './setup.ts'

test.after(closeBrowser)

const main = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: How ${name} is made.\n---\n\n${body}\n`
const tea = (body: string) =>
  zip([
    { name: 'tea/SKILL.md', bytes: main('tea', body) },
    { name: 'tea/scripts/boil.py', bytes: 'print("boiling")' },
  ])
const file = (buffer: Buffer, name = 'tea.zip') => ({ name, mimeType: 'application/zip', buffer })
const choose = (page: Page) => page.getByLabel('Add a skill')
const row = (page: Page, name: string) => page.locator(`[data-skill="${name}"]`)

test('shows a skill before it is enabled, disables it when it changes, and removes it', async () => {
  const folder = join(tmpdir(), `skills-page-${process.pid}`)
  await mkdir(join(folder, 'coffee'), { recursive: true })
  await writeFile(join(folder, 'coffee', 'SKILL.md'), main('coffee', 'Grind it.'))
  try {
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, 'Mira')
        const loadSkills = async () =>
          (await call(url, 'GET', `/api/persona/${persona.id}/skills`)).body.skills
        await withPage(url + settingsPath(persona, 'skills'), async ({ page, complaints }) => {
          await page.getByText('Mira has no skills yet.').waitFor()
          await choose(page).setInputFiles(file(tea('Boil water.')))
          await row(page, 'tea').getByText('Not enabled').waitFor()
          assert.is(await page.getByRole('button', { name: 'Enable tea as it is' }).count(), 0)
          await page.getByRole('button', { name: 'Look at tea' }).click()
          await row(page, 'tea').getByText('These are all of its 2 files.').waitFor()
          await row(page, 'tea').getByText('Boil water.').waitFor()
          await row(page, 'tea').getByText('print("boiling")').waitFor()
          await row(page, 'tea').getByText('A script: it can be read, and is not run.').waitFor()
          assert.equal(await seriousOn(page), [])
          await page.getByRole('button', { name: 'Enable tea as it is' }).click()
          await row(page, 'tea').getByText('Enabled', { exact: true }).waitFor()
          await pollAssert.is(async () => (await loadSkills())[0].enabled, true)

          await choose(page).setInputFiles(file(tea('Boil milk.')))
          await page.getByText('tea has changed, and is disabled.').waitFor()
          await row(page, 'tea').getByText('Not enabled').waitFor()
          await choose(page).setInputFiles(file(Buffer.from('# no skill'), 'SKILL.md'))
          await page.getByText('This skill cannot be added').waitFor()

          await page.getByRole('button', { name: 'Add coffee' }).click()
          await row(page, 'coffee').getByText('Not enabled').waitFor()
          await page.getByRole('button', { name: 'Remove tea' }).click()
          await page.getByRole('button', { name: 'Remove', exact: true }).click()
          await page.getByText('Removed.').waitFor()
          await pollAssert.equal(
            async () => (await loadSkills()).map(({ name }: { name: string }) => name),
            ['coffee'],
          )
          assert.equal(own(complaints), [])
        })
      },
      { env: { DAIMON_SKILLS: folder } },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.run()
