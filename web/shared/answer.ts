/** What a request gave: a value, or why there is none. Nothing here throws. */
import { text } from '../strings/strings.ts'
import { fieldsOf, listOf, textOf } from './shapes.ts'

export interface Failure {
  /** Null when nothing answered. */
  readonly status: number | null
  readonly words: string
  /** The first complaint about each field of the body. */
  readonly fields: Readonly<Record<string, string>>
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

/** In the daemon's own words where it said any. */
export const failureOf = (status: number | null, body: unknown): Failure => {
  if (status === null) return { status, words: text.unreachable, fields: {} }
  const { detail } = fieldsOf(body)
  if (typeof detail === 'string' && detail !== '') return { status, words: detail, fields: {} }
  const complaints = listOf(detail).map(complaintOf)
  if (complaints.length === 0) return { status, words: text.oddAnswer(status), fields: {} }
  return {
    status,
    words: complaints.map(({ field, words }) => (field ? `${field}: ${words}` : words)).join('\n'),
    fields: Object.fromEntries(complaints.toReversed().map(({ field, words }) => [field, words])),
  }
}

const complaintOf = (item: unknown) => {
  const { loc, msg } = fieldsOf(item)
  return { field: listOf(loc).slice(1).join(' '), words: textOf(msg) }
}
