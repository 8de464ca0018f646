/**
 * Unexpected errors of a running persona. A defect in the daemon must never make a persona mute: each kind of
 * work has a limited number of tries, and the last error is shown to the user until the work succeeds again.
 */
import { Damaged } from '../../journal/log/errors.ts'
import type { Log } from '../../packages/kit/log.ts'
import { Unanswered } from '../mind/think.ts'
import { Refused, isUnavailable } from '../persona/refusals.ts'

/** The work that failed, as the user is told. */
const works = {
  turn: 'Answering',
  night: 'Sleeping',
  review: 'Going over the talk',
  reminder: 'A reminder',
  heartbeat: 'The regular look at the clock',
} as const
export type Work = keyof typeof works

export interface Faults {
  /** Logs the error and keeps it for `told`. Never throws. */
  add(work: Work, error: unknown): void
  /** The work succeeded. */
  clear(work: Work): void
  /** In words for the user, without the error's own message; null if all work succeeds. */
  told(): string | null
}

export const createFaults = ({ id, log }: { readonly id: string; readonly log: Log }): Faults => {
  const current = new Map<Work, { readonly times: number; readonly kind: string }>()
  return {
    add: (work, error) => {
      const kind = kindOf(error)
      const times = (current.get(work)?.times ?? 0) + 1
      current.set(work, { times, kind })
      log.error({ id, err: error, count: times }, `${works[work]} failed in the daemon`)
    },
    clear: (work) => void current.delete(work),
    told: () => {
      const [first] = current
      if (!first) return null
      const [work, { times, kind }] = first
      return `${works[work]} failed ${times === 1 ? 'once' : `${times} times in a row`} because of a defect in the daemon (${kind}). Nothing that was said is lost. Look into its log, and report what it says there.`
    },
  }
}

/** The name alone: a message may hold words of the user, a path or a key. */
export const kindOf = (error: unknown): string => {
  const name = error instanceof Error ? error.name : typeof error
  return /^\w{1,40}$/.test(name) ? name : 'Error'
}

/**
 * Whether no part of the daemon expects the error. A refusal, a cut, a model that does not answer and a disk
 * that refuses have rules of their own.
 */
export const isUnexpected = (error: unknown): boolean =>
  !(error instanceof Refused || error instanceof Unanswered || error instanceof Damaged) &&
  !isUnavailable(error) &&
  !(error instanceof Error && (error.name === 'AbortError' || isOutOfRoom(error)))

/** The system has no room, memory or file handles left, or takes no writes: the same succeeds later. */
const isOutOfRoom = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'].includes(code)
