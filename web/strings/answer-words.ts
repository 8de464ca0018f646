/** The texts about answers of other models, which are loaded on demand. */
import type { AnswerStrings } from './answer-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./answer-de.ts') : import('./answer-en.ts'))

export const answerText: AnswerStrings = isolating(text)
