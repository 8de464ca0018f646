/** The theme: light, dark or the system's. All tabs of this browser share it. */
import { readStorage, writeStorage } from './local-storage.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const toTheme = (name: string): Theme => themes.find((theme) => theme === name) ?? 'system'

export const theme = (): Theme => toTheme(readStorage('theme', 'page'))

/** Sets no attribute if the system decides. */
const apply = (): void => {
  const currentTheme = theme()
  if (currentTheme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = currentTheme
  // The colour that a phone paints around the page. By default it follows the system's theme.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.dataset.media ??= meta.media
    const isOwn = meta.dataset.media.includes(currentTheme)
    meta.media = currentTheme === 'system' ? meta.dataset.media : isOwn ? 'all' : 'not all'
  }
}

export const choose = (next: Theme): void => {
  writeStorage('theme', 'page', next === 'system' ? '' : next)
  apply()
}

/** Calls the listener when another tab changes the theme, until the returned function is called. */
export const watchTheme = (listener: () => void): (() => void) => {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

apply()
watchTheme(apply)
