import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ModelError, type Models } from '../../packages/models/models.ts'
import { call, waitFor } from '../calls.ts'
import { openPushService, pushReach } from '../stand-ins/push-service.ts'
import { barriers, own, waitForFocus, waitForFocusOn } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { pushedWorker, standInForPush } from './push-browser.ts'
import { post, settingsPath, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const folder = fileURLToPath(new URL('../../.tmp/screens/', import.meta.url))
await mkdir(folder, { recursive: true })
const shoot = (page: Page, name: string) => page.screenshot({ path: `${folder}settings-${name}.png` })

const loadDiagnosis = async (url: string, id: string) =>
  (await call(url, 'GET', `/api/persona/${id}/diagnose`)).body

test('offers the actions that fit the condition, and keeps the focus in the list', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
      const deeds = page.locator('section[aria-labelledby=life] li button')
      const names = async () => (await deeds.allTextContents()).map((label) => label.trim())
      await page.getByText('Mira is active.').waitFor()
      await pollAssert.equal(() => names(), ['Go over the day', 'Restart', 'Stop', 'Put to sleep'])

      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await page.getByText('Mira is stopped and gets no messages until you start it.').waitFor()
      await page.getByText('Stopped.', { exact: true }).waitFor()
      await pollAssert.equal(() => names(), ['Start', 'Put to sleep'])
      await waitForFocusOn(page, /^BUTTON\s+Start$/)

      await page.keyboard.press('Enter')
      await page.getByText('Mira is active.').waitFor()
      await waitForFocusOn(page, /^BUTTON\s+Go over the day$/)

      await page.getByRole('button', { name: 'Put to sleep' }).click()
      await page.getByText('Mira is asleep').waitFor()
      await waitForFocusOn(page, /^BUTTON\s+Start$/)
      await page.keyboard.press('Enter')
      await page.getByText('Mira is active.').waitFor()

      await page.getByRole('button', { name: 'Restart' }).click()
      await page.getByText('Restarted.', { exact: true }).waitFor()
      await waitForFocusOn(page, /^BUTTON\s+Restart$/)

      // Another client stops it while a button that will disappear has the focus.
      await page.getByRole('button', { name: 'Go over the day' }).focus()
      await post(url, `/api/persona/${persona.id}/stop`)
      await page.getByText('Mira is stopped').waitFor()
      await waitForFocusOn(page, /^BUTTON\s+Start$/)
      assert.equal(complaints, [])
    })
  })
})

test('runs the night on request, and reports it afterwards', async () => {
  const talker = createTalker({ answer: () => '{"summary": "A quiet day.", "operations": []}' })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
        await page.getByRole('button', { name: 'Go over the day' }).click()
        await page.getByText('Done: the day is summed up.').waitFor()
        await waitForFocusOn(page, /Go over the day$/)
        assert.equal(complaints, [])
      })
    },
    { models: talker },
  )
})

test("shows the daemon's reason if a persona does not start", async () => {
  let isBroken = false
  const probe = async () => {
    if (isBroken) throw new ModelError('Nobody answers at `http://127.0.0.1:9`.')
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await post(url, `/api/persona/${persona.id}/stop`)
      isBroken = true
      await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
        await page.getByRole('button', { name: 'Start' }).click()
        await page.getByRole('alert').getByText('Nobody answers at').waitFor()
        await pollAssert.is(() => page.getByRole('alert').locator('code').textContent(), 'http://127.0.0.1:9')
        await waitForFocusOn(page, /Start$/)
        isBroken = false
        await page.keyboard.press('Enter')
        await page.getByText('Mira is active.').waitFor()
        await pollAssert.is(() => page.getByRole('alert').count(), 0)
        assert.equal(own(complaints), [])
      })
    },
    { models: { ...createTalker(), probe } },
  )
})

