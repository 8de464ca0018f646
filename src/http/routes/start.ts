/** POST /api/persona/{persona_id}/start */
import * as z from 'zod'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { waking } from '../waking.ts'

export const start = route({
  method: 'post',
  path: '/api/persona/{persona_id}/start',
  summary: 'Wake her',
  reply: z.object({ status: z.enum(['started', 'already running']) }).meta({ id: 'Started' }),
  refuses: ['persona_unknown', 'model_failed', 'not_started'],
  handle:
    ({ agents, inTurn, personas }) =>
    ({ params: { persona_id: id } }) =>
      inTurn(id, async () => {
        known(personas, id)
        if (agents.running(id)) return { status: 'already running' as const }
        await waking({ agents, personas }, id, 'AskStart')
        return { status: 'started' as const }
      }),
})
