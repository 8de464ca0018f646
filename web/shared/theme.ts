/** Light, dark, or as the system has it; the same in every tab of this browser. */
import { keep, kept } from './keep.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeOf = (name: string): Theme => themes.find((one) => one === name) ?? 'system'

export const theme = (): Theme => themeOf(kept('theme', 'page'))

/** Nothing on `html` where the system decides. */
const apply = (): void => {
  const now = theme()
  if (now === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = now
  // What a phone paints around the page: it knows the system's choice alone.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    meta.dataset.media ??= meta.media
    const own = meta.dataset.media.includes(now)
    meta.media = now === 'system' ? meta.dataset.media : own ? 'all' : 'not all'
  }
}

export const choose = (next: Theme): void => {
  keep('theme', 'page', next === 'system' ? '' : next)
  apply()
}

/** Until the returned function is called, it is told of what another tab chose. */
export const watchTheme = (listener: () => void): (() => void) => {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

apply()
watchTheme(apply)
