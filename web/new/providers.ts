/** The providers of each organ, and the pages where the user can get a key. */
import { type Provider, providers, type Slot } from '../shared/shapes.ts'

/** The practice model that is built into the daemon. */
export const practice = 'embedded/practice'

const withSound: readonly Provider[] = ['local', 'openai', 'gemini']

export const offeredProviders: Readonly<Record<Slot, readonly Provider[]>> = {
  thinking: providers,
  eye: providers,
  ear: withSound,
  mouth: withSound,
  imagination: ['local', 'openai', 'gemini', 'xai'],
  teacher: providers,
  researcher: providers,
}

export type Cloud = Exclude<Provider, 'local'>

export const keyPages: Readonly<Record<Cloud, string>> = {
  anthropic: 'https://console.anthropic.com/settings/keys',
  openai: 'https://platform.openai.com/api-keys',
  gemini: 'https://aistudio.google.com/apikey',
  xai: 'https://console.x.ai',
}
