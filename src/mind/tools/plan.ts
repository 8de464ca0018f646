/** plan: adds a reminder or an appointment, lists plans, moves or cancels one. */
import { DateTime } from 'luxon'
import * as z from 'zod'
import { Recurrence } from '../../../facts/fact-values.ts'
import {
  formatPlanTime,
  formatWall,
  inZone,
  localTimeAt,
  nextAfter,
  toDate,
  toInstant,
} from '../../../packages/kit/time/local-time.ts'
import { isAt, listValues, valueAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import { cancels, plans } from '../memory/authority.ts'
import { withoutLeadingIds } from '../prompt/answer-marks.ts'
import { foldText } from '../prompt/instructions.ts'
import { entriesBetween, notLocal } from './calendar-entries.ts'
import { describeComingDays, readLocalTime, readMinutesAhead } from './local-time-input.ts'
import { createFailure, createRefusal, defineTool, type ToolContext, type ToolResult } from './tool.ts'
import { describeUnknownId } from './unknown-id.ts'

const minuteMs = 60_000
const tenYears = 10 * 366 * 24 * 60

const range = {
  from: z.string().optional(),
  to: z.string().optional(),
}

const Input = z.object({
  op: z.enum(['add', 'list', 'move', 'cancel']).default('add'),
  kind: z.enum(['reminder', 'schedule']).default('reminder'),
  content: z.string().trim().overwrite(withoutLeadingIds).max(1000).optional(),
  when: z.string().optional().describe('local time, as YYYY-MM-DDThh:mm'),
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
list: plans between the local times from and to, else all to come.
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

/** With the id of an open plan, changes it: what is not given stays. */
const addPlan = (input: Input, context: ToolContext): ToolResult => {
  const { persona, provenance, now, zone, newId } = context
  const { when = '' } = input
  const knownPlan = valueAt(persona.plans.open, input.id ?? '')
  const recurrence = input.recurrence ?? knownPlan?.recurrence ?? null
  const content = input.content || knownPlan?.content
  if (!content) return createFailure('content is missing, such as {"content": "call mum"}.')
  const minutes = when === '' ? (input.in_minutes ?? null) : readMinutesAhead(when)
  const kind = knownPlan?.kind ?? input.kind
  const time = readTime({ when, minutes, known: knownPlan, kind }, { now, zone, recurrence })
  if ('error' in time) return createFailure(time.error)
  const { wall, anchor, zone: planZone, allDay } = time
  const local = localTimeAt(toInstant(wall, planZone), zone)
  const today = toDate(now, zone)
  const samePlan = knownPlan
    ? undefined
    : findSamePlan({ kind, content, wall, zone: planZone, recurrence }, persona)
  // Models repeat a call. Two equal reminders at one time are never meant.
  if (samePlan)
    return {
      ok: true,
      output: { already_planned: samePlan.id, when: formatPlanTime({ wall: local, allDay }) },
    }
  const refusal = knownPlan ? refuseChange(knownPlan, context) : null
  if (refusal !== null) return createRefusal(refusal)
  const isMove = knownPlan !== undefined && content === knownPlan.content
  const decision = isMove
    ? { via: knownPlan.via ?? null }
    : plans({ content, wall: local, today, minutes }, provenance)
  if ('refused' in decision) return createRefusal(decision.refused)
  const { via } = decision
  const id = knownPlan?.id ?? `p${newId()}`
  const entry = {
    ...{ id, kind, wall, anchor, zone: planZone, content, recurrence },
    ...(via && { via }),
    ...(allDay && { allDay }),
  }
  return {
    ok: true,
    output: {
      [knownPlan ? 'changed' : 'planned']: id,
      when: formatPlanTime({ wall: inZone(wall, planZone, zone), allDay }),
      ...(recurrence && { recurrence }),
      ...(time.note && { note: time.note }),
    },
    effect: [{ type: knownPlan ? 'MoveEntry' : 'WriteEntry', entry }],
  }
}

/** Returns an open plan for the same thing within a minute. */
const findSamePlan = (
  { kind, content, wall, zone, recurrence }: Pick<Plan, 'kind' | 'content' | 'wall' | 'zone' | 'recurrence'>,
  { plans: { open } }: Persona,
): Plan | undefined =>
  listValues(open).find(
    (plan) =>
      plan.kind === kind &&
      plan.recurrence === recurrence &&
      foldText(plan.content) === foldText(content) &&
      Math.abs(toInstant(plan.wall, plan.zone) - toInstant(wall, zone)) < minuteMs,
  )

interface GivenTime {
  readonly when: string
  readonly minutes: number | null
  readonly known: Plan | undefined
  readonly kind: Plan['kind']
}

/** Without a time, a known plan keeps its own. */
const readTime = ({ when, minutes, known, kind }: GivenTime, place: Place): ParsedTime => {
  if (minutes !== null) return toTimeAfter(minutes, place)
  if (when !== '') return atWall(when, kind, place)
  return known ?? { error: `Give when or in_minutes. ${describeComingDays(place)}` }
}

const listPlans = async (
  { from, to }: Pick<Input, 'from' | 'to'>,
  context: ToolContext,
): Promise<ToolResult> => {
  const first = from === undefined ? undefined : readLocalTime(from, context)
  const last = to === undefined ? undefined : readLocalTime(to, context)
  if (first === null || last === null) return createFailure(`${notLocal} ${describeComingDays(context)}`)
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

const withWeekday = <T extends { readonly when: string; readonly allDay?: true }>({
  allDay,
  ...entry
}: T) => ({
  ...entry,
  when: formatPlanTime({ wall: entry.when, allDay }),
})

const movePlan = (input: Input, context: ToolContext): ToolResult => {
  const { id = '' } = input
  const { open, due } = context.persona.plans
  if (isAt(open, id)) return addPlan(input, context)
  return createFailure(
    due.some((duePlan) => duePlan.id === id)
      ? 'This plan is due already. Add a new one instead.'
      : describeUnknownPlan(id, context.persona),
  )
}

const cancelPlan = ({ id = '' }: Pick<Input, 'id'>, context: ToolContext): ToolResult => {
  const { open, due } = context.persona.plans
  const knownPlan = valueAt(open, id) ?? due.find((duePlan) => duePlan.id === id)
  if (!knownPlan) return createFailure(describeUnknownPlan(id, context.persona))
  const refusal = refuseChange(knownPlan, context)
  if (refusal !== null) return createRefusal(refusal)
  return { ok: true, output: { cancelled: id }, effect: [{ type: 'CancelEntry', id }] }
}

/** Returns null if the words of this turn allow that a plan is cancelled or moved. */
const refuseChange = (
  { content, wall, zone: planZone }: Plan,
  { provenance, now, zone }: ToolContext,
): string | null => {
  const local = localTimeAt(toInstant(wall, planZone), zone)
  return cancels({ content, wall: local, today: toDate(now, zone), minutes: null }, provenance)
}

const describeUnknownPlan = (id: string, { plans: { open, handled } }: Persona): string => {
  const knownPlans = listValues(open).map((plan) => ({
    id: plan.id,
    text: plan.content,
    isOfOthers: plan.via != null,
  }))
  const delivered = handled.find((plan) => plan.id === id)
  if (!delivered) return describeUnknownId('plan', id, knownPlans)
  const next = knownPlans.find(({ text }) => text === delivered.content)
  return `This plan was delivered already.${next ? ` Its next time is [${next.id}].` : ''}`
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
  readonly allDay?: true | undefined
  /** An assumption that the model should know of. */
  readonly note?: string
}
type ParsedTime = PlannedTime | { readonly error: string }

/** Of a plan that has only a date. */
const defaultTime = '09:00'

const noTime = {
  reminder: { note: `No time was given, so it is planned for ${defaultTime}.` },
  schedule: {
    allDay: true,
    note: `No time was given, so it is for the day. It reaches you at ${defaultTime}.`,
  },
} as const

const atWall = (when: string, kind: Plan['kind'], { now, zone, recurrence }: Place): ParsedTime => {
  const parsedTime = readLocalTime(when, { now, zone })
  if (!parsedTime)
    return { error: `when must be a local date and time. ${describeComingDays({ now, zone })}` }
  const wallTime = parsedTime.isDate ? `${parsedTime.wall.slice(0, 10)}T${defaultTime}` : parsedTime.wall
  const isPast = toInstant(wallTime, zone) <= now
  if (isPast && !recurrence)
    return { error: `${formatWall(wallTime)} is in the past. ${describeComingDays({ now, zone })}` }
  const anchor = `${wallTime}:00`
  return {
    wall: isPast && recurrence ? nextAfter(anchor, zone, recurrence, now) : anchor,
    anchor,
    zone,
    ...(parsedTime.isDate && noTime[kind]),
  }
}

/** Rounds up to a whole second, so that a reminder is never early. */
const toTimeAfter = (minutes: number, { now, zone, recurrence }: Place): ParsedTime => {
  const dueMs = Math.max(Math.ceil(now / 1000 + minutes * 60), Math.floor(now / 1000) + 1) * 1000
  const wall = localTimeAt(dueMs, zone)
  // At the end of daylight saving time, the second pass of an hour has no local time. Use UTC.
  if (toInstant(wall, zone) === dueMs || recurrence) return { wall, anchor: wall, zone }
  const utc = localTimeAt(dueMs, 'UTC')
  return { wall: utc, anchor: utc, zone: 'UTC' }
}
