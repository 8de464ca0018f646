/** Routes that add, remove and pair channels. */

import * as z from 'zod'
import { addBot, pairBot, removeBot } from '../../commands/channels.ts'
import { platformNames } from '../../platform-table.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { ChannelRecordShape, PersonaRecordShape } from './persona-shapes.ts'

const text = z.string().exactOptional()

const Credentials = z
  .object({
    token: text.describe('Token of the bot, from its platform. On Matrix the access token of its account.'),
    homeserver: text.describe(
      'Only for Matrix: the address of the homeserver, its name, or a user id of it. May be missing if `user` is such an id.',
    ),
    user: text.describe('Only for Matrix, with `password` in place of a token.'),
    password: text.describe('Used once to sign in, and never stored.'),
  })
  .describe('Telegram and Discord require `token`. Matrix requires `token`, or `user` and `password`.')

type CredentialName = keyof z.infer<typeof Credentials>

/** Returns the names of required fields that are missing. `credentials`: as sent, of any type. */
const listMissing = (kind: unknown, credentials: unknown): readonly CredentialName[] => {
  if (typeof credentials !== 'object' || credentials === null || Array.isArray(credentials)) return []
  const has = (name: CredentialName) => Reflect.get(credentials, name) !== undefined
  if (kind !== 'matrix') return has('token') ? [] : ['token']
  const user: unknown = Reflect.get(credentials, 'user')
  const hasServer = has('homeserver') || (!has('token') && typeof user === 'string' && user.includes(':'))
  return [
    ...(has('token') || has('user') ? [] : (['token'] as const)),
    ...(hasServer ? [] : (['homeserver'] as const)),
    ...(!has('token') && has('user') && !has('password') ? (['password'] as const) : []),
  ]
}

const requires = (name: CredentialName) =>
  [
    ({ kind, credentials }: { readonly kind: unknown; readonly credentials: unknown }) =>
      !listMissing(kind, credentials).includes(name),
    {
      path: ['credentials', name] as string[],
      error: 'Field required',
      // Also reported when another field has a wrong type.
      when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
    },
  ] as const

const ChannelCreateRequest = z
  .object({ kind: z.string().describe(`${platformNames()}.`), credentials: Credentials })
  .refine(...requires('token'))
  .refine(...requires('homeserver'))
  .refine(...requires('password'))
  .meta({ id: 'ChannelCreateRequest' })

export const addChannelRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/channels',
  summary:
    'Add a bot to the persona, to be paired with a chat afterwards. A bot that it already has is not added twice',
  description:
    'The token is checked with its platform before anything is stored. Users who write to the bot then get a code, which `pair` takes. Matrix takes a password in place of a token: the daemon signs in once, stores only the token of the new session, and ends the session when the channel is removed.',
  tag: 'Channels',
  body: ChannelCreateRequest,
  reply: z.object({ kind: z.string() }).meta({ id: 'ChannelCreated' }),
  refuses: ['persona_unknown', 'channel_invalid', 'channels_full', 'cut_short', 'added_not_restarted'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { kind, credentials }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => ({
        kind: await addBot(deps, id, { kind, credentials }, signal),
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
