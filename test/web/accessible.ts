/** What axe finds serious or critical on a page, in the light and in the dark. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

export const seriousOn = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await new AxeBuilder({ page }).analyze()
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        found.push(`${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

/** Whether the keyboard is on something. */
export const isFocused = (page: Page): Promise<boolean> =>
  page.evaluate('document.activeElement !== null && document.activeElement !== document.body')
