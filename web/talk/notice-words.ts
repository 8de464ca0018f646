/** Translates notices of the daemon, which itself speaks English. */
import type { Message } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

/** Returns the message itself if there is no translation. */
export const translateNotice = (message: Message): Message => {
  const { noticeCode, noticeValues } = message
  const translate = Object.hasOwn(text.notices, noticeCode) ? text.notices[noticeCode] : undefined
  return translate ? { ...message, content: translate(noticeValues), isTranslated: true } : message
}
