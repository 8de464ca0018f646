/** Prepares values for display: masks secrets and truncates long texts, lists and objects. */

type Fields = Readonly<Record<string, unknown>>

/** Max UTF-16 units per text, items per list or object, and levels of nesting. */
const mostText = 2000
const mostItems = 50
const mostDepth = 8

const secret = /(^|_)keys?(_|$)|api_?key|token|phrase|credential|secret|password|(^|_)code(_|$)/

/** `most`: max UTF-16 units per text. */
export const redactDeep = (value: unknown, most = mostText, depth = mostDepth): unknown => {
  if (typeof value === 'string') return toMaskedText(value, most)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  if (depth === 0) return '…'
  if (!Array.isArray(value)) return redactFields(value, most, depth)
  const items = value.slice(0, mostItems).map((item) => redactDeep(item, most, depth - 1))
  return value.length > mostItems ? [...items, `… ${value.length - mostItems} more`] : items
}

export const redactFields = (object: object, most = mostText, depth = mostDepth): Fields => {
  const fields = Object.entries(object)
  const shown = fields
    .slice(0, mostItems)
    .map(
      ([name, value]) =>
        [name, value !== null && isSecret(name) ? '***' : redactDeep(value, most, depth - 1)] as const,
    )
  const left = fields.length - shown.length
  return Object.fromEntries(left > 0 ? [...shown, ['…', `${left} more`]] : shown)
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

export const toMaskedText = (text: string, most = mostText): string => {
  if (text.length <= most) return text
  // Do not split a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}… ${text.length - end} more characters`
}

/** Returns whether a field with this name holds a secret. `apiKey` and `api_key` are equal. */
export const isSecret = (name: string): boolean =>
  secret.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
