/** Prepares values for display: masks secrets and truncates long texts, lists and objects. */

type Fields = Readonly<Record<string, unknown>>

/** Max UTF-16 units per text, items per list or object, and levels of nesting. */
const maxTextLength = 2000
const maxItems = 50
const maxDepth = 8

const secret = /(^|_)keys?(_|$)|api_?key|token|phrase|credential|secret|password|(^|_)code(_|$)/

/** `most`: max UTF-16 units per text. */
export const redactDeep = (value: unknown, maxLength = maxTextLength, depth = maxDepth): unknown => {
  if (typeof value === 'string') return toMaskedText(value, maxLength)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  if (depth === 0) return '…'
  if (!Array.isArray(value)) return redactFields(value, maxLength, depth)
  const items = value.slice(0, maxItems).map((item) => redactDeep(item, maxLength, depth - 1))
  return value.length > maxItems ? [...items, `… ${value.length - maxItems} more`] : items
}

export const redactFields = (object: object, maxLength = maxTextLength, depth = maxDepth): Fields => {
  const fields = Object.entries(object)
  const shownFields = fields
    .slice(0, maxItems)
    .map(
      ([name, value]) =>
        [name, value !== null && isSecret(name) ? '***' : redactDeep(value, maxLength, depth - 1)] as const,
    )
  const omittedCount = fields.length - shownFields.length
  return Object.fromEntries(omittedCount > 0 ? [...shownFields, ['…', `${omittedCount} more`]] : shownFields)
}

/** Masks secrets without truncating. */
export const redactValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(redactValue)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      inner !== null && isSecret(name) ? '***' : redactValue(inner),
    ]),
  )
}

/** Replaces these words in all texts of a value. */
export const withoutWords = (value: unknown, words: readonly string[]): unknown => {
  if (typeof value === 'string') return words.reduce((text, word) => text.replaceAll(word, '***'), value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withoutWords(item, words))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutWords(inner, words)]))
}

export const toMaskedText = (text: string, maxLength = maxTextLength): string => {
  if (text.length <= maxLength) return text
  // Do not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength
  return `${text.slice(0, end)}… ${text.length - end} more characters`
}

/** Returns whether a field with this name holds a secret. `apiKey` and `api_key` are equal. */
export const isSecret = (name: string): boolean =>
  secret.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
