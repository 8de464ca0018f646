/**
 * Counts failed turns per channel while the model is reachable. After 3 rounds the waiting messages are
 * considered unanswerable.
 */
import type { Channel } from '../../journal/facts/fact-values.ts'
import { inboxKey } from '../../projections/talk.ts'

export interface FailedRounds {
  begun(channel: Channel | null): void
  /** Returns the number of earlier rounds of the channel. */
  failed(channel: Channel | null): number
  /** The model answered a probe after the failure. */
  wordGiven(): void
  /** The model itself is unreachable: resets all counts. */
  clear(): void
  /** The current turn was answered: resets the count of its channel. */
  answered(): void
  isHopeless(channel: Channel | null): boolean
}

const maxRounds = 3

/** `open`: the channel of the turn in progress. */
export const createFailedRounds = (open: Channel | null): FailedRounds => {
  const rounds = new Map<string, number>()
  let currentInbox = inboxKey(open)
  /** The channel whose turn failed since the last successful probe. */
  let failedInbox: string | null = null
  const countRounds = (channel: Channel | null) => rounds.get(inboxKey(channel)) ?? 0
  return {
    begun: (channel) => {
      currentInbox = inboxKey(channel)
    },
    failed: (channel) => {
      failedInbox = inboxKey(channel)
      return countRounds(channel)
    },
    wordGiven: () => {
      if (failedInbox !== null) rounds.set(failedInbox, (rounds.get(failedInbox) ?? 0) + 1)
      failedInbox = null
    },
    clear: () => {
      rounds.clear()
      failedInbox = null
    },
    answered: () => void rounds.delete(currentInbox),
    isHopeless: (channel) => countRounds(channel) >= maxRounds,
  }
}
