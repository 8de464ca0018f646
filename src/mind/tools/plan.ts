/** plan: a reminder or an appointment, once or again and again. */
import * as z from 'zod'
import { Recurrence } from '../../../journal/events.ts'
import { instantOf, isWall, nextAfter, shortWall } from '../wall.ts'
import { defineTool, failed } from './tool.ts'

const Input = z.object({
  kind: z.enum(['reminder', 'schedule']),
  when: z.string().describe('local date and time, as 2026-11-24T09:00'),
  content: z.string().trim().min(1).max(1000),
  recurrence: Recurrence.nullish(),
})

export const plan = defineTool({
  name: 'plan',
  description: 'Plan a reminder, which you will be told of when it is due, or an appointment (schedule).',
  input: Input,
  run: ({ kind, when, content, recurrence }, { now, zone, newId }) => {
    if (!isWall(when)) return failed('when must be a local date and time like 2026-11-24T09:00.')
    const past = instantOf(when, zone) <= now
    if (past && !recurrence) return failed(`${shortWall(when)} is in the past.`)
    const anchor = `${shortWall(when)}:00`
    const wall = past && recurrence ? nextAfter(anchor, zone, recurrence, now) : anchor
    const id = `p${newId()}`
    return {
      ok: true,
      output: { planned: id, when: shortWall(wall) },
      effect: [{ type: 'Plan', id, kind, wall, anchor, zone, content, recurrence: recurrence ?? null }],
    }
  },
})
