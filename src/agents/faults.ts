/**
 * Tracks unexpected errors of a running persona. A defect in the daemon must never make a persona mute: each
 * kind of work has a limited number of tries, and the user sees its last error until it succeeds again.
 */
import { Damaged } from '../../journal/log/errors.ts'
import type { Log } from '../../packages/kit/log.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { isUnavailable, Refused } from '../persona/refusals.ts'

/** The kinds of work, as shown to the user. */
const workNames = {
  turn: 'Answering',
  night: 'Sleeping',
  review: 'Consolidating the talk',
  reminder: 'A reminder',
  initiative: 'Writing by itself',
  heartbeat: 'The regular check',
} as const
export type Work = keyof typeof workNames

export interface Faults {
  /** Logs the error and remembers it for `describe`. Never throws. */
  add(work: Work, error: unknown): void
  /** Forgets the errors of a kind of work after it succeeded. */
  clear(work: Work): void
  /** Returns a message for the user without the error's own message. Null if all work succeeds. */
  describe(): string | null
}

export const createFaults = ({ id, log }: { readonly id: string; readonly log: Log }): Faults => {
  const currentFaults = new Map<Work, { readonly times: number; readonly kind: string }>()
  return {
    add: (work, error) => {
      const kind = getFaultKind(error)
      const times = (currentFaults.get(work)?.times ?? 0) + 1
      currentFaults.set(work, { times, kind })
      log.error({ id, err: error, count: times }, `${workNames[work]} failed in the daemon`)
    },
    clear: (work) => void currentFaults.delete(work),
    describe: () => {
      if (currentFaults.size === 0) return null
      const sentences = [...currentFaults].map(
        ([work, { times, kind }]) =>
          `${workNames[work]} failed ${times === 1 ? 'once' : `${times} times in a row`} because of a defect in the daemon (${kind}).`,
      )
      const errors = sentences.length === 1 ? 'error' : 'errors'
      return `${sentences.join(' ')} No message is lost. Please report the ${errors} that its log shows.`
    },
  }
}

/** Returns only the error's name: its message may contain the user's text, a path or a key. */
export const getFaultKind = (error: unknown): string => {
  const name = error instanceof Error ? error.name : typeof error
  return /^\w{1,40}$/.test(name) ? name : 'Error'
}

/**
 * Returns true for errors without a rule of their own. Refusals, aborts, model failures and disk errors have
 * one.
 */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Refused || error instanceof Unanswered || error instanceof Damaged) &&
  !isUnavailable(error) &&
  !(error instanceof Error && (error.name === 'AbortError' || isOutOfRoom(error)))

/**
 * The system is out of disk space, memory or file handles, or the disk is read-only. A retry can succeed
 * later.
 */
const isOutOfRoom = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code)
