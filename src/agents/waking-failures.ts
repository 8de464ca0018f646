/**
 * Failed starts of personas: stores the reason, records it once, and makes the persona sick after a while.
 */

import pLimit from 'p-limit'
import type { PersonaId } from '../../facts/fact-values.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { ModelError } from '../../packages/models/models.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { isUnavailable, Refused } from '../persona/refusals.ts'
import { untilSick } from './health-monitor.ts'

export interface WakingFailures {
  /** Returns the reason of the last failed start. Null after a successful one. */
  getReason(id: PersonaId): string | null
  /**
   * Returns true if the start failed because the journal could not be written. The persona and its model are
   * fine then.
   */
  isOfJournal(id: PersonaId): boolean
  /** Handles a failed start and returns the reason. Never rejects. */
  onFailure(id: PersonaId, error: unknown): Promise<string>
  /** Does nothing if the persona is already sick. Never rejects. */
  markSick(id: PersonaId, reason: string): Promise<void>
  forget(id: PersonaId): void
}

// Starts the agents that should run, a few at a time during boot, and retries each until it runs.

interface Deps {
  readonly personas: Pick<PersonaStore, 'execute' | 'getRow'>
  readonly log: Log
  /** Aborts when the daemon closes. Failures after that do not count. */
  readonly closing: AbortSignal
}

export const createWakingFailures = ({ personas, log, closing }: Deps): WakingFailures => {
  const failures = new Map<PersonaId, { readonly reason: string; readonly isJournalFailure: boolean }>()

  const markSick = async (id: PersonaId, reason: string) => {
    await personas.execute(id, { type: 'FallSick', reason }, 'host').catch((err: unknown) => {
      if (!(err instanceof Refused)) log.warn({ id, err }, 'failed to record that a persona is sick')
    })
  }

  return {
    getReason: (id) => failures.get(id)?.reason ?? null,
    isOfJournal: (id) => failures.get(id)?.isJournalFailure === true,
    onFailure: async (id, error) => {
      const reason = formatError(error)
      // The persona was stopped or changed in the meantime.
      if (closing.aborted || error instanceof Refused) return reason
      log.warn({ id, reason }, 'failed to start a persona')
      // The persona should run but cannot. For an explicit start the caller gets the reason instead.
      if (error instanceof ModelError && error.isLasting && personas.getRow(id)?.self.wanted)
        await markSick(id, reason)
      // Recorded once per reason, so that retries do not fill the journal.
      if (failures.get(id)?.reason !== reason)
        await personas
          .execute(id, { type: 'FailWaking', reason }, 'host')
          .catch((err: unknown) => log.warn({ id, err }, 'failed to record a failed start'))
      failures.set(id, { reason, isJournalFailure: isUnavailable(error) })
      return reason
    },
    markSick,
    forget: (id) => void failures.delete(id),
  }
}

const formatError = (error: unknown): string => {
  if (error instanceof ModelError) return error.message
  return pathless(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

interface WakeDeps {
  readonly clock: Clock
  /** Returns true if the agent should run and does not. */
  readonly shouldRun: (id: PersonaId) => boolean
  /**
   * Tries to start the agent after its pending steps. Resolves with the reason of the failure, or null. Never
   * rejects.
   */
  readonly tryToWake: (id: PersonaId) => Promise<string | null>
  readonly markSick: WakingFailures['markSick']
  readonly isOfJournal: WakingFailures['isOfJournal']
  readonly closing: AbortSignal
}

const pauses: Backoff = { first: 5000, longest: 5 * 60_000 }
/** Short, because a try is cheap and a disk or the servers of a cluster may recover at any time. */
const journalPauses: Backoff = { first: 1000, longest: 4000 }
const maxParallel = 16
/**
 * With more personas, garbage is collected less often, because each collection visits all live objects.
 * Measured: otherwise a thousand personas run after 10 s instead of 8 s.
 */
const manyPersonas = 200

/** Resolves after the first try. If it failed, retries continue in the background. */
export const wakeUntilAwake = async (id: PersonaId, deps: WakeDeps): Promise<void> => {
  if ((await deps.tryToWake(id)) !== null) void keepWaking(id, deps)
}

/** Starts up to `maxParallel` agents at a time. Retries do not block the others. */
export const wakeAllUntilAwake = async (ids: readonly PersonaId[], deps: WakeDeps): Promise<void> => {
  if (ids.length === 0) return
  await sparingMemory(
    () => pLimit(maxParallel).map(ids, (id) => wakeUntilAwake(id, deps)),
    ids.length > manyPersonas ? 'sparingly' : 'tightly',
  )
}

/** Retries after a failed try, with growing pauses, until the agent runs or should not run anymore. */
export const keepWaking = async (
  id: PersonaId,
  { clock, shouldRun, tryToWake, markSick, isOfJournal, closing }: WakeDeps,
) => {
  const startedAt = clock.now()
  for (let failures = 1; shouldRun(id); failures++) {
    await clock.wait(pauseAfter(failures, isOfJournal(id) ? journalPauses : pauses), closing)
    const reason = await tryToWake(id)
    if (reason === null || isOfJournal(id)) continue
    if (clock.now() - startedAt >= untilSick && shouldRun(id)) await markSick(id, reason)
  }
}
