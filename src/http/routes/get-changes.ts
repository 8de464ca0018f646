/** GET /api/persona/{persona_id}/changes */
import * as z from 'zod'
import { Document, type Seq, Slot, Status } from '../../../journal/facts/fact-values.ts'
import type { Journal } from '../../../journal/log/journal.ts'
import { yielding } from '../../../packages/kit/flow/yielding.ts'
import { channelName } from '../../../projections/bot-channels.ts'
import { differenceOf } from '../../../projections/differences.ts'
import { initialKnowledge } from '../../../projections/knowledge.ts'
import { memoryOf } from '../../../projections/memories.ts'
import { valuesOf } from '../../../projections/persistent-map.ts'
import { initialPlans, type Plan } from '../../../projections/plans.ts'
import { sumUp } from '../../../projections/usage.ts'
import { organView } from '../../../projections/view.ts'
import { known } from '../../commands/known.ts'
import { positionOf } from '../../persona/head-at.ts'
import { type Past, pastAt } from '../../persona/past.ts'
import { Refused } from '../../persona/refusals.ts'
import { usageWithin } from '../../persona/usage-ledger.ts'
import { type RouteDeps, route } from '../route.ts'
import { CalendarEntry, entryView } from '../schema/entries.ts'
import { aMoment, Moment, momentOf, readMoment } from '../schema/life-moment.ts'
import { HttpRefused } from '../schema/refused.ts'
import { ChannelView, Memories, OrganView, UsageSums } from '../schema/shapes.ts'
import { timeIn } from '../schema/statements.ts'
import { whileThere } from '../server/caller.ts'

const Instruction = z.object({ id: z.string(), intention: z.string(), body: z.string() })

const fromTo = <T extends z.ZodType>(value: T) => ({ before: value, after: value })
const list = <T extends z.ZodType>(item: T) => z.array(item).readonly()

