/** cancel_plan: cancels a plan with all its later occurrences. */
import * as z from 'zod'
import { localTimeAt, toInstant } from '../../../packages/kit/time/local-time.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import { cancels } from '../memory/authority.ts'
import { createFailure, defineTool } from './tool.ts'

export const cancelPlan = defineTool({
  name: 'cancel_plan',
  lasting: true,
  description: 'Cancel a plan by its id; a recurring one ends with it.',
  input: z.object({ id: z.string() }),
  run: ({ id }, { persona: { plans }, provenance, now, zone }) => {
    const plan = valueAt(plans.open, id) ?? plans.due.find((duePlan) => duePlan.id === id)
    if (!plan) return createFailure(`There is no plan with the id ${JSON.stringify(id)}.`)
    const wall = localTimeAt(toInstant(plan.wall, plan.zone), zone)
    const today = localTimeAt(now, zone).slice(0, 10)
    const refusal = cancels({ content: plan.content, wall, today, minutes: null }, provenance)
    if (refusal !== null) return createFailure(refusal)
    return { ok: true, output: { cancelled: id }, effect: [{ type: 'CancelEntry', id }] }
  },
})
