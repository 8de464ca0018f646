/** plan: adds a reminder or an appointment, lists plans, or cancels one. */
import { DateTime } from 'luxon'
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import {
  formatWall,
  inZone,
  localTimeAt,
  nextAfter,
  toDate,
  toInstant,
} from '../../../packages/kit/time/local-time.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
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
  op: z.enum(['add', 'list', 'cancel']).default('add'),
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
  description: `add: a reminder, which you get when it is due, or an appointment (schedule).
list: what is planned and was due, from and to local times; without them, all to come.
cancel: a plan by its id, with its repetitions.`,
  input: Input,
  run: (input, context) => {
    switch (input.op) {
      case 'add':
        return addPlan(input, context)
      case 'list':
        return listPlans(input, context)
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
  const time = when
    ? atWall(when, { now, zone, recurrence })
    : afterMinutes(minutes ?? null, { now, zone, recurrence })
  if ('error' in time) return createFailure(time.error)
  const { wall, anchor, zone: planZone } = time
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
    output: {
      planned: id,
      when: formatWall(inZone(wall, planZone, zone)),
      ...(time.note && { note: time.note }),
    },
    effect: [
      {
        type: 'WriteEntry',
        entry: { id, kind, wall, anchor, zone: planZone, content, recurrence, ...(via && { via }) },
      },
    ],
  }
}

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

const withWeekday = <T extends { readonly when: string }>(entry: T): T => ({
  ...entry,
  when: formatWall(entry.when),
})

const cancelPlan = (
  { id }: Pick<Input, 'id'>,
  { persona, provenance, now, zone }: ToolContext,
): ToolResult => {
  if (id === undefined) return createFailure('id is missing, such as {"op": "cancel", "id": "p1a2"}.')
  const { open, due } = persona.plans
  const existingPlan = valueAt(open, id) ?? due.find((duePlan) => duePlan.id === id)
  if (!existingPlan) return createFailure(`There is no plan with the id ${JSON.stringify(id)}.`)
  const wall = localTimeAt(toInstant(existingPlan.wall, existingPlan.zone), zone)
  const refusal = cancels(
    { content: existingPlan.content, wall, today: toDate(now, zone), minutes: null },
    provenance,
  )
  if (refusal !== null) return createFailure(refusal)
  return { ok: true, output: { cancelled: id }, effect: [{ type: 'CancelEntry', id }] }
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
  /** An assumption that the model should know of. */
  readonly note?: string
}
type ParsedTime = PlannedTime | { readonly error: string }

/** Of a plan that has only a date. */
const defaultTime = '09:00'

const atWall = (timeText: string, { now, zone, recurrence }: Place): ParsedTime => {
  const parsedTime = readLocalTime(timeText, zone)
  if (!parsedTime) return { error: 'when must be a local date and time like 2026-11-24T09:00.' }
  const wallTime = parsedTime.isDate ? `${parsedTime.wall.slice(0, 10)}T${defaultTime}` : parsedTime.wall
  const isPast = toInstant(wallTime, zone) <= now
  if (isPast && !recurrence) return { error: `${formatWall(wallTime)} is in the past.` }
  const anchor = `${wallTime}:00`
  return {
    wall: isPast && recurrence ? nextAfter(anchor, zone, recurrence, now) : anchor,
    anchor,
    zone,
    ...(parsedTime.isDate && { note: `No time was given, so it is planned for ${defaultTime}.` }),
  }
}

/** Rounds up to a whole second, so that a reminder is never early. */
const afterMinutes = (minutes: number | null, { now, zone, recurrence }: Place): ParsedTime => {
  if (minutes === null) return { error: 'Give when or in_minutes.' }
  const dueMs = Math.max(Math.ceil(now / 1000 + minutes * 60), Math.floor(now / 1000) + 1) * 1000
  const wall = localTimeAt(dueMs, zone)
  // At the end of daylight saving time, the second pass of an hour has no local time. Use UTC.
  if (toInstant(wall, zone) === dueMs || recurrence) return { wall, anchor: wall, zone }
  const utc = localTimeAt(dueMs, 'UTC')
  return { wall: utc, anchor: utc, zone: 'UTC' }
}
