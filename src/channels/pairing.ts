/** Codes by which a chat proves that whoever looks after a persona reads it. They live in memory, as hashes, and nowhere else. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonaId } from '../../journal/events.ts'

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

export interface Pairing {
  /** A fresh code for a chat, in place of the one it had; null where it has had enough of them, or enough other chats hold one. */
  issue(id: PersonaId, claim: Claim): string | null
  /** Whose code this is: it is used up by that. Null for a wrong one; too many of those burn all that she has given. */
  claim(id: PersonaId, typed: string): Claimed | null
  /** It came to nothing: the code is as good as before, unless the chat has had another since. */
  unclaim(id: PersonaId, claimed: Claimed): void
  /** She is gone. */
  forget(id: PersonaId): void
}

interface Deps {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
}

/** Letters and digits that nobody takes for one another: 32 of them, so each stands for five bits. */
export const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 8
/** Milliseconds. */
const lasts = 10 * 60_000
const mostPerChat = 3
const mostChats = 3
const mostWrong = 10

interface Given {
  /** One for each chat at most. */
  codes: readonly Claimed[]
  /** When codes were given, whatever has become of them. */
  times: readonly (Claim & { readonly at: number })[]
  wrong: number
}

export const createPairing = ({ now, random }: Deps): Pairing => {
  const given = new Map<PersonaId, Given>()
  // What a dump of this process shows is of no use to another.
  const salt = random(32)
  const hashOf = (code: string): Buffer => createHmac('sha256', salt).update(code).digest()

  /** Without what has run out. A clock that was put back makes nothing last longer. */
  const of = (id: PersonaId): Given => {
    const fresh = ({ at }: { readonly at: number }) => now() >= at && now() - at < lasts
    const { codes, times, wrong } = given.get(id) ?? { codes: [], times: [], wrong: 0 }
    const valid = codes.filter(fresh)
    const here = { codes: valid, times: times.filter(fresh), wrong: valid.length > 0 ? wrong : 0 }
    given.set(id, here)
    return here
  }

  return {
    issue: (id, { channel, target }) => {
      const hers = of(id)
      const isThis = (one: Claim) => one.channel === channel && one.target === target
      const others = hers.codes.filter((code) => !isThis(code))
      if (hers.times.filter(isThis).length >= mostPerChat) return null
      if (others.filter((code) => code.channel === channel).length >= mostChats) return null
      const code = newCode(random)
      const at = now()
      hers.codes = [...others, { channel, target, hash: hashOf(code), at }]
      hers.times = [...hers.times, { channel, target, at }]
      return code
    },
    claim: (id, typed) => {
      const hers = of(id)
      const asked = hashOf(typed.toUpperCase().replaceAll(/[\s-]/g, ''))
      // All of them are compared, whichever it is.
      const found = hers.codes.filter(({ hash }) => timingSafeEqual(hash, asked)).at(0)
      if (found) {
        hers.codes = hers.codes.filter((code) => code !== found)
        hers.wrong = 0
        return found
      }
      if (hers.codes.length > 0) hers.wrong += 1
      if (hers.wrong >= mostWrong) {
        hers.codes = []
        hers.wrong = 0
      }
      return null
    },
    unclaim: (id, claimed) => {
      const hers = of(id)
      const isThis = ({ channel, target }: Claim) => channel === claimed.channel && target === claimed.target
      if (!hers.codes.some(isThis)) hers.codes = [...hers.codes, claimed]
    },
    forget: (id) => void given.delete(id),
  }
}

const newCode = (random: Deps['random']): string => [...random(length)].map((byte) => alphabet[byte & 31]).join('')

/** The only thing that a chat she is not paired with is ever told. */
export const codeTold = (code: string): string =>
  `To talk with me here, enter this code where you look after me, within 10 minutes:\n\n${code}\n\nWhoever did not expect this can leave it.`
