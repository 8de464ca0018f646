/** GET /api/persona/{persona_id}/calendar.ics */
import type { Seq } from '../../../journal/facts/fact-values.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import type { Journal } from '../../../journal/log/journal.ts'
import { type Fallen, fallenWithin } from '../../../projections/calendar.ts'
import { valuesOf } from '../../../projections/persistent-map.ts'
import type { Plan } from '../../../projections/plans.ts'
import { known } from '../../commands/lifecycle.ts'
import { yieldingJournal } from '../../persona/yielding-journal.ts'
import { route, sent } from '../route.ts'

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
      const { self } = known(personas, id)
      const [{ feedText, lately }, { instantOf }] = await Promise.all([
        import('../../calendar/icalendar.ts'),
        import('../../../packages/kit/time/local-time.ts'),
      ])
      const now = clock.now()
      const entries = await personas.read(id, async ({ persona: { plans }, journal }) => {
        const read = yieldingJournal(journal)
        const span = { from: now - lately, to: now }
        const fallenEntries = await fallenWithin(read, { span, waiting: plans.due, instantOf })
        const open = [...valuesOf(plans.open)].sort((a, b) => a.seq - b.seq)
        const times = await readTimes(read, open)
        return [
          ...fallenEntries
            .filter(({ plan }) => !open.some((openPlan) => isOccurrenceOf(plan, openPlan)))
            .map(({ plan, fell }) => ({ entry: plan, written: fell, past: true })),
          ...open.map((plan) => ({ entry: plan, written: times.get(plan.seq) ?? now, past: false })),
        ]
      })
      response.setHeader('Content-Type', 'text/calendar; charset=utf-8')
      response.setHeader('Cache-Control', 'private, no-cache')
      // Express answers 304 if the client already has this version.
      response.send(feedText({ id, name: self.name, zone: clock.zone, now, entries }))
      return sent
    },
})

/** An entry that recurs is listed once, from its first time. */
const isOccurrenceOf = (plan: Fallen['plan'], openPlan: Plan): boolean =>
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
