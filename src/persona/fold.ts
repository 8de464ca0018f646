/** Folds a persona from its journal. */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { evolveStored, type Persona, personaVersion } from '../../projections/persona.ts'

/** Name of the snapshots of this state. */
export const projector = 'persona'

interface FoldResult {
  readonly persona: Persona | undefined
  /** Position of the snapshot that the fold began with. */
  readonly kept: number
  readonly damage: Damaged | null
}

/**
 * Returns the state at a position (default: the latest). Replays the facts after the newest snapshot. For a
 * damaged journal, returns the readable part and the damage. Calls `passing` after each fact.
 */
export const fold = async (
  journal: Pick<Journal, 'head' | 'read' | 'snapshot'>,
  upTo: number = journal.head.seq,
  onPosition?: (persona: Persona, seq: Seq) => Promise<void>,
): Promise<FoldResult> => {
  const snapshot = await journal.snapshot(projector, personaVersion, upTo)
  let persona = snapshot?.state as Persona | undefined
  const snapshotSeq = snapshot?.head.seq ?? 0
  try {
    for await (const entry of journal.read({ after: snapshotSeq, upTo })) {
      persona = evolveStored(persona, entry)
      if (onPosition) await onPosition(persona, entry.seq)
    }
    return { persona, kept: snapshotSeq, damage: null }
  } catch (error) {
    if (error instanceof Damaged) return { persona, kept: snapshotSeq, damage: error }
    throw error
  }
}

/** Same, but throws Damaged unless the whole journal is readable and belongs to this persona. */
export const foldWhole = async (
  id: PersonaId,
  journal: Journal,
): Promise<{ readonly persona: Persona; readonly kept: number }> => {
  const { persona, kept, damage } = await fold(journal)
  if (damage || !persona) throw damage ?? new Damaged(1, 'there is no first fact')
  if (persona.self.id !== id) throw new Damaged(1, 'belongs to another persona')
  return { persona, kept }
}
