/** POST /api/persona/{persona_id}/verify */
import * as z from 'zod'
import { known } from '../../commands/known.ts'
import { route } from '../route.ts'

/**
 * `head`: chain hash of the last good record, hex. `first_bad`: position of the first that is missing or not
 * what was written.
 */
const Verified = z
  .object({ events: z.int(), head: z.string(), intact: z.boolean(), first_bad: z.int().nullable() })
  .meta({ id: 'Verified' })

export const verify = route({
  method: 'post',
  path: '/api/persona/{persona_id}/verify',
  summary: 'Recompute the chain of its whole journal',
  reply: Verified,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id } }) => {
      known(personas, id)
      const { events, head, intact, firstBad } = await personas.verify(id)
      return { events, head: head.hash, intact, first_bad: firstBad }
    },
})
