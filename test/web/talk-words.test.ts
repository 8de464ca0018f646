/** Words of the persona with their marks: what they become, and what they never do. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../calls.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { hears, say, wake, withDaemon } from './setup.ts'
import { soon } from './soon.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const code = '```python\ndef water(n):\n    return "well" # slowly\n```'
const marks = `# Ferns\n\nThey like **shade**, see [this](https://example.org/ferns "why").\n\n- one\n- two\n\n| Plant | Light |\n|---|---|\n| Boston | half |\n\n${code}\n\n> quoted\n\nthe end`

const saysOnce = (words: string) => {
  let said = false
  const answer = () => {
    const now = said ? 'I hear you.' : words
    said = true
    return now
  }
  return { models: createTalker({ answer }) }
}
const words = (page: Page) => page.locator('[role=log] .hers .words')

test('marks become headings, lists, tables, links and code with colours that can be copied', async () => {
  await withDaemon(async ({ url }) => {
    const her = await wake(url, 'Mira')
    await withPage(
      url + her.room,
      async ({ page, complaints, origins }) => {
        await say(page, '**mine** stays as `typed`')
        await hears(page, '**mine** stays as `typed`')
        await words(page).getByRole('heading', { name: 'Ferns' }).waitFor()
        await soon.equal(() => words(page).locator('li').allTextContents(), ['one', 'two'])
        await soon.equal(() => words(page).locator('td').allTextContents(), ['Boston', 'half'])
        await soon.is(() => words(page).locator('strong').innerText(), 'shade')
        const link = words(page).getByRole('link')
        await soon.equal(
          () => Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
          ['https://example.org/ferns', '_blank', 'noopener noreferrer'],
        )
        await words(page).locator('.hljs-keyword').first().waitFor()
        await soon.is(
          () => words(page).locator('pre').innerText(),
          'def water(n):\n    return "well" # slowly',
        )
        await words(page).getByRole('button', { name: 'Copy this code' }).click()
        await page.getByText('Copied.').waitFor()
        await soon.is(
          () => page.evaluate('navigator.clipboard.readText()'),
          'def water(n):\n    return "well" # slowly',
        )
        assert.equal([...origins], [url])
        assert.equal(complaints, [])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  }, saysOnce(marks))
})

// Seen failing without the cleaning, and with tags that are taken as they come.
test('hostile words run nothing, load nothing, and look like no part of the page', async () => {
  const hostile = [
    '<script>window.ran = 1</script> <img src="https://evil.example/a.png" onerror="window.ran = 2">',
    '![seen](https://evil.example/b.png) [click](javascript:window.ran=3) [data](data:text/html,x) [in](/persona/new)',
    '<svg onload="window.ran=4"><a href="javascript:window.ran=5">x</a></svg>',
    '<style>body{display:none}</style><div style="position:fixed;inset:0">over</div>',
    '<iframe src="https://evil.example"></iframe><form action="https://evil.example"><input name="key"></form>',
    '<a href="https://evil.example" class="main" data-inside>looks</a> <details open ontoggle="window.ran=6">',
    '[![x](https://evil.example/c.png)](https://example.org/d) \u202egnihton\u202c `\u2066code`',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.ran=7&gt;">',
    '~~~"><img src=x onerror=window.ran=8>\ncode\n~~~',
  ].join('\n\n')
  await withDaemon(async ({ url }) => {
    const her = await wake(url, 'Mira')
    await withPage(url + her.room, async ({ page, complaints, origins }) => {
      await say(page, 'Be evil')
      await words(page).getByText('window.ran = 1').waitFor()
      await page.waitForTimeout(300)
      await soon.is(() => page.evaluate('window.ran'), undefined)
      await soon.is(
        () =>
          words(page)
            .locator(
              'img, svg, script, style, iframe, form, input, math, details, [style], [onload], [data-inside], .main',
            )
            .count(),
        0,
      )
      const hrefs = await words(page)
        .locator('a')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
      assert.ok(
        hrefs.every((href) => href === null || /^https:/.test(href)),
        String(hrefs),
      )
      assert.equal([...origins], [url])
      assert.equal(complaints, [])
    })
  }, saysOnce(hostile))
})

// Seen failing where all is drawn anew with each word.
test('words that grow leave alone what stands, and are the same once they are said', async () => {
  const models = createTalker({
    answer: () => `first block **bold**\n\n- a\n- b\n\n${'and so on '.repeat(12)}`,
    pause: 120,
  })
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await withPage(url + her.room, async ({ page, complaints }) => {
        await say(page, 'Talk')
        await page.locator('.thought strong').waitFor()
        await page.locator('.thought li').nth(1).waitFor()
        await page.evaluate(`window.first = document.querySelector('.thought p')`)
        await page.locator('.thought').getByText('and so on and so on').waitFor()
        await soon.ok(() =>
          page.evaluate(`first.isConnected && first === document.querySelector('.thought p')`),
        )
        await words(page).getByText('and so on and so on').waitFor()
        await soon.is(() => page.locator('.thought').count(), 0)
        await soon.equal(() => words(page).locator('li').allTextContents(), ['a', 'b'])
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test('a million letters on one line hang nothing, while they come and once they are there', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await withPage(url + her.room, async ({ page, complaints }) => {
        await page.evaluate(`window.longest = 0
          new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }).observe({ entryTypes: ['longtask'] })`)
        await say(page, 'Shout')
        await words(page).waitFor()
        await soon.ok(async () => (await words(page).innerText()).length < 25_000)
        await soon.is(() => page.locator('.thought').count(), 0)
        const all = page.getByRole('button', { name: 'Show all of it' })
        await until('all of it', async () => {
          // How the turn ended is still put below it: who misses what moves presses again.
          if ((await all.count()) > 0) await all.click()
          return ((await words(page).textContent()) ?? '').length >= 100_000
        })
        await say(page, 'still here')
        await hears(page, 'still here')
        const longest = await page.evaluate<number>('longest')
        console.log(`· longest task of a line of a million letters | ${Math.round(longest)} ms`)
        assert.ok(longest < 2_000, `${longest} ms`)
        assert.equal(complaints, [])
      })
    },
    saysOnce('x'.repeat(1_000_000)),
  )
})

// Seen failing where what cannot be read as marks is thrown.
test('marks without an end are shown as they are', async () => {
  for (const sign of ['> ', '[', '*_', '- ', '`', '| ', '<b>'])
    await withDaemon(
      async ({ url }) => {
        const her = await wake(url, 'Mira')
        await withPage(url + her.room, async ({ page, complaints }) => {
          await say(page, 'Nest')
          await words(page).waitFor()
          await say(page, 'still here')
          await hears(page, 'still here')
          assert.equal(complaints, [], sign)
        })
      },
      // With a space in it, each is a word that comes by itself.
      saysOnce(`${sign.repeat(sign.includes(' ') ? 1_500 : 10_000)}end`),
    )
})

// Seen failing where the dots take a line of their own: a press in that moment hit nothing.
test('that it thinks moves nothing of what is read', async () => {
  await withDaemon(
    async ({ url }) => {
      const her = await wake(url, 'Mira')
      await withPage(
        url + her.room,
        async ({ page }) => {
          await say(page, 'A long letter\n'.repeat(50))
          await page.locator('.thinking i').first().waitFor()
          const heights = await page.evaluate<readonly number[]>(`(() => {
            const dots = document.querySelector('.thinking')
            const height = () => document.querySelector('.scroller').scrollHeight
            const shown = height()
            dots.style.display = 'none'
            return [shown, height()]
          })()`)
          assert.is(heights[0], heights[1])
        },
        { viewport: { width: 360, height: 740 } },
      )
    },
    // Its first word never comes.
    { models: createTalker({ pause: 600_000 }) },
  )
})

test('the talk is fit for all who read it otherwise, in light, dark, on a phone', async () => {
  await withDaemon(async ({ url }) => {
    const her = await wake(url, 'Mira')
    for (const options of [{}, { colorScheme: 'dark' }, { viewport: { width: 360, height: 740 } }] as const)
      await withPage(
        url + her.room,
        async ({ page }) => {
          if (Object.keys(options).length === 0) await say(page, 'Tell me')
          await words(page).locator('.code').waitFor()
          await words(page).locator('.hljs-keyword').first().waitFor()
          await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
          // By keyboard: where it stands may change between a press of the mouse and its release.
          await page.locator('.story summary').last().press('Enter')
          await page.locator('.story dl').waitFor()
          await soon.equal(() => barriers(page), [])
          await page.locator('[role=log] .more').first().focus()
          await page.keyboard.press('Enter')
          await page.getByRole('menuitem').first().waitFor()
          await soon.equal(() => barriers(page), [])
        },
        options,
      )
  }, saysOnce(marks))
})

test.run()
