/** POST /api/persona/{persona_id}/undo */
import * as z from 'zod'
import { Seq } from '../../../journal/facts/fact-values.ts'
import { undoFact } from '../../commands/undo.ts'
import { route } from '../route.ts'
import { whileThere } from '../server/caller.ts'

export const undo = route({
  method: 'post',
  path: '/api/persona/{persona_id}/undo',
  summary: 'Take back what one fact of the journal did, by new facts',
  description:
    'The fact itself stays. What depends on it, or cannot be taken back, is refused with the reason.',
  tag: 'Journal',
  body: z.object({ seq: Seq.describe('Its position in the journal.') }).meta({ id: 'UndoRequest' }),
  reply: z
    .object({
      undone: z.int(),
      by: z.array(z.int()).readonly().describe('Positions of the new facts; each can be taken back in turn.'),
      note: z.string().exactOptional().describe('What could not be put back with it: a key that is gone.'),
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
      whileThere(response, deps.closing, async (gone) => {
        const { by, note } = await undoFact(deps, id, seq, gone)
        return { undone: seq, by, ...(note !== null && { note }) }
      }),
})
