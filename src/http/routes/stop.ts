/** POST /api/persona/{persona_id}/stop */
import { z } from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

export const stop = route({
  method: 'post',
  path: '/api/persona/{persona_id}/stop',
  summary: 'End her agent; files and status stay as they are',
  reply: z.object({ status: z.literal('stopped') }).meta({ id: 'Stopped' }),
  refuses: ['not_running'],
  handle:
    ({ agents, personas }) =>
    async ({ params: { persona_id: id } }) => {
      if (!agents.running(id)) throw new Refused({ code: 'not_running' })
      await personas.execute(id, { type: 'AskStop' }, 'person')
      await agents.settled(id)
      return { status: 'stopped' as const }
    },
})
