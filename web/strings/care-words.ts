/** The texts about the help in danger, which are loaded on demand. */
import type { CareStrings } from './care-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./care-de.ts') : import('./care-en.ts'))

export const careText: CareStrings = isolating(text)
