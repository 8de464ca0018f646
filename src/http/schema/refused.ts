/**
 * Errors that the HTTP layer raises besides the rules of personas. Their statuses and texts are in
 * `problems.ts`.
 */

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
  /** `what`: the body, the message, a file, or a field of a form; `most` in bytes. */
  | { readonly code: 'body_too_large'; readonly what: string; readonly most: number }
  | { readonly code: 'invalid'; readonly items: readonly Item[] }
  | { readonly code: 'file_unknown' }
  /** No persona that runs is called so; `why` is its sentence. */
  | { readonly code: 'model_not_found'; readonly why: string }
  /** A picture in a talk that cannot be shown; `why` is its sentence. */
  | { readonly code: 'picture_refused'; readonly why: string }
  /** Its bytes are not the ones that were kept. */
  | { readonly code: 'media_damaged' }
  | { readonly code: 'turn_unknown' }
  /** Of a life that was: neither a position nor an instant; `name` as it stands in the request. */
  | { readonly code: 'moment_invalid'; readonly name: string }
  | { readonly code: 'moments_reversed' }
  /** `names` of its two ends, as they stand in the query. */
  | { readonly code: 'window_invalid'; readonly names: readonly [string, string] }
  | { readonly code: 'range_unsatisfiable'; readonly size: string }
  | { readonly code: 'precondition_failed' }
  /** A request that Node's parser gave up on. */
  | { readonly code: 'request_malformed' }
  | { readonly code: 'request_slow' }
  /** Other large requests take all the memory that there is for bodies. */
  | { readonly code: 'too_busy' }
  | { readonly code: 'headers_too_large' }
  | { readonly code: 'model_failed'; readonly reason: string }
  | { readonly code: 'journal_damaged'; readonly reason: string }
  | { readonly code: 'journal_unavailable'; readonly reason: string }
  /** What was asked for is cut off: it is being taken away, brought back, or rewritten. */
  | { readonly code: 'journal_replaced' }
  /** The browser is not among those that are told; or its push service does not take it, for that reason. */
  | { readonly code: 'browser_unknown' }
  | { readonly code: 'browser_untold'; readonly reason: string }
  /** In a cluster: its host is gone, or cannot be reached from here. */
  | { readonly code: 'host_gone' }
  | { readonly code: 'host_unreachable' }
  /** A request that has come by here before, or by too many. */
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
