/** What is planned, and how days end. */
import * as z from 'zod'
import { fact, unchanged } from './fact.ts'
import { Recurrence, Seq, Via } from './fact-values.ts'

const planned = {
  index: 'plans',
  search: null,
  state: ['plans'],
  background: false,
  missed: true,
  changes: [],
  wish: 'none',
  blank: null,
} as const
const slept = {
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
 * `wall` is local time without offset (`2026-11-23T09:00:00`) in `zone` (IANA); `anchor` is the wall time
 * that was asked for: every occurrence is counted from it. `via` is present if words of others stand in it.
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
}
const plan = {
  ...planned,
  search: 'plan',
  outside: ['id', 'kind', 'wall', 'zone', 'recurrence', 'anchor'],
  older: [unchanged],
  blank: { content: '', via: null },
} as const

export const timeFacts = {
  EntryPlanned: fact(entry, plan),
  /** The same entry, as it is from now on. */
  EntryMoved: fact(entry, plan),
  EntryCancelled: fact({ id: z.string() }, { ...planned, outside: ['id'] }),
  EntryDue: fact({ id: z.string() }, { ...planned, outside: ['id'] }),
  EntryDone: fact({ id: z.string() }, { ...planned, outside: ['id'] }),

  /**
   * It sleeps: by its person's wish, or because a day is over. Without an end it is run again at the next
   * waking.
   */
  SleepBegan: fact({ life: z.int(), by: z.enum(['person', 'clock']) }, { ...slept, outside: ['life', 'by'] }),
  /**
   * What was said with `after < seq <= upTo`, between `began` and `ended` (epoch milliseconds), is a day that
   * is over. `by`: the Mind's words, or an excerpt where it gave none.
   */
  DayClosed: fact(
    {
      after: z.int().min(0),
      upTo: Seq,
      began: z.int(),
      ended: z.int(),
      summary: z.string(),
      by: z.enum(['mind', 'excerpt']),
    },
    {
      ...{ ...slept, search: 'day', background: false, outside: ['after', 'upTo', 'began', 'ended', 'by'] },
      blank: { summary: '' },
    },
  ),
  /** A diary stands with the others, and tells what was written up to `upTo`. */
  DiaryWritten: fact({ upTo: Seq, bytes: z.int() }, { ...slept, index: null, outside: ['upTo'] }),
  SleepEnded: fact(
    { life: z.int(), outcome: z.enum(['slept', 'failed']), reason: z.string().nullable() },
    {
      ...{ ...slept, outside: ['life', 'outcome', 'reason'] },
      counted: { as: 'sleeps', by: ['outcome'] },
    },
  ),
}
