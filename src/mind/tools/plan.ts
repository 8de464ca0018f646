/** plan: adds a reminder or an appointment, once or recurring. */
import * as z from 'zod'
import { Recurrence } from '../../../journal/facts/fact-values.ts'
import {
  inZone,
  isLocalTime,
  localTimeAt,
  nextAfter,
  shortLocalTime,
  toInstant,
} from '../../../packages/kit/time/local-time.ts'
import { plans } from '../memory/authority.ts'
import { createFailure, defineTool } from './tool.ts'

const tenYears = 10 * 366 * 24 * 60

const Input = z.object({
  kind: z.enum(['reminder', 'schedule']),
  when: z.string().nullish().describe('local date and time, as 2026-11-24T09:00'),
  in_minutes: z
    .number()
    .min(0)
    .max(tenYears)
    .nullish()
    .describe('instead of when: minutes from now, to the second, as 10 or 0.5'),
  content: z.string().trim().min(1).max(1000),
  recurrence: Recurrence.nullish(),
})

export const plan = defineTool({
  name: 'plan',
  lasting: true,
  description: 'Plan a reminder, which you will be told of when it is due, or an appointment (schedule).',
  input: Input,
  run: (
    { kind, when: wallTime, in_minutes: minutes, content, recurrence: recurrenceInput },
    { provenance, now, zone, newId },
  ) => {
    const recurrence = recurrenceInput ?? null
    const time = wallTime
      ? atWall(wallTime, { now, zone, recurrence })
      : after(minutes ?? null, { now, zone, recurrence })
    if ('error' in time) return createFailure(time.error)
    const local = localTimeAt(toInstant(time.wall, time.zone), zone)
    const today = localTimeAt(now, zone).slice(0, 10)
    const decision = plans(
      { content, wall: local, today, minutes: wallTime ? null : (minutes ?? null) },
      provenance,
    )
    if ('refused' in decision) return createFailure(decision.refused)
    const { via } = decision
    const id = `p${newId()}`
    return {
      ok: true,
      output: { planned: id, when: shortLocalTime(inZone(time.wall, time.zone, zone)) },
      effect: [
        { type: 'WriteEntry', entry: { id, kind, ...time, content, recurrence, ...(via && { via }) } },
      ],
    }
  },
})

interface Place {
  readonly now: number
  readonly zone: string
  readonly recurrence: Recurrence | null
}

type ParsedTime =
  | { readonly wall: string; readonly anchor: string; readonly zone: string }
  | { readonly error: string }

const atWall = (wallTime: string, { now, zone, recurrence }: Place): ParsedTime => {
  if (!isLocalTime(wallTime)) return { error: 'when must be a local date and time like 2026-11-24T09:00.' }
  const isPast = toInstant(wallTime, zone) <= now
  if (isPast && !recurrence) return { error: `${shortLocalTime(wallTime)} is in the past.` }
  const anchor = `${shortLocalTime(wallTime)}:00`
  return { wall: isPast && recurrence ? nextAfter(anchor, zone, recurrence, now) : anchor, anchor, zone }
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
