/** cancel_plan: take back a plan, all its later occurrences with it. */
import * as z from 'zod'
import { isPlanned } from '../../../projections/plans.ts'
import { defineTool, failed } from './tool.ts'

export const cancelPlan = defineTool({
  name: 'cancel_plan',
  lasting: true,
  description: 'Cancel a plan by its id; a recurring one ends with it.',
  input: z.object({ id: z.string() }),
  run: ({ id }, { persona: { plans } }) => {
    if (!isPlanned(plans, id)) return failed(`There is no plan with the id ${JSON.stringify(id)}.`)
    return { ok: true, output: { cancelled: id }, effect: [{ type: 'CancelEntry', id }] }
  },
})
