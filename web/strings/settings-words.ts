/** The texts about the settings, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { SettingsStrings } from './settings-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./settings-de.ts') : import('./settings-en.ts'))

export const settingsText: SettingsStrings = isolating(text)
