/** PATCH /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import type { Plan } from '../../../projections/plans.ts'
import { known } from '../../commands/known.ts'
import { Refused } from '../../persona/refusals.ts'
import type { Clock } from '../../time/clock.ts'
import { route } from '../route.ts'
import { type Asked, CalendarEntry, entryView, placed, readWhen, readZone } from '../schema/entries.ts'

const Body = z
  .object({
    kind: z.enum(['reminder', 'schedule']).optional(),
    when: z.string().optional().describe('Local date and time, as 2026-11-24T09:00, or one with an offset.'),
    content: z.string().optional(),
    zone: z
      .string()
      .nullish()
      .describe(
        'IANA name of the zone that it is meant in from now on; null for where the daemon lives. Without `when`, the time on the wall stays.',
      ),
    recurrence: Recurrence.nullish().describe('Null ends it: it comes once more, at its next time.'),
  })
  .meta({ id: 'CalendarEntryChange' })

export const moveEntry = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary: 'Change an entry that has not fallen due: what is not given stays',
  body: Body,
  reply: CalendarEntry,
  refuses: ['persona_unknown', 'plan_unknown', 'when_invalid', 'when_past', 'zone_unknown', 'entry_empty', 'too_long'],
  handle:
    ({ personas, clock, inTurn }) =>
    ({ params: { persona_id: id, id: entry }, body }) => {
      known(personas, id)
      // Two changes of one entry both count.
      return inTurn(`calendar of ${id}`, async () => {
        const plan = await personas.read(id, async ({ persona: { plans } }) => valueAt(plans.open, entry))
        if (!plan) throw new Refused({ code: 'plan_unknown', id: entry })
        const changed = await changedTo(plan, body, clock)
        if (!isSame(changed, plan)) await personas.execute(id, { type: 'MoveEntry', entry: changed }, 'person')
        return entryView(changed)
      })
    },
})

type Changed = Omit<Plan, 'seq'>

const changedTo = async ({ seq: _, ...plan }: Plan, body: z.infer<typeof Body>, clock: Clock): Promise<Changed> => {
  const { kind = plan.kind, when, content = plan.content, recurrence = plan.recurrence } = body
  const changed = { ...plan, kind, content: content.trim(), recurrence }
  const zone = body.zone === undefined ? plan.zone : await readZone(body.zone, clock)
  const asked = when === undefined && zone === plan.zone ? null : await readWhen(when ?? plan.wall, zone)
  // Where only its words or its zone change, a 31st that stands on the 28th now stays a 31st.
  const anchor = recurrence === plan.recurrence && (!asked || asked.wall === plan.wall) ? plan.anchor : plan.wall
  if (!asked || (await isTimeOf(plan, asked))) return { ...changed, anchor }
  // Hours are counted from an instant, which is another there.
  const isCounted = asked.wall === plan.wall && recurrence !== 'hourly'
  return { ...changed, ...(await placed(asked, recurrence, clock.now(), isCounted ? anchor : asked.wall)) }
}

const isTimeOf = async ({ wall, zone }: Plan | Changed, asked: Asked): Promise<boolean> => {
  const { instantOf } = await import('../../time/local-time.ts')
  return asked.zone === zone && asked.wall === wall && asked.at === instantOf(wall, zone)
}

const isSame = (changed: Changed, plan: Plan): boolean =>
  (['kind', 'content', 'recurrence', 'wall', 'zone', 'anchor'] as const).every((part) => changed[part] === plan[part])
