/** The texts about new personas and who they are, which are loaded on demand. */
import { isolating } from './isolated.ts'
import { language } from './strings.ts'
import type { WelcomeStrings } from './welcome-en.ts'

const { text } = await (language === 'de' ? import('./welcome-de.ts') : import('./welcome-en.ts'))

export const words: WelcomeStrings = isolating(text)
