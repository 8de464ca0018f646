/**
 * Words that came from somewhere: shown to a model with their origin, so that they cannot be taken for the
 * frame around them.
 */

import type { MessagePart } from '../../../journal/facts/fact-values.ts'

/** `<tag name="…">…</tag>`; nothing inside can close it, or begin another of these marks. */
export const enclosed = (
  tag: 'file' | 'voice' | 'document' | 'note' | 'words',
  marks: Readonly<Record<string, string>>,
  text: string,
): string => {
  const named = Object.entries(marks).map(([name, value]) => ` ${name}="${attribute(value)}"`)
  return `<${tag}${named.join('')}>\n${unmarked(text)}\n</${tag}>`
}

/** How words came, and whose they are where that is known. */
export const markedBy = ({ from, by }: Pick<MessagePart, 'from' | 'by'>): Readonly<Record<string, string>> =>
  by === null ? { from } : { from, by }

/** Words in which none of these marks begins or ends. */
export const unmarked = (text: string): string =>
  text.replace(/<(?=[\s/]*(?:file|voice|document|note|words)\b)/gi, '‹')

/**
 * A name that somebody gave, as it stands in a mark or between quotation marks: on one line, and closing
 * nothing.
 */
export const attribute = (value: string): string =>
  cutWhole(value.replace(/["<>“”\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' '), 200)

/** The beginning of a text, with a word about what was left out. UTF-16 units, never half a character. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${cutWhole(text, most)}\n[… ${text.length - most} more characters]`

const cutWhole = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
