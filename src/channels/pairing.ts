/**
 * Codes by which a chat proves that whoever looks after a persona reads it. They live in memory, as hashes,
 * and nowhere else.
 *
 * Three chats of a channel have a code at a time, and each code stays good for its ten minutes. Other chats
 * wait: whoever was never given a code comes first, then whoever was given one longest ago. While somebody
 * waits, no code that is still good is replaced by a fresh one, so no chat keeps its place by writing again.
 * However often N other chats write, nobody waits longer than eleven minutes for every three of them: the ten
 * of a code, and the one until the next heartbeat.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import type { Claim, Claimed } from '../commands/channels.ts'
import { createPairingQueue, type PairingQueue } from './pairing-queue.ts'

/** A code for a chat that waited for it. */
export interface Due {
  readonly target: string
  readonly code: string
}

export interface Pairing {
  /**
   * A fresh code for a chat, in place of the one it had; null where it has had enough of them, or where
   * others come first: then it waits.
   */
  issue(id: PersonaId, claim: Claim): string | null
  /** Codes for those of a channel that wait, as many as may have one now. */
  due(id: PersonaId, channel: string): readonly Due[]
  /**
   * The code of a chat could not be told: it is void. Where that may still succeed (not `lasting`), the chat
   * waits for another.
   */
  withdraw(id: PersonaId, untold: Claim & { readonly code: string; readonly lasting: boolean }): void
  /**
   * Whose code this is: it is used up by that. Null for a wrong one; too many of those burn all that it has
   * given.
   */
  claim(id: PersonaId, typed: string): Claimed | null
  /** It came to nothing: the code is as good as before, unless the chat has had another since. */
  unclaim(id: PersonaId, claimed: Claimed): void
  /** These channels are to be paired: nobody waits for any other. Codes outlive their channel. */
  keep(id: PersonaId, channels: readonly string[]): void
  /** It is gone. */
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
  /** By channel. */
  readonly queues: Map<string, PairingQueue>
}

export const createPairing = ({ now, random }: Deps): Pairing => {
  const given = new Map<PersonaId, Given>()
  // What a dump of this process shows is of no use to another.
  const salt = random(32)
  const hashOf = (code: string): Buffer => createHmac('sha256', salt).update(code).digest()

  /** Without what has run out. A clock that was put back makes nothing last longer. */
  const of = (id: PersonaId): Given => {
    const fresh = ({ at }: { readonly at: number }) => now() >= at && now() - at < lasts
    const { codes, times, wrong, queues } = given.get(id) ?? {
      codes: [],
      times: [],
      wrong: 0,
      queues: new Map(),
    }
    const valid = codes.filter(fresh)
    const here = { codes: valid, times: times.filter(fresh), wrong: valid.length > 0 ? wrong : 0, queues }
    given.set(id, here)
    return here
  }

  const queueOf = ({ queues }: Given, channel: string): PairingQueue => {
    const queue = queues.get(channel) ?? createPairingQueue()
    queues.set(channel, queue)
    return queue
  }

  const free = ({ codes }: Given, channel: string) =>
    mostChats - codes.filter((code) => code.channel === channel).length

  const give = (here: Given, claim: Claim): string => {
    const { channel, target } = claim
    const code = newCode(random)
    const at = now()
    here.codes = [
      ...here.codes.filter((one) => !isSame(one, claim)),
      { channel, target, hash: hashOf(code), at },
    ]
    here.times = [...here.times, { channel, target, at }]
    queueOf(here, channel).served(target)
    return code
  }

  return {
    issue: (id, claim) => {
      const { channel, target } = claim
      const here = of(id)
      const queue = queueOf(here, channel)
      if (here.times.filter((one) => isSame(one, claim)).length >= mostPerChat) return null
      if (here.codes.some((one) => isSame(one, claim))) return queue.size > 0 ? null : give(here, claim)
      queue.join(target)
      return queue.next(free(here, channel)).includes(target) ? give(here, claim) : null
    },
    due: (id, channel) => {
      const here = of(id)
      const queue = here.queues.get(channel)
      return (
        queue
          ?.next(free(here, channel))
          .map((target) => ({ target, code: give(here, { channel, target }) })) ?? []
      )
    },
    withdraw: (id, { code, lasting, ...claim }) => {
      const here = of(id)
      const hash = hashOf(code)
      // It may have had another since.
      if (!here.codes.some((one) => one.hash.equals(hash))) return
      here.codes = here.codes.filter((one) => !isSame(one, claim))
      const tried = here.times.filter((one) => isSame(one, claim)).length
      if (lasting || tried >= mostPerChat) return
      const queue = queueOf(here, claim.channel)
      queue.unserved(claim.target)
      queue.join(claim.target)
    },
    claim: (id, typed) => {
      const here = of(id)
      const asked = hashOf(typed.toUpperCase().replaceAll(/[\s-]/g, ''))
      // All of them are compared, whichever it is.
      const found = here.codes.filter(({ hash }) => timingSafeEqual(hash, asked)).at(0)
      if (found) {
        here.codes = here.codes.filter((code) => code !== found)
        here.wrong = 0
        return found
      }
      if (here.codes.length > 0) here.wrong += 1
      if (here.wrong >= mostWrong) {
        here.codes = []
        here.wrong = 0
      }
      return null
    },
    unclaim: (id, claimed) => {
      // Its place may have been given away meanwhile: then there is one code more until it has run out.
      const here = of(id)
      if (!here.codes.some((one) => isSame(one, claimed))) here.codes = [...here.codes, claimed]
    },
    keep: (id, channels) => {
      const { queues } = given.get(id) ?? {}
      for (const channel of queues?.keys() ?? []) if (!channels.includes(channel)) queues?.delete(channel)
    },
    forget: (id) => void given.delete(id),
  }
}

const isSame = (one: Claim, other: Claim): boolean =>
  one.channel === other.channel && one.target === other.target

const newCode = (random: Deps['random']): string =>
  [...random(length)].map((byte) => alphabet[byte & 31]).join('')

/** The only thing that a chat it is not paired with is ever told. */
export const codeTold = (code: string): string =>
  `To talk with me here, enter this code where you look after me, within 10 minutes:\n\n${code}\n\nWhoever did not expect this can leave it.`
