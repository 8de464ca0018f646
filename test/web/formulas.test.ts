/** Formulas in messages of the persona: detection, safety, and streaming. */
import type { Page } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readFormula } from '../../web/talk/formula-syntax.ts'
import { barriers } from './axe.ts'
import { closeBrowser, type Visit, withPage } from './browser.ts'
import { pollAssert } from './poll-assert.ts'
import { say, wake, withDaemon } from './setup.ts'
import { createTalker, type Talker } from './talker.ts'

test.after(closeBrowser)

const getReply = (page: Page) => page.locator('[role=log] .hers .words')

/** The tests have no types of the page. */
interface Box {
  readonly clientWidth: number
  readonly scrollWidth: number
}

/** Opens the talk and lets the persona answer. */
const withAnswer = async (talker: Talker, look: (visit: Visit) => Promise<void>) => {
  await withDaemon(
    async ({ url }) => {
      const persona = await wake(url, 'Mira')
      await withPage(url + persona.room, async (visit) => {
        await say(visit.page, 'Explain')
        await look(visit)
        assert.equal(visit.complaints, [])
        assert.equal([...visit.origins], [url])
      })
    },
    { models: createTalker(talker) },
  )
}

test('finds a formula by its delimiters', () => {
  for (const [text, formula] of [
    ['$x$ is', '$x$'],
    ['$E = mc^2$, so', '$E = mc^2$'],
    ['$\\text{if } x \\text{ is even}$', '$\\text{if } x \\text{ is even}$'],
    ['$a\\$b$', '$a\\$b$'],
    ['$$\nx\n$$', '$$\nx\n$$'],
    ['\\(x\\)', '\\(x\\)'],
    ['\\[ x = 1 \\] or', '\\[ x = 1 \\]'],
  ])
    assert.is(readFormula(text ?? ''), formula)
})

test('does not take prices, variables, code and escaped brackets for formulas', () => {
  for (const text of [
    '$5 and $6',
    '$5/$6',
    '$5–$10',
    '$5 or 6$',
    '$20 is more than 10$.',
    '$HOME and $PATH',
    '$HOME:$PATH',
    '$ x $',
    '$a `b$`',
    '$x\n\ny$',
    '$$ and $$ and',
    '$$$ fast $$$',
    '\\[note\\]',
    '\\[1\\]',
    '\\[see the note\\]',
    '\\(as it was\\)',
    '$x + 1',
    `$${'x'.repeat(3_000)}$`,
  ])
    assert.is(readFormula(text), null, text)
})

const marks = [
  'Einstein: $E = mc^2$, *and* \\(a_1 * b_1 * c_1\\). It costs $5 and $6, or `$x$`.',
  '$$\n\\begin{pmatrix}\n1 & 2 \\\\\n- 3 & 4\n\\end{pmatrix}\n$$',
  '\\[\n\\sum_{i=1}^n i\n\\]',
  '- in a list:\n  $$\n  y = x\n  $$',
  `$$${'a + '.repeat(120)}b = 0$$`,
  '```tex\n$$z$$\n```',
  'Wrong: $\\frac{1}{$ and $\\nonsense{x}$',
].join('\n\n')