test('requires a name, updates other tabs, and keeps unsaved input', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, tab, complaints }) => {
      const name = page.getByLabel('Name', { exact: true })
      await name.fill('  ')
      await name.press('Enter')
      await page.getByText('Please enter a name.').waitFor()
      await pollAssert.is(() => name.getAttribute('aria-invalid'), 'true')
      await waitForFocusOn(page, /^INPUT/)
      await name.fill('مريم')
      await name.press('Enter')
      await page.getByText('Renamed.').waitFor()
      const otherPage = await tab(settingsPath(persona))
      await pollAssert.is(() => otherPage.getByLabel('Name', { exact: true }).inputValue(), 'مريم')
      await otherPage.getByLabel('Name', { exact: true }).fill('Max')
      await otherPage.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('heading', { name: 'Max' }).waitFor()
      await pollAssert.is(() => name.inputValue(), 'Max')
      assert.equal(complaints, [])
    })
  })
})

test('sets the silence in minutes, and rejects invalid values beside the field', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
      const minutes = page.getByLabel('Minutes without a message until the talk is summed up')
      await pollAssert.is(() => minutes.inputValue(), '60')
      for (const nonsense of ['0', '-4', '']) {
        await minutes.fill(nonsense)
        await minutes.press('Enter')
        await page.getByText('Please enter a number above 0').waitFor()
        await pollAssert.is(() => minutes.getAttribute('aria-invalid'), 'true')
      }
      await minutes.fill('1.5')
      await minutes.press('Enter')
      await waitFor('90 seconds', async () => (await loadDiagnosis(url, persona.id)).idle_timeout === 90)
      await page.getByText('Changed.').waitFor()
      await post(url, `/api/persona/${persona.id}/update`, { idle_timeout: 7200 })
      await waitFor('two hours', async () => (await minutes.inputValue()) === '120')
      assert.equal(complaints, [])
    })
  })
})

test('does not show or request a stored key again, and sends it to no other address', async () => {
  await withDaemon(async ({ url }) => {
    const otherId = await wake(url, 'Mira', {
      eye_model: 'gpt-4o',
      eye_provider: 'openai',
      eye_api_key: 'sk-kept',
    })
    await withPage(url + settingsPath(otherId), async ({ page, complaints }) => {
      const eye = page.locator('.organ-fold', { hasText: 'Image reading' })
      await eye.locator('summary').click()
      await pollAssert.is(() => eye.getByLabel('Key').inputValue(), '')
      await eye.getByLabel('Model', { exact: true }).fill('gpt-5')
      const request = page.waitForRequest(/\/update$/)
      await eye.getByRole('button', { name: 'Change' }).click()
      assert.equal((await request).postDataJSON(), { eye: { model: 'gpt-5', provider: 'openai', url: '' } })
      await eye.getByText('Changed.').waitFor()
      await waitForFocusOn(page, /^SUMMARY/)
      assert.not.match(await page.content(), /sk-kept/)
      assert.equal(complaints, [])
    })
  })
})

test('shows the profile of the last answer of a Mind, and changes it', async () => {
  await withDaemon(async ({ url }) => {
    const her = await wake(url, 'Mira', { thinking_model: 'qwen3:4b' })
    await post(url, `/api/persona/${her.id}/read?wait=20`, { message: 'Hello.' })
    const readProfile = async () => (await loadDiagnosis(url, her.id)).organs.thinking.profile
    await pollAssert.is(readProfile, 'compact')
    await withPage(url + settingsPath(her, 'organs'), async ({ page, complaints }) => {
      const mind = page.locator('.organ-fold', { hasText: 'Model' }).first()
      await mind.getByText('Last answer: compact tools and instructions.').waitFor()
      await mind.locator('summary').click()
      const profile = mind.getByLabel('Tools and instructions')
      await pollAssert.is(() => profile.inputValue(), 'auto')
      await profile.selectOption('Full')
      await shoot(page, 'profile')
      await mind.getByRole('button', { name: 'Change' }).click()
      await mind.getByText('Changed.').waitFor()
      await pollAssert.is(() => profile.inputValue(), 'full')
      await post(url, `/api/persona/${her.id}/read?wait=20`, { message: 'And now?' })
      await pollAssert.is(readProfile, 'full')
      const turn = (await call(url, 'GET', `/api/persona/${her.id}/conversation`)).body.messages.at(-1).turn
      await page.goto(`${url}/persona/${her.id}/life?record=${turn}`)
      await page.getByText(/Step 1 · qwen3:4b · full tools and instructions/).waitFor()
      await shoot(page, 'turn')
      assert.equal(complaints, [])
    })
  })
})

