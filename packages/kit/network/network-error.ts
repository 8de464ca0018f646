/**
 * The message is a clause that follows an address: "… could not be reached at X: <message>". `barred`: a
 * retry does not help. `refused`: concerns only this response.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: 'unreachable' | 'barred' | 'refused'
  /** Sentence that says what to do, if the address is not the problem. */
  readonly advice: string | undefined
  constructor(message: string, kind: 'unreachable' | 'barred' | 'refused' = 'unreachable', advice?: string) {
    super(message)
    this.kind = kind
    this.advice = advice
  }
}
