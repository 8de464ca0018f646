/** The words of each language that the practice mind speaks. All rules share them. */
import { english, type Words } from './english/english-words.ts'
import { german } from './german/german-words.ts'
import type { Language } from './languages.ts'

export type { Words }

export const wordTables: Readonly<Record<Language, Words>> = { en: english, de: german }

export const wordsOf = ({ language }: { readonly language: Language }): Words => wordTables[language]