test('shows why a model is refused, and keeps the input', async () => {
  const prepare: Models['prepare'] = async (_slot, { model }) => {
    if (model === 'nonsense') throw new ModelError('The provider knows no model `nonsense`.')
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
        const teacher = page.locator('.organ-fold', { hasText: 'Advice' })
        await teacher.locator('summary').click()
        await teacher.getByLabel('Where it runs').selectOption('anthropic')
        await teacher.getByLabel('Key').fill('sk-mine')
        await teacher.getByLabel('Model', { exact: true }).fill('nonsense')
        await teacher.getByRole('button', { name: 'Add' }).click()
        await teacher.getByRole('alert').getByText('The provider knows no model').waitFor()
        await pollAssert.is(() => teacher.getByLabel('Key').inputValue(), 'sk-mine')
        await pollAssert.is(() => teacher.getByLabel('Model', { exact: true }).inputValue(), 'nonsense')
        await waitForFocusOn(page, /^BUTTON/)
        assert.equal(own(complaints), [])
      })
    },
    { models: { ...createTalker(), prepare } },
  )
})

const colourScript = `getComputedStyle(document.documentElement).backgroundColor`

test('applies the theme in every tab, before the page is painted', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona, 'appearance'), async ({ page, tab, complaints }) => {
      const otherPage = await tab('/')
      const light = await page.evaluate(colourScript)
      await pollAssert.ok(() => page.getByLabel('As the system').isChecked())
      await page.getByLabel('Dark', { exact: true }).check()
      const dark = await page.evaluate(colourScript)
      assert.is.not(dark, light)
      await waitFor('the other tab to follow', async () => (await otherPage.evaluate(colourScript)) === dark)
      await page.reload()
      await pollAssert.is(() => page.evaluate(colourScript), dark)
      await pollAssert.ok(() => page.getByLabel('Dark', { exact: true }).isChecked())
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.getByLabel('Light', { exact: true }).check()
      await pollAssert.is(() => page.evaluate(colourScript), light)
      await page.getByLabel('As the system').check()
      await pollAssert.is(() => page.evaluate(colourScript), dark)
      assert.equal(complaints, [])
    })
  })
})

test('changes the language and returns to the same section', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona, 'appearance'), async ({ page, complaints }) => {
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('heading', { name: 'Aussehen' }).waitFor()
      await pollAssert.is(() => page.evaluate('document.documentElement.lang'), 'de')
      assert.is(page.url(), `${url}/settings#appearance`)
      await waitForFocusOn(page, /^H2 appearance/)
      await page.getByLabel('Sprache').selectOption('')
      await page.getByRole('heading', { name: 'Appearance' }).waitFor()
      assert.equal(complaints, [])
    })
  })
})

