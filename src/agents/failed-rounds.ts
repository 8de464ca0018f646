/**
 * Turns of a channel that fail, though the Mind gives its word just before and just after: at last it is what
 * waits there that cannot be answered.
 */
import type { Channel } from '../../journal/facts/fact-values.ts'
import { inboxKey } from '../../projections/talk.ts'

export interface FailedRounds {
  begun(channel: Channel | null): void
  /** Returns how many rounds failed there before. */
  failed(channel: Channel | null): number
  /** The Mind gives its word after what has failed. */
  wordGiven(): void
  /** The Mind itself is away: no channel is to blame. */
  clear(): void
  /** What was tried again and again has been answered: what comes next on that channel has its own tries. */
  answered(): void
  isHopeless(channel: Channel | null): boolean
}

const mostRounds = 3

/** `open`: the channel of the turn in progress. */
export const createFailedRounds = (open: Channel | null): FailedRounds => {
  const rounds = new Map<string, number>()
  let current = inboxKey(open)
  /** Its turn failed since the last word of the Mind. */
  let blamed: string | null = null
  const roundsOf = (channel: Channel | null) => rounds.get(inboxKey(channel)) ?? 0
  return {
    begun: (channel) => {
      current = inboxKey(channel)
    },
    failed: (channel) => {
      blamed = inboxKey(channel)
      return roundsOf(channel)
    },
    wordGiven: () => {
      if (blamed !== null) rounds.set(blamed, (rounds.get(blamed) ?? 0) + 1)
      blamed = null
    },
    clear: () => {
      rounds.clear()
      blamed = null
    },
    answered: () => void rounds.delete(current),
    isHopeless: (channel) => roundsOf(channel) >= mostRounds,
  }
}
