/** GET /api/persona/{persona_id}/changes */

import * as z from 'zod'
import { Document, type Seq, Slot, Status } from '../../../facts/fact-values.ts'
import type { Journal } from '../../../facts/persona-journal.ts'
import { yielding } from '../../../packages/kit/flow/yielding.ts'
import { channelName } from '../../../projections/bot-channels.ts'
import { getDifference } from '../../../projections/differences.ts'
import { initialKnowledge } from '../../../projections/knowledge.ts'
import { toMemory } from '../../../projections/memories.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import { initialPlans, type Plan } from '../../../projections/plans.ts'
import { sumUp } from '../../../projections/usage.ts'
import { organView } from '../../../projections/view.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { getPosition, openPastAt, type PastState } from '../../persona/past.ts'
import { Refused } from '../../persona/refusals.ts'
import { usageWithin } from '../../persona/usage-ledger.ts'
import { HttpRefused } from '../refused.ts'
import { type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { CalendarEntry, toEntryView } from './calendar-shapes.ts'
import { Memories, timeIn } from './memory.ts'
import { Moment, momentDescription, readMoment, toMoment } from './moments.ts'
import { ChannelView, OrganView } from './persona-shapes.ts'
import { UsageSums } from './usage.ts'

const Instruction = z.object({ id: z.string(), intention: z.string(), body: z.string() })

const fromTo = <T extends z.ZodType>(value: T) => ({ before: value, after: value })
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly()

const Changes = z
  .object({
    from: Moment,
    to: Moment,
    name: z.object(fromTo(z.string())).nullable(),
    status: z.object(fromTo(Status)).nullable(),
    memories: z.object({
      kept: Memories.shape.memories,
      revised: list(z.object({ id: z.string(), document: Document, ...fromTo(z.string()) })),
      forgotten: Memories.shape.memories.describe('Their text before.'),
    }),
    instructions: z.object({
      learned: list(Instruction),
      revised: list(z.object({ id: z.string(), ...fromTo(z.string()) })),
      removed: list(Instruction),
    }),
    plans: z.object({
      planned: list(CalendarEntry),
      moved: list(z.object({ id: z.string(), ...fromTo(CalendarEntry) })),
      fallen_due: list(CalendarEntry),
      cancelled: list(CalendarEntry),
    }),
    organs: list(z.object({ slot: Slot, ...fromTo(OrganView.nullable()) })),
    channels: z.object({
      added: list(ChannelView),
      changed: list(z.object(fromTo(ChannelView))),
      removed: list(ChannelView),
    }),
    messages: z.object({ person: z.int(), persona: z.int() }).describe('Messages in between.'),
    usage: UsageSums.describe('Usage of the calls in between.'),
  })
  .meta({ id: 'Changes' })

export const getChangesRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/changes',
  summary:
    'The differences between two moments of its life. Changes that were reverted in between are not listed',
  description:
    'Statements, instructions, plans, organs and channels that differ, and the messages and usage in between.',
  tag: 'Journal',
  query: z.object({
    from: z.string().describe(`${momentDescription} Before the first fact there was nothing.`),
    to: z.string().optional().describe(`${momentDescription} Default: now.`),
  }),
  reply: Changes,
  refuses: ['persona_unknown', 'moment_unknown', 'moment_invalid', 'moments_reversed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { from, to }, response }) => {
      const { clock, personas } = deps
      requireListed(personas, id)
      const beginMoment = await readMoment(from, 'from', clock.zone)
      const end = to === undefined ? null : await readMoment(to, 'to', clock.zone)
      return withAbortSignal(response, deps.closing, (signal) =>
        personas.read(id, async ({ journal }) => {
          const first = await getPosition(journal, beginMoment, signal)
          const last = end ? await getPosition(journal, end, signal) : journal.head.seq
          if (last === 0) throw new Refused({ code: 'moment_unknown' })
          if (first > last) throw new HttpRefused({ code: 'moments_reversed' })
          const pastBefore = await openPastAt(journal, first, signal)
          const pastAfter = await openPastAt(journal, last, signal)
          if (!pastAfter) throw new Refused({ code: 'moment_unknown' })
          return compare(deps, journal, { before: pastBefore, after: pastAfter }, signal)
        }),
      )
    },
})

interface PastStates {
  readonly before: PastState | null
  readonly after: PastState
}

const compare = async (
  deps: RouteDeps,
  journal: Journal,
  states: PastStates,
  signal: AbortSignal,
): Promise<z.input<typeof Changes>> => {
  const { before, after } = states
  const range = { after: before?.last.seq ?? 0, upTo: after.last.seq }
  const earlierSelf = before?.persona.self
  const laterSelf = after.persona.self
  return {
    from: before ? toMoment(before.last) : { seq: 0, time: null },
    to: toMoment(after.last),
    name:
      earlierSelf && earlierSelf.name !== laterSelf.name
        ? { before: earlierSelf.name, after: laterSelf.name }
        : null,
    status:
      earlierSelf && earlierSelf.status !== laterSelf.status
        ? { before: earlierSelf.status, after: laterSelf.status }
        : null,
    memories: memoriesBetween(states, deps),
    instructions: instructionsBetween(states),
    plans: await plansBetween(journal, states, range, signal),
    organs: organsBetween(states, deps),
    channels: channelsBetween(states),
    messages: await messagesWithin(journal, range, signal),
    usage: await sumUp(usageWithin(journal, { from: null, to: null }, range)),
  }
}

