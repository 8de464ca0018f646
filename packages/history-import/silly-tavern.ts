/**
 * A chat of SillyTavern, a line each: first what it is about, then who said what, `mes`. Other answers that
 * were not taken, `swipes`, are left out, and so is what the character said before the person did: the card
 * greets. Source of the shape: src/endpoints/chats.js of SillyTavern/SillyTavern.
 */
import { isObject } from '../kit/is-object.ts'
import type { Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, wordsOf } from './loose-values.ts'
import { partsOf, together } from './wordless-parts.ts'
import { writtenTime } from './written-times.ts'

export const isChatHead = (value: Loose): boolean =>
  isObject(at(value, 'chat_metadata')) ||
  (typeof at(value, 'user_name') === 'string' && typeof at(value, 'character_name') === 'string')

export const isChatLine = (value: Loose): boolean =>
  typeof at(value, 'mes') === 'string' && typeof at(value, 'is_user') === 'boolean'

/** Of groups nobody is named. */
export const titleOf = (head: Loose): string => {
  const name = firstWords(at(head, 'character_name'))
  return name === 'unused' ? '' : name
}

/** null: hidden from the model, or told by the program. */
export const saidInChat = (line: Loose): Said | null => {
  if (at(line, 'is_system') === true) return null
  const extra = at(line, 'extra')
  const pictured = isObject(extra) && wordsOf(at(extra, 'image')) !== ''
  return {
    role: at(line, 'is_user') === true ? 'user' : 'assistant',
    content: together(wordsOf(at(line, 'mes')), pictured ? partsOf([{ type: 'image' }]) : ''),
    time: writtenTime(at(line, 'send_date')),
  }
}

export const withoutGreeting = (said: readonly (Said | null)[]): readonly (Said | null)[] => {
  const first = said.findIndex((one) => one?.role === 'user')
  return first < 0 ? [] : said.slice(first)
}
