/** POST /api/persona/{persona_id}/salvage */
import * as z from 'zod'
import { salvageJournal } from '../../commands/journal.ts'
import { route } from '../route.ts'

/**
 * `kept` and `lost` count facts, `first_lost` is the position of the first; `copy` is the folder with its
 * journal as it was.
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

export const salvage = route({
  method: 'post',
  path: '/api/persona/{persona_id}/salvage',
  summary: 'Copy a damaged journal and go on with what of it verifies',
  description: 'Only for a damaged journal. The copy stays beside it, and what was lost is noted as a fact.',
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
