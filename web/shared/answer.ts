/** The result of a request: a value or a failure. Nothing here throws. */
import { text } from '../strings/strings.ts'
import { type Fault, type Slot, slots, toFields, toList, toText } from './shapes.ts'

export interface Failure {
  /** The HTTP status; null if there was no response. */
  readonly status: number | null
  readonly message: string
  /** The first error message of each field of the request body. */
  readonly fields: Readonly<Record<string, string>>
  /** The cause of a failed model, if it is known, and its organ. */
  readonly fault?: { readonly code: Fault; readonly slot: Slot | null }
}

/** Reads a header of a response. */
export type HeaderReader = (name: string) => string | null

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

const noHeaders: HeaderReader = () => null

/** The header with the code of a problem. */
const problemHeader = 'daimon-problem'

/** Returns a failure with the translation of the problem if there is one, else with the daemon's message. */
export const readFailure = (
  status: number | null,
  body: unknown,
  getHeader: HeaderReader = noHeaders,
): Failure => {
  if (status === null) return { status, message: text.unreachable, fields: {} }
  const problem = getHeader(problemHeader)
  const fault = readFault(getHeader)
  const translation = problem === null ? null : translateReason(problem, getHeader('daimon-reason'))
  if (translation) return { status, message: translation, fields: {}, ...(fault && { fault }) }
  const { detail } = toFields(body)
  if (typeof detail === 'string' && detail !== '')
    return { status, message: detail, fields: {}, ...(fault && { fault }) }
  const complaints = toList(detail).map(toComplaint)
  if (complaints.length === 0) return { status, message: text.oddAnswer(status), fields: {} }
  return {
    status,
    message: complaints.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('\n'),
    fields: Object.fromEntries(complaints.toReversed().map(({ field, message }) => [field, message])),
  }
}

/** Returns the translation of a problem and the kind of its reason, if there is one. */
const translateReason = (problem: string, kind: string | null): string | null => {
  const code = kind === null ? problem : `${problem}.${kind}`
  return Object.hasOwn(text.problems, code) ? (text.problems[code] ?? null) : null
}

/** Returns why a mailbox or calendar could not be read: translated, or in the daemon's own words. */
export const getReason = (
  problem: 'mailbox_unreadable' | 'calendar_unreadable',
  kind: string | null,
  words: string | null,
): string => translateReason(problem, kind) ?? words ?? ''

const readFault = (getHeader: HeaderReader): Failure['fault'] => {
  const code = getHeader('daimon-fault')
  const organ = getHeader('daimon-organ')
  if (!code) return undefined
  return { code: code as Fault, slot: slots.find((slot) => slot === organ) ?? null }
}

const toComplaint = (item: unknown) => {
  const { loc, msg, type, ctx } = toFields(item)
  const code = toText(type)
  const translate = Object.hasOwn(text.fieldErrors, code) ? text.fieldErrors[code] : undefined
  const limits = Object.fromEntries(
    Object.entries(toFields(ctx)).map(([name, limit]) => [name, String(limit)]),
  )
  return { field: toList(loc).slice(1).join(' '), message: translate ? translate(limits) : toText(msg) }
}
