/** The texts about mailboxes, which are loaded on demand. */
import { isolating } from './isolated.ts'
import type { MailStrings } from './mail-en.ts'
import { language } from './strings.ts'

const { text } = await (language === 'de' ? import('./mail-de.ts') : import('./mail-en.ts'))

export const mailText: MailStrings = isolating(text)
