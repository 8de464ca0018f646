/** Runs axe-core on a page. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { waitFor } from '../calls.ts'

interface Finding {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

const impacts: readonly string[] = ['serious', 'critical']

let source: Promise<string> | undefined

/**
 * Returns the serious and critical findings with their elements; `moderate` adds those. Injects the library
 * once per page: its own driver opens a new page for every run.
 */
export const barriers = async (
  page: Page,
  {
    excludedRules = [],
    onlyRules,
    moderate = false,
  }: {
    readonly excludedRules?: readonly string[]
    readonly onlyRules?: readonly string[]
    readonly moderate?: boolean
  } = {},
): Promise<readonly string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    await page.evaluate(`${await source}; undefined`)
  }
  const rules = Object.fromEntries(excludedRules.map((rule) => [rule, { enabled: false }]))
  const options = JSON.stringify({
    resultTypes: ['violations'],
    rules,
    ...(onlyRules && { runOnly: onlyRules }),
  })
  const findings = await page.evaluate<readonly Finding[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
      ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`,
  )
  return findings
    .filter(({ impact }) => impacts.includes(impact) || (moderate && impact === 'moderate'))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** Removes the browser's own messages about responses that are meant to fail. */
export const own = (complaints: readonly string[]): readonly string[] =>
  complaints.filter((complaint) => !/the server responded with a status of 4\d\d/.test(complaint))

/** Returns tag and text of the focused element. */
const getFocused = (page: Page): Promise<string> =>
  page.evaluate(
    `(({ activeElement: at }) => at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.id ?? '') + ' ' + (at.innerText ?? '').trim().split('\\n')[0])(document)`,
  )

/** Waits until an element has the focus. It may only be rendered with the next view. */
export const waitForFocus = (page: Page): Promise<unknown> =>
  waitFor('the keyboard to be somewhere', () =>
    page.evaluate<boolean>('![null, document.body].includes(document.activeElement)'),
  )

/** Waits until the focused element matches, in the form of `focused`. */
export const waitForFocusOn = (page: Page, pattern: RegExp): Promise<unknown> =>
  waitFor(`the keyboard at ${pattern}`, async () => pattern.test(await getFocused(page)))
