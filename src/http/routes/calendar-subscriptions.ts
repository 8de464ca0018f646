/** Routes of the calendars of others that a persona is subscribed to. */
import * as z from 'zod'
import { CalendarKind } from '../../../facts/fact-values.ts'
import { calendarFailureKinds } from '../../../packages/calendars/calendar-failed.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import type { SubscribedEvent, SubscriptionState } from '../../calendar/subscribed-calendars.ts'
import {
  findServerCalendars,
  refreshCalendar,
  subscribeCalendar,
  unsubscribeCalendar,
} from '../../commands/calendar-subscriptions.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { withoutEcho } from '../server/validation.ts'

const CalendarSubscription = z
  .object({
    id: z.string(),
    kind: CalendarKind.describe(
      '`ics`: a file in iCalendar format. `caldav`: a calendar of a CalDAV server.',
    ),
    name: z.string(),
    host: z
      .string()
      .describe('Host of its address. The address itself may contain a token and is not shown.'),
    refreshed_at: z.string().nullable().describe('When the server last answered. Null: not yet.'),
    error: z.string().nullable().describe('Why the last refresh failed. Null if it succeeded.'),
    error_kind: z
      .enum([...calendarFailureKinds, 'daemon'])
      .nullable()
      .describe('The class of `error`. `daemon`: an error of the daemon.'),
    note: z.string().nullable().describe('What is not shown. Null if nothing is missing.'),
    events: z.int().describe('Times of events from a year ago until in two years.'),
  })
  .meta({ id: 'CalendarSubscription' })

/** An event of a subscribed calendar. */
export const SubscribedEvents = z
  .array(
    z.object({
      calendar: z.object({ id: z.string(), name: z.string() }),
      time: z.string().describe('Its start, with the offset.'),
      end: z.string().describe('Its end, exclusive; the start if it has no duration.'),
      days: z
        .object({ first: z.string(), last: z.string() })
        .optional()
        .describe('Only of an event without hours: its days, both inclusive.'),
      title: z.string(),
      place: z.string().optional(),
      notes: z.string().optional(),
      tentative: z.literal(true).optional(),
      repeats: z.literal(true).optional(),
    }),
  )
  .readonly()

export const toEventView = (
  { calendar, start, end, ...event }: SubscribedEvent,
  zone: string,
): z.input<typeof SubscribedEvents>[number] => ({
  calendar,
  time: isoIn(zone, start),
  end: isoIn(zone, end),
  ...event,
})

const toView = (
  { id, kind, name, host, refreshed, error, errorKind, note, events }: SubscriptionState,
  zone: string,
): z.infer<typeof CalendarSubscription> => ({
  ...{ id, kind, name, host, error, note, events },
  error_kind: errorKind,
  refreshed_at: refreshed === null ? null : isoIn(zone, refreshed),
})

const Address = z.string().trim().min(1).max(2000)
const User = z.string().max(500)
const Password = z.string().max(500)

export const listSubscriptionsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/calendar/subscriptions',
  summary: 'The calendars of others that the persona is subscribed to',
  description: 'With the time of the last answer of each server, and why the last refresh failed.',
  tag: 'Calendar',
  reply: z
    .object({ subscriptions: z.array(CalendarSubscription).readonly() })
    .meta({ id: 'CalendarSubscriptions' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas, subscribedCalendars, clock }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      const states = await subscribedCalendars.states(id)
      return { subscriptions: states.map((state) => toView(state, clock.zone)) }
    },
})

export const subscribeCalendarRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/calendar/subscriptions',
  summary: 'Subscribe the persona to a calendar of others, which it can read and not change',
  description:
    'The calendar is read once before the answer. Address, user and password are stored in the secrets file, and no answer contains them.',
  tag: 'Calendar',
  body: withoutEcho(
    z
      .object({
        kind: CalendarKind.default('ics'),
        address: Address.describe(
          'Begins with `https://`, `http://` or `webcal://`. For `caldav`: the address of one calendar, as `…/find` returns it.',
        ),
        user: User.optional(),
        password: Password.optional().describe('An app password, if the provider has them.'),
        name: z.string().max(200).optional().describe('Default: the name that the calendar gives itself.'),
      })
      .meta({ id: 'CalendarSubscriptionRequest' }),
  ),
  reply: CalendarSubscription,
  refuses: [
    'persona_unknown',
    'calendar_address_invalid',
    'calendar_unreadable',
    'calendar_subscribed',
    'calendars_full',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) =>
        toView(await subscribeCalendar(deps, id, body, signal), deps.clock.zone),
      ),
})

export const findCalendarsRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/calendar/subscriptions/find',
  summary: 'List the calendars of a CalDAV server',
  description: 'Stores nothing. Subscribe to each calendar that the user chooses with its `address`.',
  tag: 'Calendar',
  body: withoutEcho(
    z.object({ address: Address, user: User, password: Password }).meta({ id: 'CalendarSearchRequest' }),
  ),
  reply: z
    .object({ calendars: z.array(z.object({ address: z.string(), name: z.string() })).readonly() })
    .meta({ id: 'FoundCalendars' }),
  refuses: ['persona_unknown', 'calendar_address_invalid', 'calendar_unreadable'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const calendars = await findServerCalendars(deps, id, body, signal)
        return { calendars: calendars.map(({ url, name }) => ({ address: url, name })) }
      }),
})

export const refreshSubscriptionRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/calendar/subscriptions/{id}/refresh',
  summary: 'Ask the server of a subscribed calendar now',
  description: 'A failure is in `error`. Otherwise the daemon asks by itself while the persona runs.',
  tag: 'Calendar',
  reply: CalendarSubscription,
  refuses: ['persona_unknown', 'calendar_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) =>
        toView(await refreshCalendar(deps, persona, id, signal), deps.clock.zone),
      ),
})

export const unsubscribeCalendarRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/calendar/subscriptions/{id}',
  summary: 'End the subscription to a calendar of others',
  description: 'Its address, its password and its events are deleted.',
  tag: 'Calendar',
  reply: z.null(),
  refuses: ['persona_unknown', 'calendar_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await unsubscribeCalendar(deps, persona, id)
      return null
    },
})
