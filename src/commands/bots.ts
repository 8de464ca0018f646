import type { ChannelKind, PersonaId } from '../../journal/facts/fact-values.ts'
export interface Bot {
  /** Id on the platform. Two tokens of one bot have the same id. */
  readonly id: string
  /** Its user name, without an @. */
  readonly name: string
}

/** The chat and channel of a pairing code. */
export interface Claim {
  readonly channel: string
  readonly target: string
}

/** A used code. It can be given back, and keeps its expiry. */
export interface ClaimedBot extends Claim {
  readonly hash: Buffer
  readonly at: number
}

export interface Bots {
  /** Checks a token with its platform. Throws TokenRefused. */
  check(kind: ChannelKind, token: string, signal: AbortSignal): Promise<Bot>
  /** Uses up a pairing code. Returns null for a wrong one. */
  claim(id: PersonaId, code: string): ClaimedBot | null
  /** Gives a code back after a failed write. */
  unclaim(id: PersonaId, claim: ClaimedBot): void
}

/** The token is invalid or the platform is unreachable. `message` is one sentence, without the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}