test('typesets formulas as MathML, and leaves code, prices and invalid formulas as they are', async () => {
  await withAnswer({ answer: () => marks }, async ({ page }) => {
    await pollAssert.is(() => getReply(page).locator('math').count(), 6)
    const first = getReply(page).locator('p').first()
    await pollAssert.is(
      () => first.textContent(),
      'Einstein: E=mc2, and a1∗b1∗c1. It costs $5 and $6, or $x$.',
    )
    await pollAssert.equal(() => first.locator('em').allInnerTexts(), ['and'])
    await pollAssert.equal(() => getReply(page).locator('math[display=block]').count(), 4)
    await pollAssert.is(() => getReply(page).locator('mtable mtd').count(), 4)
    await pollAssert.is(() => getReply(page).locator('li math').count(), 1)
    await pollAssert.is(() => getReply(page).locator('pre').innerText(), '$$z$$')
    await pollAssert.match(
      () => getReply(page).locator('p').last().innerText(),
      /^Wrong: \$\\frac\{1\}\{\$ and \$\\nonsense\{x\}\$$/,
    )
    // A long formula scrolls inside the message.
    await page.setViewportSize({ width: 360, height: 740 })
    const long = getReply(page).locator('.formula.display').last()
    await pollAssert.ok(() => long.evaluate((node) => (node as unknown as Box).scrollWidth > 1_000))
    await pollAssert.ok(() => long.evaluate((node) => (node as unknown as Box).clientWidth < 360))
    await pollAssert.ok(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await pollAssert.equal(() => barriers(page), [])
  })
})

// Verified to fail if the result of the library is not sanitized.
test('ignores links, colours, ids and positions in formulas', async () => {
  const hostile = [
    '$\\href{javascript:window.ran=1}{x}$',
    '$\\includegraphics{https://evil.example/a.png}$',
    '$\\class{main}{x} \\id{room}{y}$',
    '$$\\label{room} x \\tag{1} \\ref{room}$$',
    '$$\\color{white} a \\colorbox{black}{b} \\rule{900em}{900em}$$',
    '$$\\raisebox{900pt}{up} \\kern{-900em} \\smash{x} \\llap{left}$$',
    '$\\text{<img src=x onerror=window.ran=2>}$',
    '$\\def\\a{\\a\\a}\\a$',
    '$\\url{https://evil.example} \\data{inside=1}{x} \\style{position:fixed}{y}$',
  ].join('\n\n')
  await withAnswer({ answer: () => hostile }, async ({ page }) => {
    await getReply(page).locator('math').first().waitFor()
    await page.waitForTimeout(200)
    assert.is(await page.evaluate('window.ran'), undefined)
    const forbiddenElements =
      'math a, img, math [id], math [href], [mathbackground], [mathcolor], [voffset], mpadded[height], .main, [data-inside]'
    assert.is(await getReply(page).locator(forbiddenElements).count(), 0)
    const styles = await getReply(page)
      .locator('math [style]')
      .evaluateAll((all) => all.map((node) => node.getAttribute('style')))
    assert.not.match(String(styles), /color|position|margin|display|900|500/)
    // Nothing leaves its message.
    assert.ok(
      await page.evaluate(`[...document.querySelectorAll('.hers math')].every((math) => {
        const own = math.closest('.words').getBoundingClientRect()
        const { top, height } = math.getBoundingClientRect()
        return top >= own.top - 1 && height < 300
      })`),
    )
  })
})

test('shows a half formula as text while streaming, and typesets it when it is complete', async () => {
  const slowTalker = {
    answer: () => `first $x$ then $a ${'+ b '.repeat(20)}+ c$ ${'and so on '.repeat(20)}`,
    pause: 120,
  }
  await withAnswer(slowTalker, async ({ page }) => {
    await page.locator('.thought').getByText('$a + b + b').waitFor()
    await pollAssert.is(() => page.locator('.thought math').count(), 2)
    await getReply(page).getByText('and so on and so on').waitFor()
    await pollAssert.is(() => page.locator('.thought').count(), 0)
    await pollAssert.is(() => getReply(page).locator('math').count(), 2)
  })
})

test('loads the library only for a message with a formula', async () => {
  const replies = ['It costs $5.', 'It is $x$.']
  await withAnswer({ answer: () => replies.shift() ?? '' }, async ({ page }) => {
    const isLoaded = () =>
      page.evaluate<boolean>(
        `performance.getEntriesByType('resource').some(({ name }) => name.includes('draw-formula'))`,
      )
    await getReply(page).getByText('It costs $5.').waitFor()
    assert.not(await isLoaded())
    await say(page, 'Again')
    await getReply(page).locator('math').waitFor()
    assert.ok(await isLoaded())
  })
})

test.run()
