/**
 * Pairing codes. With a code, a chat proves that the user can read it. Codes are stored as hashes,
 * in memory only.
 *
 * Three chats of a channel can have a code at the same time, and each code is valid for 10 minutes. Other
 * chats wait: those that never had a code come first, then those whose last code is the oldest. While a chat
 * waits, valid codes are not renewed, so a chat cannot keep its place by writing again. With N other waiting
 * chats, a chat waits at most 11 minutes for every three of them: 10 for a code, and 1 until the next
 * heartbeat.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Claim, ClaimedBot } from '../commands/bots.ts'
import { createPairingQueue, type PairingQueue } from './pairing-queue.ts'

/** A code for a waiting chat. */
export interface DueClaim {
  readonly target: string
  readonly code: string
}

export interface Pairing {
  /**
   * Returns a new code for a chat, which replaces its previous one. Returns null if the chat had too many
   * codes, or if it must wait for others. `topic`: the topic from which the chat asked.
   */
  issue(id: PersonaId, claim: Claim, topic?: string): string | null
  /** Returns codes for waiting chats of a channel, as many as are available now. */
  due(id: PersonaId, channel: string): readonly DueClaim[]
  /**
   * Revokes a code that could not be sent. Unless the failure is `lasting`, the chat waits for another code.
   */
  withdraw(id: PersonaId, withdrawnClaim: Claim & { readonly code: string; readonly lasting: boolean }): void
  /**
   * Returns the chat of a code, and uses the code up. Returns null for a wrong code. Too many wrong codes
   * revoke all codes of the persona.
   */
  claim(id: PersonaId, typedCode: string): ClaimedBot | null
  /** Makes a claimed code valid again after a failed pairing, unless the chat has a newer code. */
  unclaim(id: PersonaId, claim: ClaimedBot): void
  /**
   * Keeps only the queues of these unpaired channels. Codes of other channels stay valid until they expire.
   */
  keep(id: PersonaId, channels: readonly string[]): void
  /**
   * Returns the topic from which a chat last asked for a code. The newest 1000 of a persona are remembered.
   */
  topic(id: PersonaId, claim: Claim): string | undefined
  /** Removes everything of a deleted persona. */
  forget(id: PersonaId): void
}

interface Deps {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
}

/** 32 letters and digits that cannot be confused, so each stands for five bits. */
export const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 8
/** Lifetime of a code in ms. */
const lifetimeMs = 10 * 60_000
const maxPerChat = 3
const maxChats = 3
const maxWrong = 10
/** Chats of one persona whose topic is remembered. */
const maxTopics = 1000

interface PairingState {
  /** At most one per chat. */
  codes: readonly ClaimedBot[]
  /** Times at which codes were given, including used and revoked ones. */
  times: readonly (Claim & { readonly at: number })[]
  wrong: number
  /** By channel id. */
  readonly queues: Map<string, PairingQueue>
  /** By channel and chat. */
  readonly topics: Map<string, string>
}

