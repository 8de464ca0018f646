/** POST /api/persona/{persona_id}/salvage */
import * as z from 'zod'
import { salvageJournal } from '../../commands/journal.ts'
import { route } from '../route.ts'

/**
 * `kept` and `lost` count facts. `first_lost` is the position of the first lost one. `copy` is the folder
 * with the original journal.
 */
const Salvaged = z
  .object({
    kept: z.int(),
    lost: z.int(),
    first_lost: z.int().nullable(),
    copy: z.string(),
    running: z.boolean(),
  })
  .meta({ id: 'Salvaged' })

export const salvagePersonaRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/salvage',
  summary: 'Copy a damaged journal and continue with the part that verifies',
  description: 'Only for a damaged journal. The copy is stored next to it, and a fact records the loss.',
  tag: 'Health',
  reply: Salvaged,
  refuses: ['persona_unknown', 'not_damaged', 'journal_damaged'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const { loss, copy, running } = await salvageJournal(deps, id)
      return { kept: loss.kept, lost: loss.lost, first_lost: loss.first, copy, running }
    },
})
