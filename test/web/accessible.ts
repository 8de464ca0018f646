/** Runs axe on a page: all rules in the light theme, and the colour rules in the dark theme, too. */
import type { Page } from 'playwright-core'
import { barriers } from './axe.ts'

export const seriousOn = async (page: Page): Promise<readonly string[]> => {
  const findings: string[] = []
  for (const [colorScheme, rules] of [
    ['light', {}],
    ['dark', { onlyRules: ['color-contrast'] }],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    findings.push(...(await barriers(page, rules)).map((barrier) => `${colorScheme} ${barrier}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return findings
}
