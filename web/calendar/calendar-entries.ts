/** The contents of a persona's calendar: planned entries, past entries and past days. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { toDateField, toTimeField } from '../shared/moments.ts'
import type { Shape } from '../shared/shapes.ts'

type ReminderItem = Shape<'Calendar'>['destiny']['reminder'][number]
export type Kind = Shape<'CalendarEntry'>['kind']
export type Recurrence = NonNullable<ReminderItem['recurrence']>
export type View = 'agenda' | 'week' | 'month'

export const recurrences = [
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
] as const satisfies readonly Recurrence[]

export interface Entry {
  readonly id: string
  readonly kind: Kind
  readonly at: Date
  readonly body: string
  readonly recurrence: Recurrence | null
  /** No hour was given. */
  readonly isAllDay: boolean
  /** The source of third-party text in the entry. */
  readonly via: NonNullable<ReminderItem['via']> | null
  /** `fallen`: the entry was due and is over. `waiting`: it was due and has not been delivered yet. */
  readonly state: 'planned' | 'fallen' | 'waiting'
}

/** An event of a subscribed calendar. Others wrote its texts. */
export interface CalendarEvent {
  readonly key: string
  readonly calendar: string
  readonly at: Date
  /** Exclusive. */
  readonly end: Date
  readonly isAllDay: boolean
  readonly title: string
  readonly place: string | null
  readonly notes: string | null
  readonly isTentative: boolean
}

/** The persona's summary of a past day. */
export interface Story {
  readonly at: Date
  readonly words: string
}

export interface Content {
  readonly entries: readonly Entry[]
  readonly stories: readonly Story[]
  readonly events: readonly CalendarEvent[]
}

export interface Span {
  readonly from: Date
  readonly to: Date
}

/** Later than every planned entry. */
export const endOfTime = new Date('9998-12-31T00:00:00Z')

export const loadContent = async (id: string, { from, to }: Span): Promise<Answer<Content>> => {
  const answer = await answerTo(
    client.GET('/api/persona/{persona_id}/calendar', {
      params: {
        path: { persona_id: id },
        query: { start: from.toISOString(), end: to.toISOString(), subscribed: 'true' },
      },
    }),
  )
  if (!answer.ok) return answer
  const { history, destiny, subscribed = [] } = answer.value
  return {
    ok: true,
    value: {
      entries: inOrder([
        ...toEntries(history.reminder, 'reminder', 'fallen'),
        ...toEntries(history.schedule, 'schedule', 'fallen'),
        ...toEntries(destiny.reminder, 'reminder', 'planned'),
        ...toEntries(destiny.schedule, 'schedule', 'planned'),
      ]),
      stories: toStories(history.conversation),
      events: subscribed.map(toEvent),
    },
  }
}

/** Returns the calendar as it was at a moment: the entries planned then, and the last past days. */
export const loadPastContent = async (id: string, moment: string): Promise<Answer<Content>> => {
  const answer = await answerTo(
    client.GET('/api/persona/{persona_id}/history', {
      params: { path: { persona_id: id }, query: { at: moment } },
    }),
  )
  if (!answer.ok) return answer
  const { calendar, days } = answer.value
  return {
    ok: true,
    value: {
      entries: inOrder([
        ...toEntries(calendar.due, 'reminder', 'waiting'),
        ...toEntries(calendar.reminder, 'reminder', 'planned'),
        ...toEntries(calendar.schedule, 'schedule', 'planned'),
      ]),
      stories: toStories(days),
      events: [],
    },
  }
}

const toEntries = (items: readonly ReminderItem[], kind: Kind, state: Entry['state']): readonly Entry[] =>
  items.map(({ id, time, body, recurrence, all_day: isAllDay = false, via = null }) => ({
    id,
    kind,
    at: new Date(time),
    body,
    recurrence,
    isAllDay,
    via,
    state,
  }))

type SubscribedItem = NonNullable<Shape<'Calendar'>['subscribed']>[number]

/** A day without hours begins at midnight here, not in the zone of the daemon. */
const toEvent = (
  { calendar, time, end, days, title, place, notes, tentative }: SubscribedItem,
  index: number,
): CalendarEvent => {
  const lastDay = days && new Date(`${days.last}T00:00`)
  lastDay?.setDate(lastDay.getDate() + 1)
  return {
    key: `${calendar.id} ${index}`,
    calendar: calendar.name,
    at: new Date(days ? `${days.first}T00:00` : time),
    end: lastDay ?? new Date(end),
    isAllDay: days !== undefined,
    title,
    place: place ?? null,
    notes: notes ?? null,
    isTentative: tentative ?? false,
  }
}

const toStories = (days: Shape<'Calendar'>['history']['conversation']): readonly Story[] =>
  days.map(({ time, body }) => ({ at: new Date(time), words: body }))

const inOrder = (entries: readonly Entry[]): readonly Entry[] =>
  [...entries].sort((a, b) => a.at.getTime() - b.at.getTime())

/** An entry as the user typed it, in the user's time zone. */
export interface EntryInput {
  readonly kind: Kind
  readonly body: string
  /** YYYY-MM-DD */
  readonly date: string
  /** HH:MM */
  readonly time: string
  readonly recurrence: Recurrence | null
}

/**
 * `userZone`: the zone of the user if it differs from the daemon's. A browser without a name for it sends the
 * moment instead of the local time.
 */
export const plan = (
  id: string,
  { kind, body, date, time, recurrence }: EntryInput,
  userZone: { readonly zone: string | null } | null,
): Promise<Answer<unknown>> =>
  answerTo(
    client.POST('/api/persona/{persona_id}/calendar', {
      params: { path: { persona_id: id } },
      body: {
        kind,
        content: body,
        recurrence,
        zone: userZone?.zone ?? null,
        when: userZone?.zone === null ? new Date(`${date}T${time}`).toISOString() : `${date}T${time}`,
      },
    }),
  )

/**
 * Sends the time only if it changed: an entry of the 31st that falls on the 28th this month stays on the
 * 31st.
 */
export const change = (id: string, entry: Entry, input: EntryInput): Promise<Answer<unknown>> => {
  const date = new Date(`${input.date}T${input.time}`)
  const isMoved = input.date !== toDateField(entry.at) || input.time !== toTimeField(entry.at)
  return answerTo(
    client.PATCH('/api/persona/{persona_id}/calendar/{id}', {
      params: { path: { persona_id: id, id: entry.id } },
      body: {
        kind: input.kind,
        content: input.body,
        recurrence: input.recurrence,
        ...(isMoved && { when: date.toISOString() }),
      },
    }),
  )
}

export const moveTo = (id: string, entry: string, moment: Date): Promise<Answer<unknown>> =>
  answerTo(
    client.PATCH('/api/persona/{persona_id}/calendar/{id}', {
      params: { path: { persona_id: id, id: entry } },
      body: { when: moment.toISOString() },
    }),
  )

export const cancelEntry = (id: string, entry: string): Promise<Answer<unknown>> =>
  answerTo(
    client.DELETE('/api/persona/{persona_id}/calendar/{id}', {
      params: { path: { persona_id: id, id: entry } },
    }),
  )
