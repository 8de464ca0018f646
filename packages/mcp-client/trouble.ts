/** Errors of tool servers, with messages for the user. */

/**
 * `config`: the configuration is unusable · `start`: its process does not start · `network`: it is
 * unreachable · `authorize`: the user must authorize first · `protocol`: it violates the MCP specification ·
 * `timeout` · `ended`: it exited or disconnected · `gone`: the session has expired and the call had no effect
 * · `too_large` · `refused`: it returned an error · `changed`: the tool is not the allowed one · `cut`:
 * aborted by the caller · `closing`: the daemon is shutting down.
 */
export type TroubleKind =
  | 'config'
  | 'start'
  | 'network'
  | 'authorize'
  | 'protocol'
  | 'timeout'
  | 'ended'
  | 'gone'
  | 'too_large'
  | 'refused'
  | 'changed'
  | 'cut'
  | 'closing'

interface Told {
  readonly sent?: boolean
  readonly status?: number | null
}

/**
 * `message`: sentences for the user, without secrets. `sent`: the call may have reached the server, so its
 * effect is unknown. `status`: the HTTP status, if any.
 */
export class ServerTrouble extends Error {
  override readonly name = 'ServerTrouble'
  readonly kind: TroubleKind
  readonly sent: boolean
  readonly status: number | null
  constructor(message: string, kind: TroubleKind, { sent = false, status = null }: Told = {}) {
    super(message)
    this.kind = kind
    this.sent = sent
    this.status = status
  }
}

/** Defaults to `sent`, because it was not checked. */
export const closingTrouble = (isSent = true): ServerTrouble =>
  new ServerTrouble('It is not asked any more: it was stopped or removed.', 'closing', { sent: isSent })

/** Converts untrusted text to one line without terminal escapes, max `most` characters. */
export const plainLine = (text: string, maxLength = 300): string => {
  const printable = text
    .toWellFormed()
    .replace(escapes, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  return printable.length > maxLength
    ? `${printable.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`
    : printable
}

/** Terminal escapes for colours and cursor movements. */
const escapes = /\p{Cc}\[[0-9;?]{0,20}[A-Za-z]/gu
