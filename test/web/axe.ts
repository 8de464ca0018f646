/** What axe-core finds on a page that keeps somebody from using it. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { until } from '../calls.ts'

/** Serious and critical findings, each with where it is. */
export const barriers = async (page: Page, without: readonly string[] = []): Promise<readonly string[]> => {
  const { violations } = await new AxeBuilder({ page }).disableRules([...without]).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Without what the browser itself says of an answer that was meant to fail. */
export const own = (complaints: readonly string[]): readonly string[] =>
  complaints.filter((words) => !/the server responded with a status of 4\d\d/.test(words))

/** The element that has the keyboard: its tag and its words. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `(({ activeElement: at }) => at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.id ?? '') + ' ' + (at.innerText ?? '').trim().split('\\n')[0])(document)`,
  )

/** What has the keyboard may only come with the next view: no press of Tab begins at the top of the page. */
export const holdsKeyboard = (page: Page): Promise<unknown> =>
  until('the keyboard to be somewhere', () =>
    page.evaluate<boolean>(`document.activeElement !== document.body`),
  )

/** The same, and it is this: as `focused` tells it. */
export const hasKeyboard = (page: Page, words: RegExp): Promise<unknown> =>
  until(`the keyboard at ${words}`, async () => words.test(await focused(page)))
