/** DELETE /api/persona/{persona_id}/channels/{channel_name} */
import * as z from 'zod'
import { known } from '../known.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'

export const removeChannel = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/channels/{channel_name}',
  summary: 'Take a bot from her: every channel of exactly that name',
  reply: z.object({ removed: z.string() }).meta({ id: 'ChannelRemoved' }),
  refuses: ['persona_unknown', 'removed_not_restarted'],
  handle:
    ({ agents, inTurn, personas }) =>
    ({ params: { persona_id: id, channel_name: name } }) =>
      inTurn(id, async () => {
        known(personas, id)
        const { entries } = await personas.execute(id, { type: 'RemoveChannels', name }, 'person')
        const { failed } = await agents.settled(id)
        // Where nothing was removed, what failed is what was asked before.
        if (failed !== null && entries.length > 0) throw new HttpRefused({ code: 'removed_not_restarted', reason: failed })
        return { removed: name }
      }),
})
