/** Plans a reminder or appointment, once or recurring. */
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
  /** Default: the daemon's zone. */
  readonly zone: string | null | undefined
  /** Set for a program. */
  readonly via?: Via
}

/** Throws Refused: persona_unknown, when_invalid, when_past, zone_unknown, entry_empty, too_long. */
export const writeEntry = async (
  { personas, clock, newId }: Pick<CommandDeps, 'personas' | 'clock' | 'newId'>,
  persona: PersonaId,
  { kind, when, content, recurrence, zone, via }: NewEntry,
): Promise<PlannedEntry> => {
  known(personas, persona)
  const asked = await readWhen(when, await readZone(zone, clock))
  // Short, since the Mind repeats it to cancel a plan.
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
