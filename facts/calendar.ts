/** Facts about plans, and about the end of days. */

import * as z from 'zod'
import { keepPayload } from '../journal/log/vocabulary.ts'
import { fact, ordinaryTraits } from './fact.ts'
import { CalendarKind, Recurrence, Seq, SeqBefore, Via } from './fact-values.ts'

const planTraits = { ...ordinaryTraits, index: 'plans', state: ['plans'] } as const
const calendarTraits = { ...ordinaryTraits, state: ['self'], changes: ['keys'] } as const
const dayTraits = {
  index: 'days',
  search: null,
  state: ['days'],
  background: true,
  missed: false,
  changes: [],
  wish: 'none',
  blank: null,
} as const

/**
 * `wall` is local time without offset (`2026-11-23T09:00:00`) in `zone` (IANA). `anchor` is the wall time
 * that was requested: every occurrence is computed from it. `via` is present if the entry contains
 * third-party text, `allDay` if the entry is for a day: its hour is only the moment when it is due.
 */
const entry = {
  id: z.string(),
  kind: z.enum(['reminder', 'schedule']),
  wall: z.string(),
  zone: z.string(),
  content: z.string(),
  recurrence: Recurrence.nullable(),
  anchor: z.string(),
  via: Via.nullable().optional(),
  allDay: z.literal(true).optional(),
}
const next = { id: { thing: 'plan', as: 'next' } } as const
const plan = {
  ...planTraits,
  search: 'plan',
  outside: ['id', 'kind', 'wall', 'zone', 'recurrence', 'anchor', 'allDay'],
  older: [keepPayload, keepPayload],
  blank: { content: '', via: null },
} as const

export const calendarFacts = {
  /** An entry of the calendar was planned. */
  EntryPlanned: fact(entry, { ...plan, links: { id: { thing: 'plan', as: 'first' } } }),
  /** The new version of an entry with the same id. */
  EntryMoved: fact(entry, { ...plan, links: next }),
  /** The entry was cancelled. */
  EntryCancelled: fact({ id: z.string() }, { ...planTraits, outside: ['id'], links: next }),
  /** The time of the entry has come. */
  EntryDue: fact({ id: z.string() }, { ...planTraits, outside: ['id'], links: next }),
  /** The entry was delivered, and does not recur. */
  EntryDone: fact({ id: z.string() }, { ...planTraits, outside: ['id'], links: next }),

  /**
   * The user subscribed to a calendar of others. `secret`: entry of the secrets file with its address, user
   * name and password, because an address may contain a token. Its events are not facts: they are read again.
   */
  CalendarSubscribed: fact(
    { id: z.string(), kind: CalendarKind, name: z.string(), host: z.string(), secret: z.string() },
    { ...calendarTraits, outside: ['id', 'kind'], links: { id: { thing: 'calendar', as: 'first' } } },
  ),
  /** The user ended the subscription. */
  CalendarUnsubscribed: fact(
    { id: z.string() },
    { ...calendarTraits, outside: ['id'], links: { id: { thing: 'calendar', as: 'next' } } },
  ),

  /**
   * The persona sleeps: the user asked for it, or the day is over. A sleep without SleepEnded is repeated at
   * the next start.
   */
  SleepBegan: fact(
    { life: z.int(), by: z.enum(['person', 'clock']) },
    { ...dayTraits, outside: ['life', 'by'], links: { life: { thing: 'sleep', as: 'first' } } },
  ),
  /**
   * The messages with `after < seq <= upTo`, between `began` and `ended` (epoch ms), form a closed day. `by`:
   * the summary comes from the model, or is an excerpt if the model gave none. `borrowed`: words of third
   * parties in it, which the user did not say; absent in older facts.
   */
  DayClosed: fact(
    {
      after: SeqBefore,
      upTo: Seq,
      began: z.int(),
      ended: z.int(),
      summary: z.string(),
      by: z.enum(['mind', 'excerpt']),
      borrowed: z.array(z.string()).readonly().optional(),
    },
    {
      ...dayTraits,
      search: 'day',
      background: false,
      outside: ['after', 'upTo', 'began', 'ended', 'by'],
      links: { after: null, upTo: { range: 'talk' } },
      older: [keepPayload],
      blank: { summary: '', borrowed: [] },
    },
  ),
  /** A diary was stored. It contains the journal up to `upTo`. */
  DiaryWritten: fact(
    { upTo: Seq, bytes: z.int() },
    { ...dayTraits, index: null, outside: ['upTo'], links: { upTo: null } },
  ),
  /** The sleep ended. */
  SleepEnded: fact(
    { life: z.int(), outcome: z.enum(['slept', 'failed']), reason: z.string().nullable() },
    {
      ...dayTraits,
      outside: ['life', 'outcome', 'reason'],
      links: { life: { thing: 'sleep', as: 'next' } },
      counted: { as: 'sleeps', by: ['outcome'] },
    },
  ),
}
