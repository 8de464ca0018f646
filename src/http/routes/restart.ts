/** POST /api/persona/{persona_id}/restart */
import * as z from 'zod'
import { known } from '../known.ts'
import { HttpRefused } from '../refused.ts'
import { route } from '../route.ts'

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
        const { trouble } = known(personas, id)
        if (trouble !== null) throw new HttpRefused({ code: 'not_started', reason: trouble })
        // Before anything is asked of her: an agent that runs stays when her Mind cannot be reached.
        await agents.knock(id)
        await personas.execute(id, { type: 'AskRestart' }, 'person')
        const { failed } = await agents.settled(id)
        if (failed !== null) throw new HttpRefused({ code: 'not_started', reason: failed })
        return { status: 'restarted' as const }
      }),
})
