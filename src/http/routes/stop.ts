/** POST /api/persona/{persona_id}/stop */
import * as z from 'zod'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

export const stop = route({
  method: 'post',
  path: '/api/persona/{persona_id}/stop',
  summary: 'End her agent; files and status stay as they are',
  reply: z.object({ status: z.literal('stopped') }).meta({ id: 'Stopped' }),
  refuses: ['not_running'],
  handle:
    ({ agents, inTurn, personas }) =>
    ({ params: { persona_id: id } }) =>
      inTurn(id, async () => {
        // In the moment of a restart she only seems to be away.
        if (!agents.running(id)) await agents.settled(id)
        const running = agents.running(id)
        const listed = personas.listed(id)
        // One who does not run yet is tried again until she does, or is told to rest.
        const tried = listed?.self.wanted === true && listed.trouble === null
        if (running || tried) await personas.execute(id, { type: 'AskStop' }, 'person')
        await agents.settled(id)
        if (!running) throw new Refused({ code: 'not_running' })
        return { status: 'stopped' as const }
      }),
})
