/** plan: adds a reminder or an appointment, lists plans, moves or cancels one. */
import { DateTime } from 'luxon'
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import {
  formatPlanTime,
  formatWall,
  inZone,
  localTimeAt,
  nextAfter,
  toDate,
  toInstant,
} from '../../../packages/kit/time/local-time.ts'
import { isAt, valueAt } from '../../../projections/persistent-map.ts'
import type { Plan } from '../../../projections/plans.ts'
import { cancels, plans } from '../memory/authority.ts'
import { entriesBetween, notLocal } from './calendar-entries.ts'
import { readLocalTime } from './local-time-input.ts'
import { createFailure, defineTool, type ToolContext, type ToolResult } from './tool.ts'

const tenYears = 10 * 366 * 24 * 60

const range = {
  from: z.string().optional(),
  to: z.string().optional(),
}

const Input = z.object({
  op: z.enum(['add', 'list', 'move', 'cancel']).default('add'),
  kind: z.enum(['reminder', 'schedule']).default('reminder'),
  content: z.string().trim().max(1000).optional(),
  when: z.string().optional().describe('local time, as 2026-11-24T09:00'),
  in_minutes: z.number().min(0).max(tenYears).optional().describe('instead of when'),
  recurrence: Recurrence.optional(),
  id: z.string().optional(),
  ...range,
})
type Input = z.infer<typeof Input>

export const plan = defineTool({
  name: 'plan',
  lasting: ({ op }) => op !== 'list',
  description: `add: a reminder or an appointment (schedule); you get both when due.
list: what is planned and was due, from and to local times; without them, all to come.
move, cancel: a plan by its id, with its repetitions.`,
  input: Input,
  run: (input, context) => {
    switch (input.op) {
      case 'add':
        return addPlan(input, context)
      case 'list':
        return listPlans(input, context)
      case 'move':
        return movePlan(input, context)
      case 'cancel':
        return cancelPlan(input, context)
    }
  },
})

/** For programs, which may not change plans. */
export const listOnly = defineTool({
  name: 'plan',
  description: 'What is planned and what was due between two local times; without them, everything to come.',
  input: z.object({ op: z.enum(['list']).default('list'), ...range }),
  run: (input, context) => listPlans(input, context),
})

const addPlan = (
  { kind, when, in_minutes: minutes, content, ...input }: Input,
  { provenance, now, zone, newId }: ToolContext,
): ToolResult => {
  const recurrence = input.recurrence ?? null
  if (!content) return createFailure('content is missing, such as {"content": "call mum"}.')
  const time = readTime({ when, in_minutes: minutes }, kind, { now, zone, recurrence })
  if ('error' in time) return createFailure(time.error)
  const { wall, zone: planZone } = time
  const local = localTimeAt(toInstant(wall, planZone), zone)
  const today = toDate(now, zone)
  const decision = plans(
    { content, wall: local, today, minutes: when ? null : (minutes ?? null) },
    provenance,
  )
  if ('refused' in decision) return createFailure(decision.refused)
  const { via } = decision
  const id = `p${newId()}`
  return {
    ok: true,
    output: { planned: id, ...describeTime(time, zone) },
    effect: [
      {
        type: 'WriteEntry',
        entry: { id, kind, ...toEntryTime(time), content, recurrence, ...(via && { via }) },
      },
    ],
  }
}

const readTime = (
  { when, in_minutes: minutes = null }: Pick<Input, 'when'> & { readonly in_minutes?: number | null | undefined },
  kind: Input['kind'],
  place: Place,
): ParsedTime => (when ? atWall(when, kind, place) : after(minutes, place))

const toEntryTime = ({ wall, anchor, zone, allDay }: PlannedTime) => ({
  wall,
  anchor,
  zone,
  ...(allDay && { allDay }),
})

/** `zone`: of the reader. */
const describeTime = ({ wall, zone: planZone, allDay, note }: PlannedTime, zone: string) => ({
  when: formatPlanTime({ wall: inZone(wall, planZone, zone), allDay }),
  ...(note && { note }),
})

const listPlans = async (
  { from, to }: Pick<Input, 'from' | 'to'>,
  context: ToolContext,
): Promise<ToolResult> => {
  const first = from === undefined ? undefined : readLocalTime(from, context.zone)
  const last = to === undefined ? undefined : readLocalTime(to, context.zone)
  if (first === null || last === null) return createFailure(notLocal)
  // The same day twice means that day.
  const isOneDay = last?.isDate === true && last.wall === first?.wall
  const end = isOneDay
    ? DateTime.fromISO(last.wall).plus({ days: 1 }).toFormat("yyyy-MM-dd'T'HH:mm")
    : last?.wall
  const entries = await entriesBetween({ from: first?.wall, to: end }, context)
  if (!entries) return createFailure(notLocal)
  return {
    ok: true,
    output: { plans: entries.plans.map(withWeekday), past: entries.past.map(withWeekday) },
  }
}

