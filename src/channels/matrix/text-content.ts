/** The content of text messages. */
import { toMatrixHtml } from './html.ts'

/**
 * Max UTF-16 units of a message. Each unit needs at most three bytes. An event has at most 65 536 bytes. In
 * an encrypted room, about 48 000 of them are text.
 */
export const maxText = 14_000
/** Max bytes of the JSON of a text with its HTML. Without the HTML, any text fits. */
const maxContentBytes = 44_000

/** Control characters would take six bytes each. */
const clean = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, '')

export const createText = (
  text: string,
  msgtype: 'm.text' | 'm.notice' = 'm.text',
): Readonly<Record<string, unknown>> => {
  const body = clean(text)
  const plain = { msgtype, body, 'm.mentions': {} }
  const html = toMatrixHtml(body)
  const formatted = { ...plain, format: 'org.matrix.custom.html', formatted_body: html }
  return html === null || Buffer.byteLength(JSON.stringify(formatted)) > maxContentBytes ? plain : formatted
}
