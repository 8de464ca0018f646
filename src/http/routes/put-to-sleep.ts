/** POST /api/persona/{persona_id}/sleep */
import * as z from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

export const sleep = route({
  method: 'post',
  path: '/api/persona/{persona_id}/sleep',
  summary: 'Let her sleep: what was said is gone over, the day is closed, her journal verified. What is said meanwhile is answered after',
  reply: z.null(),
  refuses: ['not_active', 'sleep_failed'],
  handle:
    ({ agents, log }) =>
    async ({ params: { persona_id: id } }) => {
      try {
        await agents.sleep(id)
      } catch (error) {
        if (error instanceof Refused && error.refusal.code === 'not_active') throw error
        // Whatever cut it: stop, restart, delete, the end of the service.
        log.warn({ id, err: error }, 'a night was asked for and failed')
        throw new Refused({ code: 'sleep_failed' })
      }
      return null
    },
})
