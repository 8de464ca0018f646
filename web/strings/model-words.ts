/** The texts about models on this machine, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { ModelStrings } from './models-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./models-de.ts') : import('./models-en.ts'))

export const words: ModelStrings = isolating(text)

/** `speed`: tokens per second. */
export const formatTest = (result: keyof ModelStrings['tested'], speed: number | null): string =>
  speed === null ? words.tested[result] : `${words.tested[result]} ${words.speed(speed)}`
