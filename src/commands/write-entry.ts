/** Plan: a reminder or an appointment, once or again and again. */
import type { PersonaId, Recurrence, Via } from '../../journal/facts/fact-values.ts'
import type { CommandDeps } from './command-deps.ts'
import { type PlannedEntry, placed, readWhen, readZone } from './entry-times.ts'
import { known } from './known.ts'

export interface NewEntry {
  readonly kind: PlannedEntry['kind']
  /** A local date and time, or one with an offset. */
  readonly when: string
  readonly content: string
  readonly recurrence: Recurrence | null
  /** Where the daemon lives, if none is given. */
  readonly zone: string | null | undefined
  /** Present if a program asks for it. */
  readonly via?: Via
}

/** Refused: persona_unknown, when_invalid, when_past, zone_unknown, entry_empty, too_long. */
export const writeEntry = async (
  { personas, clock, newId }: Pick<CommandDeps, 'personas' | 'clock' | 'newId'>,
  persona: PersonaId,
  { kind, when, content, recurrence, zone, via }: NewEntry,
): Promise<PlannedEntry> => {
  known(personas, persona)
  const asked = await readWhen(when, await readZone(zone, clock))
  // Short: the Mind copies it when it cancels a plan.
  const id = `p${newId().slice(0, 8)}`
  const entry = {
    id,
    kind,
    content: content.trim(),
    recurrence,
    ...(await placed(asked, recurrence, clock.now())),
    ...(via && { via }),
  }
  await personas.execute(persona, { type: 'WriteEntry', entry }, 'person')
  return entry
}
