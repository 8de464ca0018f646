/** Markdown of the persona: correct rendering, and no side effects. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { barriers } from './axe.ts'
import { closeBrowser, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { post, say, waitForMessage, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

test.after(closeBrowser)

const code = '```python\ndef water(n):\n    return "well" # slowly\n```'
const marks = `# Ferns\n\nThey like **shade**, see [this](https://example.org/ferns "why").\n\n- one\n- two\n\n| Plant | Light |\n|---|---|\n| Boston | half |\n\n${code}\n\n> quoted\n\nthe end`

const createSingleReply = (text: string) => {
  let hasSaid = false
  const answer = () => {
    const reply = hasSaid ? 'I hear you.' : text
    hasSaid = true
    return reply
  }
  return { models: createTalker({ answer }) }
}
const getReplyText = (page: Page) => page.locator('[role=log] .hers .words')

test('renders Markdown: headings, lists, tables, links, and coloured code with a copy button', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(
      url + persona.room,
      async ({ page, complaints, origins }) => {
        await say(page, '**mine** stays as `typed`')
        await waitForMessage(page, '**mine** stays as `typed`')
        await getReplyText(page).getByRole('heading', { name: 'Ferns' }).waitFor()
        await pollAssert.equal(() => getReplyText(page).locator('li').allTextContents(), ['one', 'two'])
        await pollAssert.equal(() => getReplyText(page).locator('td').allTextContents(), ['Boston', 'half'])
        await pollAssert.is(() => getReplyText(page).locator('strong').innerText(), 'shade')
        const link = getReplyText(page).getByRole('link')
        await pollAssert.equal(
          () => Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
          ['https://example.org/ferns', '_blank', 'noopener noreferrer'],
        )
        await getReplyText(page).locator('.hljs-keyword').first().waitFor()
        await pollAssert.is(
          () => getReplyText(page).locator('pre').innerText(),
          'def water(n):\n    return "well" # slowly',
        )
        await getReplyText(page).getByRole('button', { name: 'Copy this code' }).click()
        await page.getByText('Copied.').waitFor()
        await pollAssert.is(
          () => page.evaluate('navigator.clipboard.readText()'),
          'def water(n):\n    return "well" # slowly',
        )
        assert.equal([...origins], [url])
        assert.equal(complaints, [])
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  }, createSingleReply(marks))
})

test('shows a loaded talk only once its Markdown can be rendered', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await post(url, `/api/persona/${persona.id}/read?wait=20`, { message: 'Ferns?' })
    await withPage(url, async ({ page }) => {
      let release = () => {}
      const whenReleased = new Promise<void>((resolve) => {
        release = resolve
      })
      let isAsked = false
      await page.route('**/assets/markdown-parser*', async (route) => {
        isAsked = true
        await whenReleased
        await route.continue()
      })
      await page.goto(url + persona.room)
      await waitFor('the request of the parser', () => isAsked)
      await page.waitForTimeout(300)
      assert.is(await getReplyText(page).count(), 0)
      release()
      await getReplyText(page).getByRole('heading', { name: 'Ferns' }).waitFor()
    })
  }, createSingleReply(marks))
})

test('renders a table of one column whose delimiter begins with a colon', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page }) => {
      await say(page, 'Names')
      await pollAssert.equal(() => getReplyText(page).locator('td').allTextContents(), ['Mia'])
    })
  }, createSingleReply('Name\n:---\nMia'))
})

// Verified to fail if the values of `start` and `align` have to look like addresses.
test('keeps the numbers of lists and the alignment of columns', async () => {
  const lists = [
    '1. one\n```js\nlet a\n```\n2. two\n```js\nlet b\n```\n3. three',
    'then',
    '7. seven\n8. eight',
    '| left | middle | right |\n|:--|:-:|--:|\n| a | b | 1 |',
    '[link](https://example.org "its title")',
  ].join('\n\n')
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints }) => {
      await say(page, 'Count')
      await getReplyText(page).locator('table').waitFor()
      const starts = getReplyText(page).locator('ol')
      await pollAssert.equal(
        () => starts.evaluateAll((all) => all.map((list) => (list as unknown as { start: number }).start)),
        [1, 2, 3, 7],
      )
      for (const cell of ['th', 'td'])
        await pollAssert.match(
          () =>
            page.evaluate<string>(
              `[...document.querySelectorAll('.hers ${cell}')].map((one) => getComputedStyle(one).textAlign).join(' ')`,
            ),
          /^(-webkit-)?left (-webkit-)?center (-webkit-)?right$/,
        )
      await pollAssert.is(
        () => getReplyText(page).locator('code').first().getAttribute('class'),
        'language-js',
      )
      await pollAssert.is(() => getReplyText(page).getByRole('link').getAttribute('title'), 'its title')
      assert.equal(complaints, [])
    })
  }, createSingleReply(lists))
})

