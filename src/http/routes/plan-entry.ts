/** POST /api/persona/{persona_id}/calendar */
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import { writeEntry } from '../../commands/calendar.ts'
import { route } from '../route.ts'
import { CalendarEntry, toEntryView } from '../schema/entries.ts'

const Body = z
  .object({
    kind: z.enum(['reminder', 'schedule']).default('reminder'),
    when: z
      .string()
      .describe(
        'Local date and time, as 2026-11-24T09:00, or one with an offset. A recurring entry starts at its first time from then on.',
      ),
    content: z.string(),
    recurrence: Recurrence.nullish(),
    zone: z.string().nullish().describe('IANA name of its time zone. Default: the zone of the daemon.'),
  })
  .meta({ id: 'CalendarEntryRequest' })

export const planEntryRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/calendar',
  summary: 'Plan a reminder or an appointment, once or recurring',
  description: 'Times without an offset are in the time zone of the daemon, unless `zone` is set.',
  tag: 'Calendar',
  body: Body,
  reply: CalendarEntry,
  refuses: ['persona_unknown', 'when_invalid', 'when_past', 'zone_unknown', 'entry_empty', 'too_long'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { kind, when, content, recurrence = null, zone } }) =>
      toEntryView(await writeEntry(deps, id, { kind, when, content, recurrence, zone })),
})
