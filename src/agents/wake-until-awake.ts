/** Starts the agents that should run, a few at a time during boot, and retries each until it runs. */
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { untilSick } from './health-monitor.ts'
import type { WakingFailures } from './waking-failures.ts'

interface Deps {
  readonly clock: Clock
  /** Returns true if the agent should run and does not. */
  readonly shouldRun: (id: PersonaId) => boolean
  /**
   * Tries to start the agent after its pending steps. Resolves with the reason of the failure, or null. Never
   * rejects.
   */
  readonly tryToWake: (id: PersonaId) => Promise<string | null>
  readonly sicken: WakingFailures['sicken']
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
export const wakeUntilAwake = async (id: PersonaId, deps: Deps): Promise<void> => {
  if ((await deps.tryToWake(id)) !== null) void keepWaking(id, deps)
}

/** Starts up to `maxParallel` agents at a time. Retries do not block the others. */
export const wakeAllUntilAwake = async (ids: readonly PersonaId[], deps: Deps): Promise<void> => {
  if (ids.length === 0) return
  await sparingMemory(
    () => pLimit(maxParallel).map(ids, (id) => wakeUntilAwake(id, deps)),
    ids.length > manyPersonas ? 'sparingly' : 'tightly',
  )
}

/** Retries after a failed try, with growing pauses, until the agent runs or should not run anymore. */
export const keepWaking = async (
  id: PersonaId,
  { clock, shouldRun, tryToWake, sicken, isOfJournal, closing }: Deps,
) => {
  const since = clock.now()
  for (let failures = 1; shouldRun(id); failures++) {
    await clock.wait(pauseAfter(failures, isOfJournal(id) ? journalPauses : pauses), closing)
    const reason = await tryToWake(id)
    if (reason === null || isOfJournal(id)) continue
    if (clock.now() - since >= untilSick && shouldRun(id)) await sicken(id, reason)
  }
}
