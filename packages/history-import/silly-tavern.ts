/**
 * A chat of SillyTavern, one JSON object per line: first its metadata, then messages with the text in `mes`.
 * Other answers, `swipes`, are left out, and so are messages of the character before the first one of the
 * user: the card greets. Source: src/endpoints/chats.js of SillyTavern/SillyTavern.
 */
import { isObject } from '../kit/is-object.ts'
import type { Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toText } from './loose-values.ts'
import { describeParts, joinTexts } from './wordless-parts.ts'
import { writtenTime } from './written-times.ts'

export const isChatHead = (value: Loose): boolean =>
  isObject(getField(value, 'chat_metadata')) ||
  (typeof getField(value, 'user_name') === 'string' && typeof getField(value, 'character_name') === 'string')

export const isChatLine = (value: Loose): boolean =>
  typeof getField(value, 'mes') === 'string' && typeof getField(value, 'is_user') === 'boolean'

/** Groups have no name here. */
export const getTitle = (head: Loose): string => {
  const name = firstWords(getField(head, 'character_name'))
  return name === 'unused' ? '' : name
}

/** Returns null for a line that is hidden from the model or written by the program. */
export const saidInChat = (line: Loose): Said | null => {
  if (getField(line, 'is_system') === true) return null
  const extraField = getField(line, 'extra')
  const hasImage = isObject(extraField) && toText(getField(extraField, 'image')) !== ''
  return {
    role: getField(line, 'is_user') === true ? 'user' : 'assistant',
    content: joinTexts(toText(getField(line, 'mes')), hasImage ? describeParts([{ type: 'image' }]) : ''),
    time: writtenTime(getField(line, 'send_date')),
  }
}

export const withoutGreeting = (messages: readonly (Said | null)[]): readonly (Said | null)[] => {
  const first = messages.findIndex((message) => message?.role === 'user')
  return first < 0 ? [] : messages.slice(first)
}
