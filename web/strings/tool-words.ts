/** The texts about tools of servers, which are loaded on demand. */
import { isolating } from './isolated.ts'
import { language } from './strings.ts'
import type { ToolStrings } from './tools-en.ts'

const { text } = await (language === 'de' ? import('./tools-de.ts') : import('./tools-en.ts'))

export const words: ToolStrings = isolating(text)
