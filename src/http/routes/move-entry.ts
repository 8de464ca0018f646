/** PATCH /api/persona/{persona_id}/calendar/{id} */
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import { changeEntry } from '../../commands/calendar.ts'
import { route } from '../route.ts'
import { CalendarEntry, toEntryView } from '../schema/entries.ts'

const Body = z
  .object({
    kind: z.enum(['reminder', 'schedule']).optional(),
    when: z.string().optional().describe('Local date and time, as 2026-11-24T09:00, or one with an offset.'),
    content: z.string().optional(),
    zone: z
      .string()
      .nullish()
      .describe(
        'IANA name of its new time zone. Null means the zone of the daemon. Without `when`, the local time stays.',
      ),
    recurrence: Recurrence.nullish().describe(
      'Null ends the recurrence: the entry comes once more, at its next time.',
    ),
  })
  .meta({ id: 'CalendarEntryChange' })

export const moveEntryRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary: 'Change an entry that has not fallen due. Fields that are not sent stay',
  description: 'Times are given as in a new entry.',
  tag: 'Calendar',
  body: Body,
  reply: CalendarEntry,
  refuses: [
    'persona_unknown',
    'plan_unknown',
    'when_invalid',
    'when_past',
    'zone_unknown',
    'entry_empty',
    'too_long',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body }) =>
      toEntryView(await changeEntry(deps, persona, id, body)),
})
