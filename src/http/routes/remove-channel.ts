/** DELETE /api/persona/{persona_id}/channels/{channel_name} */
import * as z from 'zod'
import { removeBot } from '../../commands/channels.ts'
import { route } from '../route.ts'

export const removeChannelRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/channels/{channel_name}',
  summary: 'Remove a bot from the persona: every channel with exactly that name',
  description: 'Its messages stay.',
  tag: 'Channels',
  reply: z.object({ removed: z.string() }).meta({ id: 'ChannelRemoved' }),
  refuses: ['persona_unknown', 'removed_not_restarted'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id, channel_name: name } }) => {
      await removeBot(deps, id, name)
      return { removed: name }
    },
})
