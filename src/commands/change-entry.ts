/** Changes an entry that is not due yet. Missing fields stay. */
import type { PersonaId, Recurrence } from '../../journal/facts/fact-values.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { Plan } from '../../projections/plans.ts'
import { Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { type Asked, type PlannedEntry, placed, readWhen, readZone } from './entry-times.ts'
import { known } from './known.ts'

export interface EntryChange {
  readonly kind?: PlannedEntry['kind'] | undefined
  readonly when?: string | undefined
  readonly content?: string | undefined
  /** Null for the daemon's zone. */
  readonly zone?: string | null | undefined
  /** Null ends the recurrence. */
  readonly recurrence?: Recurrence | null | undefined
}

/**
 * Throws Refused: persona_unknown, plan_unknown, when_invalid, when_past, zone_unknown, entry_empty,
 * too_long.
 */
export const changeEntry = async (
  { personas, clock, inTurn }: Pick<CommandDeps, 'personas' | 'clock' | 'inTurn'>,
  persona: PersonaId,
  id: string,
  change: EntryChange,
): Promise<PlannedEntry> => {
  known(personas, persona)
  // Serialized, so that concurrent changes of one entry all count.
  return inTurn(`calendar of ${persona}`, async () => {
    const plan = await personas.read(persona, async ({ persona: { plans } }) => valueAt(plans.open, id))
    if (!plan) throw new Refused({ code: 'plan_unknown', id })
    const changed = await applyChange(plan, change, clock)
    if (!isSame(changed, plan))
      await personas.execute(persona, { type: 'MoveEntry', entry: changed }, 'person')
    return changed
  })
}

type ChangedEntry = Omit<Plan, 'seq'>

const applyChange = async (
  { seq: _, ...plan }: Plan,
  change: EntryChange,
  clock: Clock,
): Promise<ChangedEntry> => {
  const { kind = plan.kind, when, content = plan.content, recurrence = plan.recurrence } = change
  const changed = { ...plan, kind, content: content.trim(), recurrence }
  const zone = change.zone === undefined ? plan.zone : await readZone(change.zone, clock)
  const asked = when === undefined && zone === plan.zone ? null : await readWhen(when ?? plan.wall, zone)
  // If the time stays, a monthly entry on the 31st keeps its day, even when it is now on the 28th.
  const anchor =
    recurrence === plan.recurrence && (!asked || asked.wall === plan.wall) ? plan.anchor : plan.wall
  if (!asked || (await isTimeOf(plan, asked))) return { ...changed, anchor }
  // Hourly entries count from an instant, which differs in another zone.
  const isCounted = asked.wall === plan.wall && recurrence !== 'hourly'
  return { ...changed, ...(await placed(asked, recurrence, clock.now(), isCounted ? anchor : asked.wall)) }
}

const isTimeOf = async ({ wall, zone }: Plan | ChangedEntry, asked: Asked): Promise<boolean> => {
  const { instantOf } = await import('../../packages/kit/time/local-time.ts')
  return asked.zone === zone && asked.wall === wall && asked.at === instantOf(wall, zone)
}

const isSame = (changed: ChangedEntry, plan: Plan): boolean =>
  (['kind', 'content', 'recurrence', 'wall', 'zone', 'anchor'] as const).every(
    (part) => changed[part] === plan[part],
  )
