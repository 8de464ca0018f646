/** What axe-core finds on a page that keeps somebody from using it. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

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
export const focused = (page: Page): Promise<string> =>
  page.evaluate(
    `(({ activeElement: at }) => at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.id ?? '') + ' ' + (at.innerText ?? '').trim().split('\\n')[0])(document)`,
  )
