/** GET /api/persona/{persona_id}/history */

import * as z from 'zod'
import { type PersonaId, Status } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import { offsetThen } from '../../../packages/kit/time/clock.ts'
import { listMemories } from '../../../projections/memories.ts'
import { lastDays } from '../../../projections/past-calendar.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import { toPersonaRecord } from '../../../projections/persona-record.ts'
import type { Plans } from '../../../projections/plans.ts'
import type { Self } from '../../../projections/self.ts'
import { sumUp } from '../../../projections/usage.ts'
import { type PortraitView, withoutCredentials } from '../../../projections/view.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { getPosition, openPastAt, type PastState } from '../../persona/past.ts'
import { Refused } from '../../persona/refusals.ts'
import { usageWithin } from '../../persona/usage-ledger.ts'
import { type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { comingWithin, ListedDays, ListedEntries, listEntries, toDayView } from './calendar-shapes.ts'
import { Conversation, conversationPage } from './conversation.ts'
import { Knowledge, knowledgeView, loadSecondPerson, Memories, timeIn } from './memory.ts'
import { Moment, momentDescription, readMoment, toMoment } from './moments.ts'
import { PersonaRecordShape, PortraitViewShape } from './persona-shapes.ts'
import { UsageSums } from './usage.ts'

/** Max messages and days in the response. An earlier moment shows those before. */
const mostMessages = 50
const mostDays = 50

const History = z
  .object({
    at: Moment.describe('The last fact at that moment.'),
    persona: PersonaRecordShape.describe('Without keys and tokens, which the journal does not contain.'),
    status: Status,
    portrait: PortraitViewShape.nullable(),
    memories: Memories.shape.memories,
    knowledge: Knowledge.describe(
      'As returned by the route of that name. Built-in instructions are the current ones.',
    ),
    instructions: z
      .array(z.object({ id: z.string(), intention: z.string(), body: z.string() }))
      .readonly()
      .describe('The instructions it had learned.'),
    calendar: z
      .object({ schedule: ListedEntries, reminder: ListedEntries, due: ListedEntries })
      .describe('Entries that were planned, and entries that had fallen due but were not delivered yet.'),
    conversation: Conversation.shape.messages.describe('The last fifty messages.'),
    days: ListedDays.describe('The last fifty days that were over.'),
    usage: UsageSums,
  })
  .meta({ id: 'History' })

export const getHistoryRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/history',
  summary: 'The persona as it was at a moment of its life',
  description:
    'Rebuilt from the journal alone: the persona, its memory, calendar and conversation at that moment.',
  tag: 'Journal',
  query: z.object({ at: z.string().describe(momentDescription) }),
  reply: History,
  refuses: ['persona_unknown', 'moment_unknown', 'moment_invalid'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { at }, response }) => {
      requireListed(deps.personas, id)
      const moment = await readMoment(at, 'at', deps.clock.zone)
      return withAbortSignal(response, deps.closing, (signal) =>
        deps.personas.read(id, async ({ journal }) => {
          const pastState = await openPastAt(journal, await getPosition(journal, moment, signal), signal)
          if (!pastState) throw new Refused({ code: 'moment_unknown' })
          return view(deps, id, journal, pastState)
        }),
      )
    },
})

const view = async (
  { clock, config }: RouteDeps,
  id: PersonaId,
  journal: Journal,
  pastState: PastState,
): Promise<z.input<typeof History>> => {
  const { self, knowledge, plans } = pastState.persona
  return {
    at: toMoment(pastState.last),
    persona: withoutSecrets(toPersonaRecord(self, () => null, config.urls)),
    status: self.status,
    portrait: toPastPortrait(id, self),
    memories: listMemories(knowledge, null, timeIn(clock)).map(await loadSecondPerson()),
    knowledge: knowledgeView(knowledge),
    instructions: listValues(knowledge.instructions).map(({ id, intention, body }) => ({
      id,
      intention,
      body,
    })),
    calendar: await createCalendar(plans),
    conversation: (await conversationPage(id, pastState, { limit: mostMessages })).messages,
    days: (await lastDays(pastState.journal, mostDays, offsetThen(clock.zone))).map(toDayView),
    usage: await sumUp(usageWithin(journal, { from: null, to: null }, { upTo: pastState.last.seq })),
  }
}

/** By its file name, since the address of the portrait always returns the current one. */
const toPastPortrait = (id: string, { portrait }: Self): PortraitView | null =>
  portrait && {
    url: `/api/persona/${id}/media/${portrait.filename}`,
    mime: portrait.mime,
    bytes: portrait.bytes,
  }

/** Facts contain no keys, but URLs in old facts may contain a name and a password. */
const withoutSecrets = (record: ReturnType<typeof toPersonaRecord>): ReturnType<typeof toPersonaRecord> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && 'url' in value
        ? { ...value, url: withoutCredentials(value.url) }
        : value,
    ]),
  ) as unknown as ReturnType<typeof toPersonaRecord>

const createCalendar = async ({ open, due }: Plans) => {
  const all = { from: -Infinity, to: Infinity }
  const comingPlans = await comingWithin(listValues(open), [], all)
  const fallenEntries = await comingWithin(due, [], all)
  return {
    schedule: listEntries(comingPlans, 'schedule'),
    reminder: listEntries(comingPlans, 'reminder'),
    due: [...listEntries(fallenEntries, 'schedule'), ...listEntries(fallenEntries, 'reminder')],
  }
}
