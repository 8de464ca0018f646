/** Checks bot tokens with their platform and stores them as secrets. */
import { ChannelKind, type PersonaId } from '../../journal/facts/fact-values.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import { channelOf, type NewChannel } from '../persona/rules/channels.ts'
import { platformTable } from '../platform-table.ts'
import { type Bot, TokenRefused } from './bots.ts'
import type { CommandDeps } from './command-deps.ts'
import { stillThere } from './still-there.ts'
import { withSecrets } from './with-secrets.ts'

/** A token whose bot is known. */
export interface WantedChannel {
  readonly kind: ChannelKind
  readonly token: string
  readonly bot: Bot
}

/** `shown`: name of the kind in refusals. Throws Refused: channel_invalid, cut_short. */
export const checkToken = async (
  { channels }: Pick<CommandDeps, 'channels'>,
  { kind, token, shown }: { readonly kind: ChannelKind; readonly token: string; readonly shown: string },
  gone: AbortSignal,
): Promise<WantedChannel> => {
  try {
    const bot = await channels.check(kind, token, gone)
    stillThere(gone)
    return { kind, token: token.trim(), bot }
  } catch (error) {
    stillThere(gone)
    throw error instanceof TokenRefused
      ? new Refused({ code: 'channel_invalid', kind: shown, reason: error.message })
      : error
  }
}

/** Null, undefined and "" mean no token. */
export type Tokens = Readonly<Partial<Record<ChannelKind, string | null | undefined>>>

/** For create and migrate. Throws like `checkToken`. */
export const checkTokens = async (
  deps: Pick<CommandDeps, 'channels'>,
  tokens: Tokens,
  gone: AbortSignal,
): Promise<readonly WantedChannel[]> => {
  const wanted: WantedChannel[] = []
  for (const kind of ChannelKind.options) {
    const token = tokens[kind]
    if (token) wanted.push(await checkToken(deps, { kind, token, shown: platformTable[kind].title }, gone))
  }
  return wanted
}

/** Whether the bot is already a working channel of the persona with the same token and name. */
export const hasAlready = async (
  personas: Pick<CommandDeps['personas'], 'secret'>,
  self: Self,
  { kind, token, bot }: WantedChannel,
) => {
  const channel = channelOf(self, { kind, bot })
  if (!channel || channel.trouble !== null || channel.bot.name !== bot.name) return false
  return (await personas.secret(self.id, channel.token)) === token
}

/** Stores the tokens and passes the channels to `save`. Removes the tokens if it fails. */
export const withTokens = async <T>(
  deps: Pick<CommandDeps, 'log' | 'newId' | 'personas'>,
  id: PersonaId,
  wanted: readonly WantedChannel[],
  save: (channels: readonly NewChannel[]) => Promise<T>,
): Promise<T> =>
  withSecrets(deps, id, 'token', async (keep) => {
    const channels: NewChannel[] = []
    for (const { kind, token, bot } of wanted) {
      const ref = await keep(token)
      channels.push({ id: deps.newId(), kind, bot: { id: bot.id, name: bot.name }, token: ref })
    }
    return save(channels)
  })
