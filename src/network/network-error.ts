/**
 * The message is a clause that follows an address: "… could not be reached at X: <message>". `barred` will
 * not get better by itself, `refused` is about this one answer.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly kind: 'unreachable' | 'barred' | 'refused'
  constructor(message: string, kind: 'unreachable' | 'barred' | 'refused' = 'unreachable') {
    super(message)
    this.kind = kind
  }
}
