/** What goes wrong with a server of others, as a person is told. */

/**
 * `config`: it cannot be asked as it is configured · `start`: its process does not come up · `network`: it
 * cannot be reached · `authorize`: the person has to authorize first · `protocol`: it does not speak MCP as
 * it should · `timeout` · `ended`: it went away · `gone`: it does not know the session any more, and did
 * nothing · `too_large` · `refused`: it said no · `changed`: the tool is not what was allowed · `cut`: by
 * whoever called · `closing`: the daemon is.
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
 * `message`: sentences for a person, without secrets. `sent`: whether a call may have reached the server, so
 * that nobody knows what it did. `status`: of HTTP, where it was that.
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

/** Whether a call had been sent by then, nobody looked. */
export const closingTrouble = (sent = true): ServerTrouble =>
  new ServerTrouble('It is not asked any more: it was stopped or removed.', 'closing', { sent })

/** Words of strangers: one line that no terminal obeys, and no longer than `most` characters. */
export const plainLine = (text: string, most = 300): string => {
  const calm = text
    .toWellFormed()
    .replace(escapes, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
  return calm.length > most ? `${calm.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : calm
}

/** Colours and movements of a terminal. */
const escapes = /\p{Cc}\[[0-9;?]{0,20}[A-Za-z]/gu
