/**
 * A persona as it stood at a position, and its journal as if it ended there: what reads the one of now reads
 * it.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { entryAt } from '../../journal/log/entry-at.ts'
import type { Entry, Head, Journal } from '../../journal/log/journal.ts'
import { type Persona, personaVersion } from '../../projections/persona.ts'
import { yielding } from '../flow/yielding.ts'
import { fold, projector } from './fold.ts'

export interface Past {
  readonly persona: Persona
  readonly journal: Pick<Journal, 'head' | 'read'>
  /** The fact at that position. */
  readonly last: Entry
}

/** Null before the first fact. Damaged. */
export const pastAt = async (journal: Journal, seq: Seq | 0, gone?: AbortSignal): Promise<Past | null> => {
  const hash = seq === 0 ? undefined : await journal.hashAt(seq)
  if (hash === undefined) return null
  const then = endingAt(journal, { seq, hash }, gone)
  const { persona, damage } = await fold(then, seq, keeping(journal))
  if (damage || !persona) throw damage ?? new Error('there is no first fact')
  const last = await entryAt(then, seq)
  return last ? { persona, journal: then, last } : null
}

/** A journal as it was when it ended there. */
export const endingAt = (journal: Journal, head: Head, gone?: AbortSignal): Journal => ({
  ...journal,
  head,
  read: (range) =>
    yielding(journal.read({ ...range, upTo: Math.min(range.upTo ?? head.seq, head.seq) }), gone),
})

/** Facts that are folded without a snapshot between them: after a fold has changed, a whole life. */
const farApart = 4096

const keeping = (journal: Journal) => {
  let read = 0
  return async (state: Persona, seq: Seq): Promise<void> => {
    if (++read % farApart !== 0) return
    const hash = await journal.hashAt(seq)
    if (hash === undefined) return
    await journal
      .keepSnapshot({ projector, version: personaVersion, head: { seq, hash }, state })
      // Only for speed: what keeps it from being written will be met by the next append.
      .catch(() => undefined)
  }
}
