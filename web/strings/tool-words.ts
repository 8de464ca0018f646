/** The texts about tools of servers, which are loaded on demand. */
import { isolating } from './isolated.ts'
import { language } from './strings.ts'
import type { text as english } from './tools-en.ts'

export type ToolStrings = typeof english

const { text } = await (language === 'de' ? import('./tools-de.ts') : import('./tools-en.ts'))

export const words: ToolStrings = isolating(text)
