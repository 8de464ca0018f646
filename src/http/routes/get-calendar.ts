/** GET /api/persona/{persona_id}/calendar */

import * as z from 'zod'
import { offsetThen } from '../../../packages/kit/time/clock.ts'
import { daysWithin, fallenWithin } from '../../../projections/calendar.ts'
import { valuesOf } from '../../../projections/persistent-map.ts'
import { known } from '../../commands/lifecycle.ts'
import { yieldingJournal } from '../../persona/yielding-journal.ts'
import { route } from '../route.ts'
import { comingWithin, ListedDays, ListedEntries, listed, toDayView } from '../schema/entries.ts'
import { instantDescription, readInstant } from '../schema/window.ts'

const Calendar = z
  .object({
    ...{ start: z.string(), end: z.string() },
    history: z
      .object({
        conversation: ListedDays,
        ...{ schedule: ListedEntries, reminder: ListedEntries },
      })
      .describe('Days that are over and entries that fell due, at their planned time.'),
    destiny: z
      .object({ schedule: ListedEntries, reminder: ListedEntries })
      .describe('Planned entries. For recurring ones, only the next time.'),
  })
  .meta({ id: 'Calendar' })

export const getCalendarRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/calendar',
  summary: 'The past and planned entries between two moments',
  description: 'All occurrences in that time, the earliest first.',
  tag: 'Calendar',
  query: z.object({
    start: z.string().describe(`Start of the range. ${instantDescription}`),
    end: z.string().describe(`End of the range, exclusive. ${instantDescription}`),
  }),
  reply: Calendar,
  refuses: ['persona_unknown', 'window_invalid'],
  handle:
    ({ personas, clock }) =>
    async ({ params: { persona_id: id }, query: { start, end } }) => {
      known(personas, id)
      const { zone } = clock
      const from = await readInstant(start, zone, ['start', 'end'])
      const span = { from, to: await readInstant(end, zone, ['start', 'end']) }
      const { instantOf } = await import('../../../packages/kit/time/local-time.ts')
      return personas.read(id, async ({ persona: { plans }, journal }) => {
        const read = yieldingJournal(journal)
        const fallenEntries = await fallenWithin(read, { span, waiting: plans.due, instantOf })
        const days = await daysWithin(read, span, offsetThen(zone))
        const coming = await comingWithin(valuesOf(plans.open), fallenEntries, span)
        return {
          start,
          end,
          history: {
            conversation: days.map(toDayView),
            schedule: listed(fallenEntries, 'schedule'),
            reminder: listed(fallenEntries, 'reminder'),
          },
          destiny: { schedule: listed(coming, 'schedule'), reminder: listed(coming, 'reminder') },
        }
      })
    },
})
