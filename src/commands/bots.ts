/** Bots as commands ask for them, whichever platform they live on. */
import type { ChannelKind, PersonaId } from '../../journal/facts/fact-values.ts'

/** A bot, as its platform tells of it. */
export interface Bot {
  /** The platform's own id of it: two tokens of one bot are one bot. */
  readonly id: string
  /** Its user name, without an @. */
  readonly name: string
}

/** A chat, and the channel it wrote to. */
export interface Claim {
  readonly channel: string
  readonly target: string
}

/** What a code was used up for: it can be given back, and lasts as long as before. */
export interface Claimed extends Claim {
  readonly hash: Buffer
  readonly at: number
}

export interface Bots {
  /** Asks the platform whose token it is. Throws TokenRefused; its sentence holds no token. */
  check(kind: ChannelKind, token: string, signal: AbortSignal): Promise<Bot>
  /** Whose pairing code this is, which is used up by that; null for a wrong one. */
  claim(id: PersonaId, code: string): Claimed | null
  /** What it was for could not be written. */
  unclaim(id: PersonaId, claimed: Claimed): void
}

/** The token was refused, or the platform cannot be reached. `message` is one sentence, without the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}
