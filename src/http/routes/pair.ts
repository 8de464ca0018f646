/** POST /api/persona/{persona_id}/pair */
import * as z from 'zod'
import { pairBot } from '../../commands/channels.ts'
import { route } from '../route.ts'
import { ChannelRecordShape, PersonaRecordShape } from '../schema/shapes.ts'

const PairRequest = z
  .object({
    code: z
      .string()
      .describe(
        "The code from the bot's message in the chat. Valid for 10 minutes. Case, spaces and hyphens do not matter.",
      ),
  })
  .meta({ id: 'PairRequest' })

export const pairRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/pair',
  summary: 'Bind a channel to the chat in which its bot gave this code',
  description: 'A code is valid for ten minutes.',
  tag: 'Channels',
  body: PairRequest,
  reply: z.object({ persona: PersonaRecordShape, channel: ChannelRecordShape }).meta({ id: 'ChannelPaired' }),
  refuses: ['not_active', 'code_wrong', 'channel_unknown', 'channel_verified'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { code } }) =>
      pairBot(deps, id, code),
})
