/** The texts about a character, which are loaded on demand. */

import type { CharacterStrings } from './character-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./character-de.ts') : import('./character-en.ts'))

export const characterText: CharacterStrings = isolating(text)
