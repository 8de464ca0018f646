/** Routes of the calendar. */

import * as z from 'zod'
import { Recurrence, type Seq } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { offsetThen } from '../../../packages/kit/time/clock.ts'
import { daysWithin, type Fallen, fallenWithin } from '../../../projections/past-calendar.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import type { Plan } from '../../../projections/plans.ts'
import { changeEntry, dropEntry, writeEntry } from '../../commands/calendar.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { yieldingJournal } from '../../persona/yielding-journal.ts'
import { alreadySent, route } from '../route.ts'
import {
  CalendarEntry,
  comingWithin,
  ListedDays,
  ListedEntries,
  listEntries,
  toDayView,
  toEntryView,
} from './calendar-shapes.ts'
import { SubscribedEvents, toEventView } from './calendar-subscriptions.ts'
import { instantDescription, readInstant } from './moments.ts'

const Calendar = z
  .object({
    start: z.string(),
    end: z.string(),
    history: z
      .object({
        conversation: ListedDays,
        schedule: ListedEntries,
        reminder: ListedEntries,
      })
      .describe('Days that are over and entries that fell due, at their planned time.'),
    destiny: z
      .object({ schedule: ListedEntries, reminder: ListedEntries })
      .describe('Planned entries. For recurring ones, only the next time.'),
    subscribed: SubscribedEvents.optional().describe(
      'Only if asked for: events of subscribed calendars, by their start. At most the 2000 earliest.',
    ),
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
    subscribed: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: also list events of subscribed calendars, which others wrote.'),
  }),
  reply: Calendar,
  refuses: ['persona_unknown', 'window_invalid'],
  handle:
    ({ personas, clock, subscribedCalendars }) =>
    async ({ params: { persona_id: id }, query: { start, end, subscribed } }) => {
      requireListed(personas, id)
      const { zone } = clock
      const from = await readInstant(start, zone, ['start', 'end'])
      const span = { from, to: await readInstant(end, zone, ['start', 'end']) }
      const { toInstant: instantOf } = await import('../../../packages/kit/time/local-time.ts')
      const events = subscribed === 'true' ? await subscribedCalendars.listEvents(id, span) : null
      return personas.read(id, async ({ persona: { plans }, journal }) => {
        const read = yieldingJournal(journal)
        const fallenEntries = await fallenWithin(read, { span, waiting: plans.due, toInstant: instantOf })
        const days = await daysWithin(read, span, offsetThen(zone))
        const comingPlans = await comingWithin(listValues(plans.open), fallenEntries, span)
        return {
          start,
          end,
          history: {
            conversation: days.map(toDayView),
            schedule: listEntries(fallenEntries, 'schedule'),
            reminder: listEntries(fallenEntries, 'reminder'),
          },
          destiny: {
            schedule: listEntries(comingPlans, 'schedule'),
            reminder: listEntries(comingPlans, 'reminder'),
          },
          ...(events && { subscribed: events.map((event) => toEventView(event, zone)) }),
        }
      })
    },
})

const PlanEntryBody = z
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
  body: PlanEntryBody,
  reply: CalendarEntry,
  refuses: ['persona_unknown', 'when_invalid', 'when_past', 'zone_unknown', 'entry_empty', 'too_long'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { kind, when, content, recurrence = null, zone } }) =>
      toEntryView(await writeEntry(deps, id, { kind, when, content, recurrence, zone })),
})

const MoveEntryBody = z
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
  body: MoveEntryBody,
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

export const cancelEntryRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/calendar/{id}',
  summary:
    'Cancel an entry with all its later occurrences, or one that has fallen due and was not delivered yet',
  description: 'The entry stays in the journal, but the persona no longer reminds of it.',
  tag: 'Calendar',
  reply: z.null(),
  refuses: ['persona_unknown', 'plan_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await dropEntry(deps, persona, id)
      return null
    },
})

export const calendarFeedRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/calendar.ics',
  summary: 'The calendar of the persona as an iCalendar feed, to subscribe to',
  description:
    'Entries that fell due recently and all planned ones, for programs that subscribe to calendars. Answers 304 if nothing has changed.',
  tag: 'Calendar',
  reply: 'text/calendar',
  refuses: ['persona_unknown'],
  handle:
    ({ personas, clock }) =>
    async ({ params: { persona_id: id }, response }) => {
      const { self } = requireListed(personas, id)
      const [{ toICalendar: feedText, recentMs }, { toInstant: instantOf }] = await Promise.all([
        import('../../calendar/icalendar.ts'),
        import('../../../packages/kit/time/local-time.ts'),
      ])
      const now = clock.now()
      const entries = await personas.read(id, async ({ persona: { plans }, journal }) => {
        const read = yieldingJournal(journal)
        const span = { from: now - recentMs, to: now }
        const fallenEntries = await fallenWithin(read, { span, waiting: plans.due, toInstant: instantOf })
        const open = [...listValues(plans.open)].sort((a, b) => a.seq - b.seq)
        const times = await readTimes(read, open)
        return [
          ...fallenEntries
            .filter(({ plan }) => !open.some((openPlan) => isOccurrence(plan, openPlan)))
            .map(({ plan, fell }) => ({ entry: plan, written: fell, past: true })),
          ...open.map((plan) => ({ entry: plan, written: times.get(plan.seq) ?? now, past: false })),
        ]
      })
      response.setHeader('Content-Type', 'text/calendar; charset=utf-8')
      response.setHeader('Cache-Control', 'private, no-cache')
      // Express answers 304 if the client already has this version.
      response.send(feedText({ id, name: self.name, zone: clock.zone, now, entries }))
      return alreadySent
    },
})

/** An entry that recurs is listed once, from its first time. */
const isOccurrence = (plan: Fallen['plan'], openPlan: Plan): boolean =>
  plan.recurrence !== null &&
  (['recurrence', 'zone', 'anchor'] as const).every((part) => plan[part] === openPlan[part])

/** Returns the times when facts were written, by position. */
const readTimes = async (
  journal: Pick<Journal, 'read'>,
  plans: readonly Plan[],
): Promise<ReadonlyMap<Seq, number>> => {
  const times = new Map<Seq, number>()
  for (const { seq } of plans) {
    const entry = await entryAt(journal, seq)
    if (entry) times.set(seq, entry.at)
  }
  return times
}
