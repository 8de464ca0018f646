/** The result of a request: a value or a failure. Nothing here throws. */
import { text } from '../strings/strings.ts'
import { toFields, toList, toText } from './shapes.ts'

export interface Failure {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null
  readonly message: string
  /** The first error message of each field of the request body. */
  readonly fields: Readonly<Record<string, string>>
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

/** The header with the code of a problem. */
export const problemHeader = 'x-problem'

/** Returns a failure with the translation of the problem if there is one, else with the daemon's message. */
export const readFailure = (status: number | null, body: unknown, problem: string | null = null): Failure => {
  if (status === null) return { status, message: text.unreachable, fields: {} }
  const translation =
    problem !== null && Object.hasOwn(text.problems, problem) ? text.problems[problem] : undefined
  if (translation) return { status, message: translation, fields: {} }
  const { detail } = toFields(body)
  if (typeof detail === 'string' && detail !== '') return { status, message: detail, fields: {} }
  const complaints = toList(detail).map(toComplaint)
  if (complaints.length === 0) return { status, message: text.oddAnswer(status), fields: {} }
  return {
    status,
    message: complaints.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('\n'),
    fields: Object.fromEntries(complaints.toReversed().map(({ field, message }) => [field, message])),
  }
}

const toComplaint = (item: unknown) => {
  const { loc, msg } = toFields(item)
  return { field: toList(loc).slice(1).join(' '), message: toText(msg) }
}
