/** What axe finds serious or critical on a page, in the light and in the dark. */
import type { Page } from 'playwright-core'
import { barriers } from './axe.ts'

export const seriousOn = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    found.push(...(await barriers(page)).map((words) => `${colorScheme} ${words}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}
