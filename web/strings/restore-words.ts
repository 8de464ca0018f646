/** The texts about recovery words and restoring a persona, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { RestoreStrings } from './restore-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./restore-de.ts') : import('./restore-en.ts'))

export const restoreText: RestoreStrings = isolating(text)
