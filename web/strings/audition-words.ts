/** The texts about trying a model before a switch. They are loaded on demand. */
import type { AuditionStrings } from './audition-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./audition-de.ts') : import('./audition-en.ts'))

export const auditionText: AuditionStrings = isolating(text)
