/** The texts about a new persona and its organs, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { NewStrings } from './new-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./new-de.ts') : import('./new-en.ts'))

export const newText: NewStrings = isolating(text)