const memoriesBetween = ({ before, after }: PastStates, { clock }: RouteDeps) => {
  const { added, changed, removed } = getDifference(
    listValues((before?.persona.knowledge ?? initialKnowledge).statements),
    listValues(after.persona.knowledge.statements),
    (a, b) => a.text === b.text && a.document === b.document,
  )
  const view = (statement: (typeof added)[number]) => toMemory(statement, timeIn(clock))
  return {
    kept: added.map(view),
    revised: changed.map(({ id, before, after }) => ({
      id,
      document: after.document,
      before: before.text,
      after: after.text,
    })),
    forgotten: removed.map(view),
  }
}

const instructionsBetween = ({ before, after }: PastStates) => {
  const { added, changed, removed } = getDifference(
    listValues((before?.persona.knowledge ?? initialKnowledge).instructions),
    listValues(after.persona.knowledge.instructions),
    (a, b) => a.body === b.body,
  )
  const view = ({ id, intention, body }: (typeof added)[number]) => ({ id, intention, body })
  return {
    learned: added.map(view),
    revised: changed.map(({ id, before, after }) => ({ id, before: before.body, after: after.body })),
    removed: removed.map(view),
  }
}

interface PositionRange {
  readonly after: Seq | 0
  readonly upTo: Seq
}

const plansBetween = async (
  journal: Journal,
  { before, after }: PastStates,
  range: PositionRange,
  signal: AbortSignal,
) => {
  const { added, changed, removed } = getDifference(
    listValues((before?.persona.plans ?? initialPlans).open),
    listValues(after.persona.plans.open),
    isSamePlan,
  )
  const cancelledIds = new Set<string>()
  if (removed.length > 0)
    for await (const { type, event } of yielding(journal.read({ kind: 'plans', ...range }), signal))
      if (type === 'EntryCancelled' && event.type === 'EntryCancelled') cancelledIds.add(event.id)
  const views = (plans: readonly Plan[]) => Promise.all(plans.map(toEntryView))
  return {
    planned: await views(added),
    moved: await Promise.all(
      changed.map(async ({ id, before, after }) => ({
        id,
        before: await toEntryView(before),
        after: await toEntryView(after),
      })),
    ),
    fallen_due: await views(removed.filter(({ id }) => !cancelledIds.has(id))),
    cancelled: await views(removed.filter(({ id }) => cancelledIds.has(id))),
  }
}

const isSamePlan = (a: Plan, b: Plan): boolean =>
  (['kind', 'wall', 'zone', 'content', 'recurrence'] as const).every((part) => a[part] === b[part])

const organsBetween = ({ before, after }: PastStates, { config }: RouteDeps) =>
  Slot.options.flatMap((slot) => {
    const [earlierOrgan, laterOrgan] = [before, after].map((pastState) =>
      organView(pastState?.persona.self.organs[slot], config.urls),
    ) as [ReturnType<typeof organView>, ReturnType<typeof organView>]
    const isSame =
      earlierOrgan?.name === laterOrgan?.name &&
      earlierOrgan?.provider === laterOrgan?.provider &&
      earlierOrgan?.url === laterOrgan?.url
    return isSame ? [] : [{ slot, before: earlierOrgan, after: laterOrgan }]
  })

const channelsBetween = ({ before, after }: PastStates) => {
  const { added, changed, removed } = getDifference(
    before?.persona.self.channels ?? [],
    after.persona.self.channels,
    (a, b) => channelName(a) === channelName(b) && a.paired?.at === b.paired?.at,
  )
  const view = (channel: (typeof added)[number]) => ({
    type: channel.kind,
    name: channelName(channel),
    verified: channel.paired !== null,
  })
  return {
    added: added.map(view),
    changed: changed.map(({ before, after }) => ({ before: view(before), after: view(after) })),
    removed: removed.map(view),
  }
}

/** Positions whose messages are counted per batch. The index entries of a batch are in memory meanwhile. */
const atOnce = 65_536

/** Counts messages by their record headers, without decoding the payloads. */
const messagesWithin = async (journal: Journal, { after, upTo }: PositionRange, signal: AbortSignal) => {
  let person = 0
  let persona = 0
  for (let from = after; from < upTo; from += atOnce) {
    const range = { kind: 'talk', after: from, upTo: Math.min(upTo, from + atOnce) } as const
    for await (const { type } of yielding(journal.read(range), signal)) {
      if (type === 'MessageHeard') person++
      if (type === 'MessageSpoken') persona++
    }
  }
  return { person, persona }
}
