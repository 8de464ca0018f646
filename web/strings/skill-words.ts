/** The texts about skills, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { SkillStrings } from './skills-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./skills-de.ts') : import('./skills-en.ts'))

export const words: SkillStrings = isolating(text)