test('receives push notifications while the page is closed, if turned on', async () => {
  const service = await openPushService()
  try {
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, 'Mira')
        await withPage(
          'about:blank',
          async ({ page, complaints }) => {
            const { subscribed, answers } = await standInForPush(page, service)
            await page.goto(url + settingsPath(persona, 'appearance'))
            const section = page.getByRole('group', { name: 'While the page is closed' })
            const press = (name: string) => section.getByRole('button', { name, exact: true }).click()
            const waitForText = (text: string) => section.getByText(text, { exact: true }).waitFor()
            const tryPush = async () => {
              const endpoint = subscribed[0]?.subscription.endpoint
              return (await call(url, 'POST', '/api/push/try', { endpoint })).status
            }

            await section.getByRole('button', { name: 'Turn on' }).waitFor()
            await answers('default')
            await press('Turn on')
            await section.getByRole('alert').getByText('closed without an answer').waitFor()
            await waitForFocusOn(page, /Turn on$/)
            assert.is(subscribed.length, 0)

            await answers('granted')
            await press('Turn on')
            await waitForText('Notifications are on.')
            await waitForFocusOn(page, /Turn off$/)
            await pollAssert.equal(() => barriers(page), [])
            const { listMessages, worker, deliver } = await pushedWorker(page)
            await press('Try it')
            await waitForText('Sent. It should be here within seconds.')
            assert.equal([subscribed.length, service.wrong], [1, []])
            assert.equal(
              service.pushedMessages.map(({ payload }) => payload),
              [{ kind: 'trial' }],
            )
            await deliver(service.pushedMessages[0]?.payload)
            await pollAssert.equal(listMessages, ['Daimon: It works: notifications look like this.'])
            const hers = { persona: persona.id, name: 'Mira', record: 98 }
            await deliver({ kind: 'said', ...hers, words: 'I hear you.' })
            await pollAssert.is(async () => (await listMessages()).at(-1), 'Mira: I hear you.')
            await deliver({ kind: 'asks', ...hers, record: 99, server: 'post', tool: 'send' })
            await pollAssert.is(
              async () => (await listMessages()).at(-1),
              'Mira: Mira asks to use send of post.',
            )

            // A pressed notification opens the talk without a reload. An open talk gets no notification.
            await page.evaluate(`window.same = true
            window.told = []
            navigator.serviceWorker.addEventListener('message', ({ data }) => told.push(data))`)
            const message = JSON.stringify({ talk: persona.id })
            await worker.evaluate(`clients.matchAll().then(([open]) => open.postMessage(${message}))`)
            await page.getByRole('textbox', { name: 'Write to Mira' }).waitFor()
            assert.is(await page.evaluate('window.same'), true)
            await deliver({ kind: 'said', ...hers, record: 100, words: 'You see this.' })
            await deliver({ kind: 'said', persona: 'another', name: 'Ada', record: 9, words: 'Not this.' })
            await pollAssert.is(async () => (await listMessages()).at(-1), 'Ada: Not this.')
            assert.not.ok((await listMessages()).some((text) => text.endsWith('You see this.')))
            await page.getByRole('link', { name: 'Settings of Daimon' }).click()
            await deliver({ kind: 'said', ...hers, record: 101, words: 'Nor this.' })
            await pollAssert.is(async () => (await listMessages()).at(-1), 'Mira: Nor this.')
            // A page of an older build navigates on any message.
            assert.equal(await page.evaluate('told'), [{ talk: persona.id }])
            assert.is(await tryPush(), 200)
            await press('Turn off')
            await waitForText('Notifications are off.')
            await waitForFocusOn(page, /Turn on$/)
            assert.is(await tryPush(), 404)

            await answers('denied')
            await press('Turn on')
            const no =
              'This browser does not allow notifications of this page. Only its own settings change that.'
            await waitForText(no)
            await waitForFocusOn(page, /^FIELDSET/)
            await pollAssert.is(() => section.getByRole('button').count(), 0)
            const reopen = async () => {
              await page.getByRole('link', { name: 'Mira, active' }).click()
              await page.getByRole('link', { name: 'Settings of Daimon' }).click()
            }
            await reopen()
            await waitForText(no)
            await page.evaluate('delete window.PushManager')
            await reopen()
            await section.getByText('This browser cannot notify you').waitFor()
            await pollAssert.is(() => section.getByRole('button').count(), 0)
            assert.equal(own(complaints), [])
          },
          { serviceWorkers: 'allow', permissions: ['notifications'] },
        )
      },
      { reach: pushReach },
    )
  } finally {
    await service.close()
  }
})

test('gives each section an address that survives a reload', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
      const list = page.getByRole('navigation', { name: 'Settings of Mira' })
      await list.getByRole('link', { name: 'Backup' }).click()
      await waitForFocusOn(page, /^H2 backup/)
      await list.getByRole('link', { name: 'Delete' }).click()
      await page.goBack()
      assert.match(page.url(), /#backup$/)
      await page.reload()
      await page.getByRole('heading', { name: 'Backup' }).waitFor()
      await waitForFocusOn(page, /^H2 backup/)
      assert.equal(complaints, [])
    })
  })
})

