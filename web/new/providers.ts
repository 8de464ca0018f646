/** The providers of each organ, and the pages where the user can get a key. */
import type { Provider, Slot } from '../shared/shapes.ts'

/** The practice model that is built into the daemon. */
export const practice = 'embedded/practice'

const all: readonly Provider[] = ['local', 'anthropic', 'openai', 'gemini', 'xai']
const withSound: readonly Provider[] = ['local', 'openai', 'gemini']

export const offeredProviders: Readonly<Record<Slot, readonly Provider[]>> = {
  thinking: all,
  eye: all,
  ear: withSound,
  mouth: withSound,
  imagination: ['local', 'openai', 'gemini', 'xai'],
  teacher: all,
  researcher: all,
}

export type Cloud = Exclude<Provider, 'local'>

export const keyPages: Readonly<Record<Cloud, string>> = {
  anthropic: 'https://console.anthropic.com/settings/keys',
  openai: 'https://platform.openai.com/api-keys',
  gemini: 'https://aistudio.google.com/apikey',
  xai: 'https://console.x.ai',
}
