/** POST /api/persona/{persona_id}/channels */
import * as z from 'zod'
import { addBot } from '../../commands/channels.ts'
import { platformNames } from '../../platform-table.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/caller.ts'

const ChannelCreateRequest = z
  .object({
    kind: z.string().describe(`${platformNames()}.`),
    credentials: z.object({ token: z.string().describe('Token of the bot, from its platform.') }),
  })
  .meta({ id: 'ChannelCreateRequest' })

export const addChannelRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/channels',
  summary:
    'Add a bot to the persona, to be paired with a chat afterwards. A bot that it already has is not added twice',
  description:
    'The token is checked with its platform before anything is stored. Users who write to the bot then get a code, which `pair` takes.',
  tag: 'Channels',
  body: ChannelCreateRequest,
  reply: z.object({ kind: z.string() }).meta({ id: 'ChannelCreated' }),
  refuses: ['persona_unknown', 'channel_invalid', 'channels_full', 'cut_short', 'added_not_restarted'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { kind, credentials }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => ({
        kind: await addBot(deps, id, { kind, token: credentials.token }, signal),
      })),
})
