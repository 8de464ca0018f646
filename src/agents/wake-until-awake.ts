/**
 * Waking those who should run: some at a time when the daemon starts, and each again and again until it is
 * awake.
 */
import pLimit from 'p-limit'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import { sparingMemory } from '../../packages/kit/flow/heap-growth.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { untilSick } from './health-monitor.ts'
import type { WakingFailures } from './waking-failures.ts'

interface Deps {
  readonly clock: Clock
  /** Whether it is to be awake and is not. */
  readonly shouldRun: (id: PersonaId) => boolean
  /** One try, after the steps before it: why it failed, or null. Never rejects. */
  readonly tryToWake: (id: PersonaId) => Promise<string | null>
  readonly sicken: WakingFailures['sicken']
  readonly isOfJournal: WakingFailures['isOfJournal']
  readonly closing: AbortSignal
}

const pauses: Backoff = { first: 5000, longest: 5 * 60_000 }
/** Asking costs nothing, and a disk or the servers of a cluster may be back at any moment. */
const journalPauses: Backoff = { first: 1000, longest: 4000 }
const atOnce = 16
/** Each collection looks at all that is alive. ⏱ A thousand would all run after 10 s, not 8. */
const many = 200

/** Resolves after the first try; where that failed, goes on trying behind it. */
export const wakeUntilAwake = async (id: PersonaId, deps: Deps): Promise<void> => {
  if ((await deps.tryToWake(id)) !== null) void keepWaking(id, deps)
}

/** What must be tried again does not keep the others from their turn. */
export const wakeAllUntilAwake = async (ids: readonly PersonaId[], deps: Deps): Promise<void> => {
  if (ids.length === 0) return
  await sparingMemory(
    () => pLimit(atOnce).map(ids, (id) => wakeUntilAwake(id, deps)),
    ids.length > many ? 'sparingly' : 'tightly',
  )
}

/** After a try that failed: tries again, with growing pauses, until it is awake or is to be no more. */
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
