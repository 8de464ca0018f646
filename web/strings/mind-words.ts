/** The texts about the model that answers, and about its voice. They are loaded on demand. */
import { isolating } from './isolated.ts'
import type { MindStrings } from './mind-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./mind-de.ts') : import('./mind-en.ts'))

export const mindText: MindStrings = isolating(text)
