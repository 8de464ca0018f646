/** What a frame shows of a fact: secrets masked, long bodies cut, and for those outside the conversation nothing that was said or thought. */
import type { PersonaEvent } from '../../journal/events.ts'

export type Details = Readonly<Record<string, unknown>>

/** UTF-16 units of one text, items of one list or object, levels of nesting. */
const mostText = 2000
const mostItems = 50
const mostDepth = 8

const secret = /(^|_)keys?(_|$)|api_?key|token|phrase|credential|secret|password|(^|_)code(_|$)/

/**
 * The only fields that `/ws/system` shows: ids, positions, names, figures and the service's own reasons. A list of what may pass, not of
 * what may not, so that a fact added later keeps its words to itself until somebody decides otherwise.
 */
const wordless = new Set(
  `id name birthday idleTimeout seconds slot organ status reason life channel stimuli turn step provider model usage ms cause call ok
  outcome document sources origin kind wall zone recurrence anchor`.split(/\s+/),
)

/** Every field of the fact but its type. */
export const detailsOf = ({ type: _, ...fields }: PersonaEvent): Details => fieldsOf(fields, mostDepth)

/** Without anything in her words or the person's. */
export const wordlessDetailsOf = ({ type: _, ...fields }: PersonaEvent): Details =>
  fieldsOf(Object.fromEntries(Object.entries(fields).filter(([name]) => wordless.has(name))), mostDepth)

const fieldsOf = (object: object, depth: number): Details => {
  const fields = Object.entries(object)
  const shown = fields
    .slice(0, mostItems)
    .map(([name, value]) => [name, value !== null && isSecret(name) ? '***' : shownOf(value, depth - 1)] as const)
  const left = fields.length - shown.length
  return Object.fromEntries(left > 0 ? [...shown, ['…', `${left} more`]] : shown)
}

const shownOf = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return textOf(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  if (depth === 0) return '…'
  if (!Array.isArray(value)) return fieldsOf(value, depth)
  const items = value.slice(0, mostItems).map((item) => shownOf(item, depth - 1))
  return value.length > mostItems ? [...items, `… ${value.length - mostItems} more`] : items
}

const textOf = (text: string): string => {
  if (text.length <= mostText) return text
  // Never between the halves of one character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(mostText - 1)) ? mostText - 1 : mostText
  return `${text.slice(0, end)}… ${text.length - end} more characters`
}

/** `apiKey` and `api_key` are the same name. */
const isSecret = (name: string): boolean => secret.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