const withWeekday = <T extends { readonly when: string; readonly allDay?: true }>({ allDay, ...entry }: T) => ({
  ...entry,
  when: formatPlanTime({ wall: entry.when, allDay }),
})

const cancelPlan = ({ id }: Input, context: ToolContext): ToolResult => {
  const known = findChangeable(id, 'cancel', context)
  return 'error' in known
    ? createFailure(known.error)
    : { ok: true, output: { cancelled: known.id }, effect: [{ type: 'CancelEntry', id: known.id }] }
}

const movePlan = ({ id, ...input }: Input, context: ToolContext): ToolResult => {
  const known = findChangeable(id, 'move', context)
  if ('error' in known) return createFailure(known.error)
  if (!isAt(context.persona.plans.open, known.id))
    return createFailure('This plan is due already. Add a new one instead.')
  const recurrence = input.recurrence ?? known.recurrence
  const time = readTime(input, known.kind, { now: context.now, zone: context.zone, recurrence })
  if ('error' in time) return createFailure(time.error)
  const { seq: _, allDay: __, ...entry } = known
  return {
    ok: true,
    output: { moved: known.id, ...describeTime(time, context.zone) },
    effect: [{ type: 'MoveEntry', entry: { ...entry, ...toEntryTime(time), recurrence } }],
  }
}

/** Finds a plan that the user wants changed. */
const findChangeable = (
  id: string | undefined,
  op: 'move' | 'cancel',
  { persona, provenance, now, zone }: ToolContext,
): Plan | { readonly error: string } => {
  if (id === undefined) return { error: `id is missing, such as {"op": "${op}", "id": "p1a2"}.` }
  const { open, due } = persona.plans
  const known = valueAt(open, id) ?? due.find((duePlan) => duePlan.id === id)
  if (!known) return { error: `There is no plan with the id ${JSON.stringify(id)}.` }
  const wall = localTimeAt(toInstant(known.wall, known.zone), zone)
  const plan = { content: known.content, wall, today: toDate(now, zone), minutes: null }
  const error = cancels(plan, provenance)
  return error === null ? known : { error }
}

interface Place {
  readonly now: number
  readonly zone: string
  readonly recurrence: Recurrence | null
}

interface PlannedTime {
  readonly wall: string
  readonly anchor: string
  readonly zone: string
  /** No hour was given. */
  readonly allDay?: true
  /** An assumption that the model should know of. */
  readonly note?: string
}
type ParsedTime = PlannedTime | { readonly error: string }

/** Of a plan that has only a date. */
const defaultTime = '09:00'

const noTime = {
  reminder: { note: `No time was given, so it is planned for ${defaultTime}.` },
  schedule: { allDay: true, note: `No time was given, so it is for the day. It reaches you at ${defaultTime}.` },
} as const

const atWall = (when: string, kind: Input['kind'], { now, zone, recurrence }: Place): ParsedTime => {
  const parsed = readLocalTime(when, zone)
  if (!parsed) return { error: 'when must be a local date and time like 2026-11-24T09:00.' }
  const wallTime = parsed.isDate ? `${parsed.wall.slice(0, 10)}T${defaultTime}` : parsed.wall
  const isPast = toInstant(wallTime, zone) <= now
  if (isPast && !recurrence) return { error: `${formatWall(wallTime)} is in the past.` }
  const anchor = `${wallTime}:00`
  return {
    wall: isPast && recurrence ? nextAfter(anchor, zone, recurrence, now) : anchor,
    anchor,
    zone,
    ...(parsed.isDate && noTime[kind]),
  }
}

/** Rounds up to a whole second, so that a reminder is never early. */
const after = (minutes: number | null, { now, zone, recurrence }: Place): ParsedTime => {
  if (minutes === null) return { error: 'Give when or in_minutes.' }
  const at = Math.max(Math.ceil(now / 1000 + minutes * 60), Math.floor(now / 1000) + 1) * 1000
  const wall = localTimeAt(at, zone)
  // At the end of daylight saving time, the second pass of an hour has no local time. Use UTC.
  if (toInstant(wall, zone) === at || recurrence) return { wall, anchor: wall, zone }
  const utc = localTimeAt(at, 'UTC')
  return { wall: utc, anchor: utc, zone: 'UTC' }
}
