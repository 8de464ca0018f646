/** The texts about the calendar, which are loaded on demand. */

import type { CalendarStrings } from './calendar-en.ts'
import { isolating } from './isolated.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./calendar-de.ts') : import('./calendar-en.ts'))

export const calendarText: CalendarStrings = isolating(text)
