/** The texts about health, which are loaded on demand. */

import type { HealthStrings } from './health-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./health-de.ts') : import('./health-en.ts'))

export const healthText: HealthStrings = isolating(text)
