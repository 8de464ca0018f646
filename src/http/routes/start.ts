/** POST /api/persona/{persona_id}/start */
import * as z from 'zod'
import { known } from '../known.ts'
import { HttpRefused } from '../refused.ts'
import { route } from '../route.ts'

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
        const { trouble } = known(personas, id)
        if (agents.running(id)) return { status: 'already running' as const }
        if (trouble !== null) throw new HttpRefused({ code: 'not_started', reason: trouble })
        await agents.knock(id)
        await personas.execute(id, { type: 'AskStart' }, 'person')
        const { failed } = await agents.settled(id)
        if (failed !== null) throw new HttpRefused({ code: 'not_started', reason: failed })
        return { status: 'started' as const }
      }),
})
