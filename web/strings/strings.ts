/** The texts of the page in the chosen language, else in the browser's, else in English. */
import { readStorage } from '../shared/local-storage.ts'
import { text as english, type Strings } from './en.ts'
import { isolating } from './isolated.ts'

/** The name of each language in that language. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code)

const chosenLanguage = readStorage('language', 'page')
const browserLanguage = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage)

export const language: Language = isLanguage(chosenLanguage) ? chosenLanguage : (browserLanguage ?? 'en')

/** The language is chosen on load, so a change reloads the page. */
export const text: Strings = isolating(language === 'de' ? (await import('./de.ts')).text : english)
