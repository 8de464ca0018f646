/** The texts about a call, which are loaded on demand. */
import type { CallStrings } from './call-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./call-de.ts') : import('./call-en.ts'))

export const callText: CallStrings = isolating(text)