// Verified to fail without sanitizing, and if HTML tags are rendered.
test('renders hostile text without scripts, remote content or imitations of the page', async () => {
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
    const persona = await wake(url, 'Mira')
    await withPage(url + persona.room, async ({ page, complaints, origins }) => {
      await say(page, 'Be evil')
      await getReplyText(page).getByText('window.ran = 1').waitFor()
      await page.waitForTimeout(300)
      await pollAssert.is(() => page.evaluate('window.ran'), undefined)
      await pollAssert.is(
        () =>
          getReplyText(page)
            .locator(
              'img, svg, script, style, iframe, form, input, math, details, [style], [onload], [data-inside], .main',
            )
            .count(),
        0,
      )
      const hrefs = await getReplyText(page)
        .locator('a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      assert.ok(
        hrefs.every((href) => href === null || /^https:/.test(href)),
        String(hrefs),
      )
      assert.equal([...origins], [url])
      assert.equal(complaints, [])
    })
  }, createSingleReply(hostile))
})

// Verified to fail if everything is rendered again for each chunk.
test('keeps complete blocks while streaming, and renders the same at the end', async () => {
  const models = createTalker({
    answer: () => `first block **bold**\n\n- a\n- b\n\n${'and so on '.repeat(12)}`,
    pause: 120,
  })
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await say(page, 'Talk')
        await page.locator('.thought strong').waitFor()
        await page.locator('.thought li').nth(1).waitFor()
        await page.evaluate(`window.first = document.querySelector('.thought p')`)
        await page.locator('.thought').getByText('and so on and so on').waitFor()
        await pollAssert.ok(() =>
          page.evaluate(`first.isConnected && first === document.querySelector('.thought p')`),
        )
        await getReplyText(page).getByText('and so on and so on').waitFor()
        await pollAssert.is(() => page.locator('.thought').count(), 0)
        await pollAssert.equal(() => getReplyText(page).locator('li').allTextContents(), ['a', 'b'])
        assert.equal(complaints, [])
      })
    },
    { models },
  )
})

test('stays responsive with a million letters on one line, during and after streaming', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async ({ page, complaints }) => {
        await page.evaluate(`window.longest = 0
          new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }).observe({ entryTypes: ['longtask'] })`)
        await say(page, 'Shout')
        await getReplyText(page).waitFor()
        await pollAssert.ok(async () => (await getReplyText(page).innerText()).length < 25_000)
        await pollAssert.is(() => page.locator('.thought').count(), 0)
        const all = page.getByRole('button', { name: 'Show all' })
        await waitFor('the whole text', async () => {
          // The end of the turn may be inserted at the same time, and move the button away from the press.
          if ((await all.count()) > 0) await all.click()
          return ((await getReplyText(page).textContent()) ?? '').length >= 100_000
        })
        await say(page, 'still here')
        await waitForMessage(page, 'still here')
        const longest = await page.evaluate<number>('longest')
        console.log(`· longest task of a line of a million letters | ${Math.round(longest)} ms`)
        assert.ok(longest < 2_000, `${longest} ms`)
        assert.equal(complaints, [])
      })
    },
    createSingleReply('x'.repeat(1_000_000)),
  )
})

// Verified to fail if text that is not valid Markdown throws.
test('shows unclosed Markdown as it is', async () => {
  for (const sign of ['> ', '[', '*_', '- ', '`', '| ', '<b>'])
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, 'Mira')
        await withPage(url + persona.room, async ({ page, complaints }) => {
          await say(page, 'Nest')
          await getReplyText(page).waitFor()
          await say(page, 'still here')
          await waitForMessage(page, 'still here')
          assert.equal(complaints, [], sign)
        })
      },
      // With a space in it, each part is a chunk of its own.
      createSingleReply(`${sign.repeat(sign.includes(' ') ? 1_500 : 10_000)}end`),
    )
})

// Verified to fail if the typing indicator takes a line of its own: a press at that moment hits nothing.
test('does not move the talk when the typing indicator appears', async () => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(
        url + persona.room,
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
    // The first chunk never arrives.
    { models: createTalker({ pause: 600_000 }) },
  )
})

test('is accessible in the light and dark theme and on a phone', async () => {
  await withDaemon(async ({ url }) => {
    const persona = await wake(url, 'Mira')
    for (const options of [{}, { colorScheme: 'dark' }, { viewport: { width: 360, height: 740 } }] as const)
      await withPage(
        url + persona.room,
        async ({ page }) => {
          if (Object.keys(options).length === 0) await say(page, 'Tell me')
          await getReplyText(page).locator('.code').waitFor()
          await getReplyText(page).locator('.hljs-keyword').first().waitFor()
          await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
          // By keyboard, because the element may move between press and release of the mouse.
          await page.getByRole('button', { name: 'Details' }).last().press('Enter')
          await page.locator('.story-body dl').waitFor()
          await pollAssert.equal(() => barriers(page), [])
          await page.locator('[role=log] .more').first().focus()
          await page.keyboard.press('Enter')
          await page.getByRole('menuitem').first().waitFor()
          await pollAssert.equal(() => barriers(page), [])
        },
        options,
      )
  }, createSingleReply(marks))
})

test.run()
