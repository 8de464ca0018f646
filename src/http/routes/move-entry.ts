/** PATCH /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { Recurrence } from '../../../journal/events.ts'
import type { Plan } from '../../../projections/plans.ts'
import { Refused } from '../../persona/refusals.ts'
import { CalendarEntry, entryView, placed, readWhen } from '../entries.ts'
import { known } from '../known.ts'
import { route } from '../route.ts'

const Body = z
  .object({
    kind: z.enum(['reminder', 'schedule']).optional(),
    when: z.string().optional().describe('Date and time in the zone of the entry, as 2026-11-24T09:00, or one with an offset.'),
    content: z.string().optional(),
    recurrence: Recurrence.nullish().describe('Null ends it: it comes once more, at its next time.'),
  })
  .meta({ id: 'CalendarEntryChange' })

export const moveEntry = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary: 'Change an entry that has not fallen due: what is not given stays',
  body: Body,
  reply: CalendarEntry,
  refuses: ['persona_unknown', 'plan_unknown', 'when_invalid', 'when_past', 'entry_empty', 'too_long'],
  handle:
    ({ personas, clock, inTurn }) =>
    ({ params: { persona_id: id, id: entry }, body }) => {
      known(personas, id)
      // Two changes of one entry both count.
      return inTurn(`calendar of ${id}`, async () => {
        const plan = await personas.read(id, async ({ persona: { plans } }) => plans.open[entry])
        if (!plan) throw new Refused({ code: 'plan_unknown', id: entry })
        const changed = await changedTo(plan, body, clock.now())
        if (!isSame(changed, plan)) await personas.execute(id, { type: 'MoveEntry', entry: changed }, 'person')
        return entryView(changed)
      })
    },
})

type Changed = Omit<Plan, 'seq'>

const changedTo = async ({ seq: _, ...plan }: Plan, body: z.infer<typeof Body>, now: number): Promise<Changed> => {
  const { kind = plan.kind, when, content = plan.content, recurrence = plan.recurrence } = body
  const changed = { ...plan, kind, content: content.trim(), recurrence }
  const asked = when === undefined ? null : await readWhen(when, plan.zone)
  if (asked && asked.wall !== plan.wall) return { ...changed, ...(await placed(asked, recurrence, now)) }
  // Where only its words change, a 31st that stands on the 28th now stays a 31st.
  return recurrence === plan.recurrence ? changed : { ...changed, anchor: plan.wall }
}

const isSame = (changed: Changed, plan: Plan): boolean =>
  (['kind', 'content', 'recurrence', 'wall', 'zone', 'anchor'] as const).every((part) => changed[part] === plan[part])
