/** POST /api/persona/{persona_id}/restart */
import * as z from 'zod'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { waking } from '../waking.ts'

export const restart = route({
  method: 'post',
  path: '/api/persona/{persona_id}/restart',
  summary: 'Build her agent anew from what is on disk; start it where none runs',
  reply: z.object({ status: z.literal('restarted') }).meta({ id: 'Restarted' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    ({ agents, inTurn, personas }) =>
    ({ params: { persona_id: id } }) =>
      inTurn(id, async () => {
        known(personas, id)
        await waking({ agents, personas }, id, 'AskRestart')
        return { status: 'restarted' as const }
      }),
})
