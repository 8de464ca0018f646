/** Runs axe on a page: all rules in the light theme, and the colour rules in the dark theme, too. */
import type { Page } from 'playwright-core'
import { barriers } from './axe.ts'

export const seriousOn = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const [colorScheme, looked] of [
    ['light', {}],
    ['dark', { only: ['color-contrast'] }],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await barriers(page, looked)).map((words) => `${colorScheme} ${words}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
