/** The bots of personas, as the commands see them. */
import type { ChannelKind, PersonaId } from '../../facts/fact-values.ts'

export interface Bot {
  /** Id on the platform. Two tokens of one bot have the same id. */
  readonly id: string
  /** Its user name, without an @. */
  readonly name: string
}

/**
 * What the user gives to add a bot. Matrix needs `homeserver`, and `user` and `password` if there is no
 * token; the others need only `token`. A password is used once and never stored.
 */
export interface GivenCredentials {
  readonly token?: string | undefined
  /** An address, the name of a server, or a user id. */
  readonly homeserver?: string | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
}

/** `token`: the text for the secrets file. */
export interface CheckedBot {
  readonly bot: Bot
  readonly token: string
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
  /** Checks credentials with their platform, and signs in if they hold a password. Throws TokenRefused. */
  check(kind: ChannelKind, credentials: GivenCredentials, signal: AbortSignal): Promise<CheckedBot>
  /** Ends a session that `check` began, in the background. Does nothing for other tokens. Never throws. */
  signOut(kind: ChannelKind, token: string): void
  /** Uses up a pairing code. Returns null for a wrong one. */
  claim(id: PersonaId, code: string): ClaimedBot | null
  /** Gives a code back after a failed write. */
  unclaim(id: PersonaId, claim: ClaimedBot): void
}

/** The token is invalid or the platform is unreachable. `message` is one sentence, without the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}