// Verified to fail without a second scroll: the sections above grow when their data has loaded.
test('shows the section in the address at the top, after slow sections above it have loaded', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage('about:blank', async ({ page }) => {
      await page.route(/\/(diagnose|tools|skills|local-models)$/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 600))
        await route.continue()
      })
      await page.goto(url + settingsPath(persona, 'import'))
      await page.getByText('Add a channel').waitFor()
      await waitForFocusOn(page, /^H2 import/)
      const isAtTop = () =>
        page.evaluate<boolean>(`(() => {
          const room = document.querySelector('.room-body').getBoundingClientRect()
          const { top } = document.getElementById('import').getBoundingClientRect()
          return top >= room.top && top < room.top + 120
        })()`)
      await pollAssert.ok(isAtTop)
      await page.waitForTimeout(800)
      assert.ok(await isAtTop())
    })
  })
})

test('explains what a deletion keeps, and deletes the diaries if requested', async () => {
  await withDaemon(async ({ url, home }) => {
    const persona = await wake(url, 'Mira')
    const max = await wake(url, 'Max')
    await withPage(url + settingsPath(persona, 'delete'), async ({ page, complaints }) => {
      const remove = async (name: string) => {
        await page.getByRole('button', { name: 'Delete…' }).click()
        await page.getByText('The last backup file, for 30 days').waitFor()
        await page.getByLabel(`Type “${name}” to continue`).fill(name)
      }
      await remove('Mira')
      await page.keyboard.press('Escape')
      await waitForFocusOn(page, /Delete…$/)
      await remove('Mira')
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('Mira is no longer here.').waitFor()
      await waitForFocus(page)

      await page.goto(url + settingsPath(max))
      await remove('Max')
      await page.getByLabel('Remove the backup files here, too').check()
      await pollAssert.is(() => page.getByText('The last backup file, for 30 days').count(), 0)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('Max is no longer here.').waitFor()
      // Every tab is notified before the last file is deleted.
      await waitFor('the diaries to go', () => !existsSync(join(home, 'diaries', max.id)))
      assert.ok(existsSync(join(home, 'diaries', persona.id)))
      // Requests during the deletion fail, which is expected.
      assert.equal(own(complaints), [])
    })
  })
})

test('reports an unreachable runtime, and deletes anyway on a second request', async () => {
  const unwrap = async () => {
    throw new ModelError('The runtime cannot be reached.')
  }
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira', { thinking_model: 'llama' })
      await withPage(url + settingsPath(persona), async ({ page, complaints }) => {
        await page.getByRole('button', { name: 'Delete…' }).click()
        await page.getByLabel('Type “Mira” to continue').fill('Mira')
        await page.getByRole('button', { name: 'Delete permanently' }).click()
        await page.getByRole('alert').getByText('The runtime cannot be reached.').waitFor()
        await page.getByLabel('Delete anyway').check()
        await page.getByRole('button', { name: 'Delete permanently' }).click()
        await page.getByText('Mira is no longer here.').waitFor()
        assert.equal(own(complaints), [])
      })
    },
    { models: { ...createTalker(), unwrap } },
  )
})

test('is accessible in the light and dark theme and on a phone, with all forms open', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira', { eye_model: 'gpt-4o', eye_provider: 'openai' })
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1200, 360]) {
        const look = { colorScheme, viewport: { width, height: 800 } }
        await withPage(
          url + settingsPath(persona),
          async ({ page, complaints }) => {
            await page.getByText('Last backup file here').waitFor()
            // Twice: an opened form contains another disclosure.
            for (const _ of [1, 2])
              await page.evaluate(
                `for (const fold of document.querySelectorAll('main details')) fold.open = true`,
              )
            await page.getByLabel('Key').first().waitFor()
            await page.getByLabel('Token of the bot').waitFor()
            await pollAssert.equal(() => barriers(page), [], `${colorScheme} ${width}`)
            const wide = await page.evaluate(
              `[document.documentElement, document.querySelector('.room-body')].map((one) => one.scrollWidth - one.clientWidth)`,
            )
            assert.equal(wide, [0, 0], `${colorScheme} ${width}`)
            await page.getByRole('button', { name: 'Delete…' }).click()
            await pollAssert.equal(() => barriers(page), [], `the dialog, ${colorScheme} ${width}`)
            assert.equal(complaints, [])
          },
          look,
        )
      }
    }
  })
})

test.run()
