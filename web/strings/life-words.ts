/** The texts about a persona's life, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { LifeStrings } from './life-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./life-de.ts') : import('./life-en.ts'))

export const lifeText: LifeStrings = isolating(text)
