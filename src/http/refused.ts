/**
 * Errors that the HTTP layer raises besides the rules of personas. Their statuses and texts are in
 * `problems.ts`.
 */

import type { Slot } from '../../facts/fact-values.ts'
import type { Fault } from '../../packages/models/mind.ts'

/** One item of a 422, in the format of Pydantic v2. */
export interface Item {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly input?: unknown
  readonly ctx?: Readonly<Record<string, unknown>>
}

export type HttpRefusal =
  /** Refused by the guard. `why` is the message. */
  | { readonly code: 'forbidden'; readonly why: string }
  | { readonly code: 'path_unknown' }
  | { readonly code: 'method_unknown'; readonly allow: string }
  /** `what` is the body, the message, a file, or a field of a form. `most` is in bytes. */
  | { readonly code: 'body_too_large'; readonly what: string; readonly most: number }
  | { readonly code: 'invalid'; readonly items: readonly Item[] }
  | { readonly code: 'file_unknown' }
  /** A field that the daemon does not support. `param` is its path, `why` the message. */
  | { readonly code: 'parameter_refused'; readonly param: string; readonly why: string }
  /** No running persona has this name or id. `why` is the message. */
  | { readonly code: 'model_not_found'; readonly why: string }
  /** A picture that cannot be passed to the model. `why` is the message. */
  | { readonly code: 'picture_refused'; readonly why: string }
  /** A file of a request that cannot be read. `param` is the path of its field, `why` the message. */
  | { readonly code: 'file_refused'; readonly param: string; readonly why: string }
  /** The bytes of the file are not the stored ones. */
  | { readonly code: 'media_damaged' }
  /** A moment of the past that is neither a position nor an instant. `name` is the name in the request. */
  | { readonly code: 'moment_invalid'; readonly name: string }
  | { readonly code: 'moments_reversed' }
  /** `names` are the query parameters of the two ends. */
  | { readonly code: 'window_invalid'; readonly names: readonly [string, string] }
  | { readonly code: 'range_unsatisfiable'; readonly size: string }
  | { readonly code: 'precondition_failed' }
  /** Node's parser could not read the request. */
  | { readonly code: 'request_malformed' }
  | { readonly code: 'request_slow' }
  /** Other large requests use the whole body budget. */
  | { readonly code: 'too_busy' }
  | { readonly code: 'headers_too_large' }
  /** `slot`: the organ, if it is known. */
  | {
      readonly code: 'model_failed'
      readonly reason: string
      readonly fault: Fault | null
      readonly slot: Slot | null
    }
  | { readonly code: 'journal_damaged'; readonly reason: string }
  | { readonly code: 'journal_unavailable'; readonly reason: string }
  /** The request was aborted because the journal is being removed, restored or rewritten. */
  | { readonly code: 'journal_replaced' }
  /** The browser is not subscribed, or its push service refused the notification. */
  | { readonly code: 'browser_unknown' }
  | { readonly code: 'browser_untold'; readonly reason: string }
  /** In a cluster: the host of the persona is not running, or cannot be reached from here. */
  | { readonly code: 'host_gone' }
  | { readonly code: 'host_unreachable' }
  /** The request was already forwarded by this daemon, or by too many daemons. */
  | { readonly code: 'passed_in_circle' }
  | { readonly code: 'passed_too_often' }
  /** The cluster does not answer. */
  | { readonly code: 'cut_off' }
  | { readonly code: 'unforeseen'; readonly name: string; readonly reason: string }

export class HttpRefused extends Error {
  override readonly name = 'HttpRefused'
  readonly refusal: HttpRefusal
  constructor(refusal: HttpRefusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}
