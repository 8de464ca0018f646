/**
 * The message is a clause that follows an address: "… could not be reached at X: <message>". `barred` will
 * not get better by itself, `refused` is about this one answer.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: 'unreachable' | 'barred' | 'refused'
  /** A sentence that says what to do, when the address is not what is wrong. */
  readonly advice: string | undefined
  constructor(message: string, kind: 'unreachable' | 'barred' | 'refused' = 'unreachable', advice?: string) {
    super(message)
    this.kind = kind
    this.advice = advice
  }
}
