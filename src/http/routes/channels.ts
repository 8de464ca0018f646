/** Routes that add, remove and pair channels. */

import * as z from 'zod'
import { addBot, pairBot, removeBot } from '../../commands/channels.ts'
import { platformNames } from '../../platform-table.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { ChannelRecordShape, PersonaRecordShape } from './persona-shapes.ts'

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
