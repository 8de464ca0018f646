/** The texts about messages that a persona writes by itself, which are loaded on demand. */

import type { InitiativeStrings } from './initiative-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./initiative-de.ts') : import('./initiative-en.ts'))

export const initiativeText: InitiativeStrings = isolating(text)