export const createPairing = ({ now, random }: Deps): Pairing => {
  const stateById = new Map<PersonaId, PairingState>()
  // With a salt per process, a memory dump does not help against other processes.
  const salt = random(32)
  const hashCode = (code: string): Buffer => createHmac('sha256', salt).update(code).digest()

  /**
   * Returns the state without expired entries. If the clock is set back, entries expire instead of living
   * longer.
   */
  const getState = (id: PersonaId): PairingState => {
    const isFresh = ({ at }: { readonly at: number }) => now() >= at && now() - at < lifetimeMs
    const { codes, times, wrong, queues, topics } = stateById.get(id) ?? {
      codes: [],
      times: [],
      wrong: 0,
      queues: new Map(),
      topics: new Map(),
    }
    const valid = codes.filter(isFresh)
    const state = {
      codes: valid,
      times: times.filter(isFresh),
      wrong: valid.length > 0 ? wrong : 0,
      queues,
      topics,
    }
    stateById.set(id, state)
    return state
  }

  const getQueue = ({ queues }: PairingState, channel: string): PairingQueue => {
    const queue = queues.get(channel) ?? createPairingQueue()
    queues.set(channel, queue)
    return queue
  }

  const setTopic = ({ topics }: PairingState, claim: Claim, topic: string | undefined) => {
    topics.delete(toKey(claim))
    if (topic !== undefined) topics.set(toKey(claim), topic)
    if (topics.size > maxTopics) topics.delete([...topics.keys()][0] ?? '')
  }

  const getFreePlaces = ({ codes }: PairingState, channel: string) =>
    maxChats - codes.filter((code) => code.channel === channel).length

  const issueCode = (state: PairingState, claim: Claim): string => {
    const { channel, target } = claim
    const code = newCode(random)
    const time = now()
    state.codes = [
      ...state.codes.filter((code) => !isSame(code, claim)),
      { channel, target, hash: hashCode(code), at: time },
    ]
    state.times = [...state.times, { channel, target, at: time }]
    getQueue(state, channel).markServed(target)
    return code
  }

  return {
    issue: (id, claim, topic) => {
      const { channel, target } = claim
      const state = getState(id)
      setTopic(state, claim, topic)
      const queue = getQueue(state, channel)
      if (state.times.filter((attempt) => isSame(attempt, claim)).length >= maxPerChat) return null
      if (state.codes.some((code) => isSame(code, claim)))
        return queue.size > 0 ? null : issueCode(state, claim)
      queue.join(target)
      return queue.next(getFreePlaces(state, channel)).includes(target) ? issueCode(state, claim) : null
    },
    due: (id, channel) => {
      const state = getState(id)
      const queue = state.queues.get(channel)
      return (
        queue
          ?.next(getFreePlaces(state, channel))
          .map((target) => ({ target, code: issueCode(state, { channel, target }) })) ?? []
      )
    },
    withdraw: (id, { code, lasting, ...claim }) => {
      const state = getState(id)
      const hash = hashCode(code)
      // The chat may have a newer code.
      if (!state.codes.some((code) => code.hash.equals(hash))) return
      state.codes = state.codes.filter((code) => !isSame(code, claim))
      const attempts = state.times.filter((attempt) => isSame(attempt, claim)).length
      if (lasting || attempts >= maxPerChat) return
      const queue = getQueue(state, claim.channel)
      queue.markUnserved(claim.target)
      queue.join(claim.target)
    },
    claim: (id, typedCode) => {
      const state = getState(id)
      const typedHash = hashCode(typedCode.toUpperCase().replaceAll(/[\s-]/g, ''))
      // Compares all codes in constant time.
      const match = state.codes.filter(({ hash }) => timingSafeEqual(hash, typedHash)).at(0)
      if (match) {
        state.codes = state.codes.filter((code) => code !== match)
        state.wrong = 0
        return match
      }
      if (state.codes.length > 0) state.wrong += 1
      if (state.wrong >= maxWrong) {
        state.codes = []
        state.wrong = 0
      }
      return null
    },
    unclaim: (id, claim) => {
      // The free place may have been given to another chat. Then there is one extra code until it expires.
      const state = getState(id)
      if (!state.codes.some((code) => isSame(code, claim))) state.codes = [...state.codes, claim]
    },
    keep: (id, channels) => {
      const { queues } = stateById.get(id) ?? {}
      for (const channel of queues?.keys() ?? []) if (!channels.includes(channel)) queues?.delete(channel)
    },
    topic: (id, claim) => stateById.get(id)?.topics.get(toKey(claim)),
    forget: (id) => void stateById.delete(id),
  }
}

const isSame = (first: Claim, second: Claim): boolean =>
  first.channel === second.channel && first.target === second.target

const toKey = ({ channel, target }: Claim): string => `${channel} ${target}`

const newCode = (random: Deps['random']): string =>
  [...random(length)].map((byte) => alphabet[byte & 31]).join('')

/** The only text that an unpaired chat ever gets. */
export const formatPairingCode = (code: string): string =>
  `To talk with me here, enter this code on my page within 10 minutes:\n\n${code}\n\nIf you did not expect this, ignore it.`