const Changes = z
  .object({
    ...{ from: Moment, to: Moment },
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

export const changes = route({
  method: 'get',
  path: '/api/persona/{persona_id}/changes',
  summary:
    'The differences between two moments of its life. Changes that were reverted in between are not listed',
  description:
    'Statements, instructions, plans, organs and channels that differ, and the messages and usage in between.',
  tag: 'Journal',
  query: z.object({
    from: z.string().describe(`${aMoment} Before the first fact there was nothing.`),
    to: z.string().optional().describe(`${aMoment} Default: now.`),
  }),
  reply: Changes,
  refuses: ['persona_unknown', 'moment_unknown', 'moment_invalid', 'moments_reversed'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, query: { from, to }, response }) => {
      const { clock, personas } = deps
      known(personas, id)
      const begin = await readMoment(from, 'from', clock.zone)
      const end = to === undefined ? null : await readMoment(to, 'to', clock.zone)
      return whileThere(response, deps.closing, (gone) =>
        personas.read(id, async ({ journal }) => {
          const [first, last] = [
            await positionOf(journal, begin, gone),
            end ? await positionOf(journal, end, gone) : journal.head.seq,
          ]
          if (last === 0) throw new Refused({ code: 'moment_unknown' })
          if (first > last) throw new HttpRefused({ code: 'moments_reversed' })
          const [before, after] = [await pastAt(journal, first, gone), await pastAt(journal, last, gone)]
          if (!after) throw new Refused({ code: 'moment_unknown' })
          return compare(deps, journal, { before, after }, gone)
        }),
      )
    },
})

interface Compared {
  readonly before: Past | null
  readonly after: Past
}

const compare = async (
  deps: RouteDeps,
  journal: Journal,
  compared: Compared,
  gone: AbortSignal,
): Promise<z.input<typeof Changes>> => {
  const { before, after } = compared
  const range = { after: before?.last.seq ?? 0, upTo: after.last.seq }
  const [then, now] = [before?.persona.self, after.persona.self]
  return {
    from: before ? momentOf(before.last) : { seq: 0, time: null },
    to: momentOf(after.last),
    name: then && then.name !== now.name ? { before: then.name, after: now.name } : null,
    status: then && then.status !== now.status ? { before: then.status, after: now.status } : null,
    memories: memoriesBetween(compared, deps),
    instructions: instructionsBetween(compared),
    plans: await plansBetween(journal, compared, range, gone),
    organs: organsBetween(compared, deps),
    channels: channelsBetween(compared),
    messages: await messagesWithin(journal, range, gone),
    usage: await sumUp(usageWithin(journal, { from: null, to: null }, range)),
  }
}

const memoriesBetween = ({ before, after }: Compared, { clock }: RouteDeps) => {
  const { added, changed, removed } = differenceOf(
    valuesOf((before?.persona.knowledge ?? initialKnowledge).statements),
    valuesOf(after.persona.knowledge.statements),
    (one, other) => one.text === other.text && one.document === other.document,
  )
  const view = (statement: (typeof added)[number]) => memoryOf(statement, timeIn(clock))
  return {
    kept: added.map(view),
    revised: changed.map(({ id, before, after }) => ({
      ...{ id, document: after.document, before: before.text, after: after.text },
    })),
    forgotten: removed.map(view),
  }
}

const instructionsBetween = ({ before, after }: Compared) => {
  const { added, changed, removed } = differenceOf(
    valuesOf((before?.persona.knowledge ?? initialKnowledge).instructions),
    valuesOf(after.persona.knowledge.instructions),
    (one, other) => one.body === other.body,
  )
  const view = ({ id, intention, body }: (typeof added)[number]) => ({ id, intention, body })
  return {
    learned: added.map(view),
    revised: changed.map(({ id, before, after }) => ({ id, before: before.body, after: after.body })),
    removed: removed.map(view),
  }
}

interface Between {
  readonly after: Seq | 0
  readonly upTo: Seq
}

const plansBetween = async (
  journal: Journal,
  { before, after }: Compared,
  range: Between,
  gone: AbortSignal,
) => {
  const { added, changed, removed } = differenceOf(
    valuesOf((before?.persona.plans ?? initialPlans).open),
    valuesOf(after.persona.plans.open),
    isSamePlan,
  )
  const cancelled = new Set<string>()
  if (removed.length > 0)
    for await (const { type, event } of yielding(journal.read({ kind: 'plans', ...range }), gone))
      if (type === 'EntryCancelled' && event.type === 'EntryCancelled') cancelled.add(event.id)
  const views = (plans: readonly Plan[]) => Promise.all(plans.map(entryView))
  return {
    planned: await views(added),
    moved: await Promise.all(
      changed.map(async ({ id, before, after }) => ({
        ...{ id, before: await entryView(before), after: await entryView(after) },
      })),
    ),
    fallen_due: await views(removed.filter(({ id }) => !cancelled.has(id))),
    cancelled: await views(removed.filter(({ id }) => cancelled.has(id))),
  }
}

const isSamePlan = (one: Plan, other: Plan): boolean =>
  (['kind', 'wall', 'zone', 'content', 'recurrence'] as const).every((part) => one[part] === other[part])

const organsBetween = ({ before, after }: Compared, { config }: RouteDeps) =>
  Slot.options.flatMap((slot) => {
    const [then, now] = [before, after].map((past) =>
      organView(past?.persona.self.organs[slot], config.urls),
    ) as [ReturnType<typeof organView>, ReturnType<typeof organView>]
    const isSame = then?.name === now?.name && then?.provider === now?.provider && then?.url === now?.url
    return isSame ? [] : [{ slot, before: then, after: now }]
  })

const channelsBetween = ({ before, after }: Compared) => {
  const { added, changed, removed } = differenceOf(
    before?.persona.self.channels ?? [],
    after.persona.self.channels,
    (one, other) => channelName(one) === channelName(other) && one.paired?.at === other.paired?.at,
  )
  const view = (channel: (typeof added)[number]) => ({
    ...{ type: channel.kind, name: channelName(channel), verified: channel.paired !== null },
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
const messagesWithin = async (journal: Journal, { after, upTo }: Between, gone: AbortSignal) => {
  let [person, persona] = [0, 0]
  for (let from = after; from < upTo; from += atOnce) {
    const range = { kind: 'talk', after: from, upTo: Math.min(upTo, from + atOnce) } as const
    for await (const { type } of yielding(journal.read(range), gone)) {
      if (type === 'MessageHeard') person++
      if (type === 'MessageSpoken') persona++
    }
  }
  return { person, persona }
}
