/** A persona at an earlier position, with a view of its journal that ends there. */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import type { Entry, Head, Journal } from '../../journal/log/journal.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { fold, projector } from './fold.ts'

export interface Past {
  readonly persona: Persona
  readonly journal: Pick<Journal, 'head' | 'read'>
  /** The fact at the position. */
  readonly last: Entry
}

/** Returns null before the first fact. Throws Damaged. */
export const pastAt = async (journal: Journal, seq: Seq | 0, gone?: AbortSignal): Promise<Past | null> => {
  const hash = seq === 0 ? undefined : await journal.hashAt(seq)
  if (hash === undefined) return null
  const then = endingAt(journal, { seq, hash }, gone)
  const { persona, damage } = await fold(then, seq, storeSnapshots(journal))
  if (damage || !persona) throw damage ?? new Error('there is no first fact')
  const last = await entryAt(then, seq)
  return last ? { persona, journal: then, last } : null
}

/** Returns a view of the journal that ends at `head`. */
export const endingAt = (journal: Journal, head: Head, gone?: AbortSignal): Journal => ({
  ...journal,
  head,
  read: (range) =>
    yielding(journal.read({ ...range, upTo: Math.min(range.upTo ?? head.seq, head.seq) }), gone),
})

/** Facts between snapshots. After a new fold version a whole life is replayed without any. */
const snapshotInterval = 4096

const storeSnapshots = (journal: Journal) => {
  let read = 0
  return async (state: Persona, seq: Seq): Promise<void> => {
    if (++read % snapshotInterval !== 0) return
    const hash = await journal.hashAt(seq)
    if (hash === undefined) return
    await journal
      .keepSnapshot({ projector, version: personaVersion, head: { seq, hash }, state })
      // The snapshot only saves time. The next append reports a failing disk.
      .catch(() => undefined)
  }
}
