/** The texts about old chats, which are loaded on demand. */

import type { ImportStrings } from './import-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./import-de.ts') : import('./import-en.ts'))

export const importText: ImportStrings = isolating(text)
