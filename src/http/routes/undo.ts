/** POST /api/persona/{persona_id}/undo */

import * as z from 'zod'
import { Seq } from '../../../facts/fact-values.ts'
import { undoFact } from '../../commands/undo.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

export const takeBackRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/undo',
  summary: 'Undo the effect of one fact of the journal by new facts',
  description:
    'The fact itself stays. If other facts depend on it, or it cannot be undone, the request is refused with the reason.',
  tag: 'Journal',
  body: z.object({ seq: Seq.describe('Its position in the journal.') }).meta({ id: 'UndoRequest' }),
  reply: z
    .object({
      undone: z.int(),
      by: z.array(z.int()).readonly().describe('Positions of the new facts. Each can be undone again.'),
      note: z
        .string()
        .exactOptional()
        .describe('Names the part that could not be restored: a key that is missing.'),
    })
    .meta({ id: 'Undone' }),
  refuses: [
    'persona_unknown',
    'fact_unknown',
    'undo_refused',
    'changed_since',
    'undone_already',
    'when_past',
    'model_failed',
    'cut_short',
    'undone_not_settled',
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { seq }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { by, warning } = await undoFact(deps, id, seq, signal)
        return { undone: seq, by, ...(warning !== null && { note: warning }) }
      }),
})
