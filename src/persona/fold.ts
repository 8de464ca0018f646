/** What a persona is, folded from its journal. */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { evolve, type Persona, personaVersion } from '../../projections/persona.ts'

/** Whose snapshots hold its state. */
export const projector = 'persona'

interface Folded {
  readonly persona: Persona | undefined
  /** Position of the snapshot it began with. */
  readonly kept: number
  readonly damage: Damaged | null
}

/**
 * As it was at a position, its latest by default. Folds what lies behind the newest snapshot; a damaged
 * journal gives what can be read of it, and the damage. `passing` is shown it after each fact.
 */
export const fold = async (
  journal: Pick<Journal, 'head' | 'read' | 'snapshot'>,
  upTo: number = journal.head.seq,
  passing?: (persona: Persona, seq: Seq) => Promise<void>,
): Promise<Folded> => {
  const snapshot = await journal.snapshot(projector, personaVersion, upTo)
  let persona = snapshot?.state as Persona | undefined
  const kept = snapshot?.head.seq ?? 0
  try {
    for await (const entry of journal.read({ after: kept, upTo })) {
      persona = evolve(persona, entry)
      if (passing) await passing(persona, entry.seq)
    }
    return { persona, kept, damage: null }
  } catch (error) {
    if (error instanceof Damaged) return { persona, kept, damage: error }
    throw error
  }
}

/** The same where all of it must be readable, and of this persona. Damaged. */
export const foldWhole = async (
  id: PersonaId,
  journal: Journal,
): Promise<{ readonly persona: Persona; readonly kept: number }> => {
  const { persona, kept, damage } = await fold(journal)
  if (damage || !persona) throw damage ?? new Damaged(1, 'there is no first fact')
  if (persona.self.id !== id) throw new Damaged(1, 'is of somebody else')
  return { persona, kept }
}
