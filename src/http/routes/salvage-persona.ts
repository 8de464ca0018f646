/** POST /api/persona/{persona_id}/salvage */
import * as z from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { known } from '../known.ts'
import { route } from '../route.ts'

/** `kept` and `lost` count facts, `first_lost` is the position of the first; `copy` is the folder with her journal as it was. */
const Salvaged = z
  .object({ kept: z.int(), lost: z.int(), first_lost: z.int().nullable(), copy: z.string(), running: z.boolean() })
  .meta({ id: 'Salvaged' })

export const salvage = route({
  method: 'post',
  path: '/api/persona/{persona_id}/salvage',
  summary: 'Copy a damaged journal and go on with what of it verifies',
  reply: Salvaged,
  refuses: ['persona_unknown', 'not_damaged', 'journal_damaged'],
  handle:
    ({ agents, diaries, inTurn, personas }) =>
    ({ params: { persona_id: id } }) =>
      inTurn(id, async () => {
        const { trouble } = known(personas, id)
        // Looked at first: nobody who reads her now is put off for a journal that is whole.
        if (trouble === null && (await personas.verify(id)).intact) throw new Refused({ code: 'not_damaged' })
        await diaries.cut(id)
        const { loss, copy } = await personas.salvage(id)
        await agents.takeUp(id)
        return { kept: loss.kept, lost: loss.lost, first_lost: loss.first, copy, running: agents.running(id) }
      }),
})
