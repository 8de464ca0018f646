/** The texts about memory, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { MemoryStrings } from './memory-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./memory-de.ts') : import('./memory-en.ts'))

export const memoryText: MemoryStrings = isolating(text)
