/** Adds, pairs and removes bots, and checks their tokens. */

import { ChannelKind, type PersonaId } from '../../journal/facts/fact-values.ts'
import { isoIn } from '../../packages/kit/time/clock.ts'
import { type ChannelRecord, channelRecord, type PersonaRecord } from '../../projections/persona-record.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import { findChannel, type NewChannel } from '../persona/rules/channels.ts'
import { platformNames, platformTable } from '../platform-table.ts'
import { type Bot, TokenRefused } from './bots.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, requireRunning, throwIfDisconnected } from './lifecycle.ts'
import { recordFor } from './organ-request.ts'
import { withSecrets } from './with-secrets.ts'

/**
 * Returns the kind. Throws Refused: persona_unknown, channel_invalid, channels_full, cut_short,
 * added_not_restarted.
 */
export const addBot = async (
  deps: CommandDeps,
  id: PersonaId,
  request: { readonly kind: string; readonly token: string },
  disconnectSignal: AbortSignal,
): Promise<ChannelKind> => {
  const { agents, inTurn, personas } = deps
  const [first] = requireListed(personas, id).self.channels
  const kind = parseKind(request.kind)
  // Dry run with an existing bot: the real one may be one of these, which is known only with its name.
  const candidate = { id: '', kind: first?.kind ?? kind, bot: first?.bot ?? { id: '', name: '' }, token: '' }
  await personas.would(id, { type: 'AddChannel', channel: candidate })
  const checkedChannel = await checkToken(deps, { kind, token: request.token, shown: kind }, disconnectSignal)
  const { failed } = await inTurn(id, async () => {
    // The persona may have been deleted during the request to the platform.
    const { self } = requireListed(personas, id)
    if (await hasAlready(personas, self, checkedChannel)) return { failed: null }
    await withTokens(
      deps,
      id,
      [checkedChannel],
      async ([channel]) => channel && personas.execute(id, { type: 'AddChannel', channel }, 'person'),
    )
    return agents.waitUntilSettled(id)
  })
  if (failed !== null) throw new Refused({ code: 'added_not_restarted', reason: failed })
  return kind
}

/** An unknown kind is quoted up to this length. */
const maxKindLength = 60

/** Throws Refused: channel_invalid. */
const parseKind = (kindName: string): ChannelKind => {
  const kind = ChannelKind.safeParse(kindName)
  if (kind.success) return kind.data
  throw new Refused({
    code: 'channel_invalid',
    kind: kindName.slice(0, maxKindLength).toWellFormed(),
    reason: `Kind must be ${platformNames()}.`,
  })
}

type PairBotDeps = Pick<CommandDeps, 'agents' | 'channels' | 'clock' | 'config' | 'inTurn' | 'personas'>

/** Throws Refused: not_active, code_wrong, channel_unknown, channel_verified. */
export const pairBot = (
  { agents, channels, clock, config, inTurn, personas }: PairBotDeps,
  id: PersonaId,
  code: string,
): Promise<{ readonly persona: PersonaRecord; readonly channel: ChannelRecord }> =>
  inTurn(id, async () => {
    await requireRunning(agents, id)
    const claim = channels.claim(id, code)
    if (!claim) throw new Refused({ code: 'code_wrong' })
    const { channel, target } = claim
    const command = { type: 'PairChannel', id: channel, target, at: isoIn(clock.zone, clock.now()) } as const
    const { persona } = await personas.execute(id, command, 'person').catch((error: unknown) => {
      // After a disk error the user can try the same code again.
      if (!(error instanceof Refused)) channels.unclaim(id, claim)
      throw error
    })
    const pairedChannel = persona.self.channels.find((candidate) => candidate.id === channel)
    if (!pairedChannel) throw new Refused({ code: 'channel_unknown' })
    const token = await personas.secret(id, pairedChannel.token)
    return {
      persona: await recordFor(personas, persona.self, config.urls),
      channel: channelRecord(pairedChannel, () => token),
    }
  })

type RemoveBotDeps = Pick<CommandDeps, 'agents' | 'inTurn' | 'personas'>

/** Throws Refused: persona_unknown, removed_not_restarted. */
export const removeBot = (
  { agents, inTurn, personas }: RemoveBotDeps,
  id: PersonaId,
  name: string,
): Promise<void> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    const { entries } = await personas.execute(id, { type: 'RemoveChannels', name }, 'person')
    const { failed } = await agents.waitUntilSettled(id)
    // Without a removal, the failure belongs to an earlier command.
    if (failed !== null && entries.length > 0)
      throw new Refused({ code: 'removed_not_restarted', reason: failed })
  })

/** A token whose bot is known. */
export interface WantedChannel {
  readonly kind: ChannelKind
  readonly token: string
  readonly bot: Bot
}

/** `shown`: name of the kind in refusals. Throws Refused: channel_invalid, cut_short. */
const checkToken = async (
  { channels }: Pick<CommandDeps, 'channels'>,
  { kind, token, shown }: { readonly kind: ChannelKind; readonly token: string; readonly shown: string },
  disconnectSignal: AbortSignal,
): Promise<WantedChannel> => {
  try {
    const bot = await channels.check(kind, token, disconnectSignal)
    throwIfDisconnected(disconnectSignal)
    return { kind, token: token.trim(), bot }
  } catch (error) {
    throwIfDisconnected(disconnectSignal)
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
  disconnectSignal: AbortSignal,
): Promise<readonly WantedChannel[]> => {
  const requestedChannels: WantedChannel[] = []
  for (const kind of ChannelKind.options) {
    const token = tokens[kind]
    if (token)
      requestedChannels.push(
        await checkToken(deps, { kind, token, shown: platformTable[kind].title }, disconnectSignal),
      )
  }
  return requestedChannels
}

/** Whether the bot is already a working channel of the persona with the same token and name. */
const hasAlready = async (
  personas: Pick<CommandDeps['personas'], 'secret'>,
  self: Self,
  { kind, token, bot }: WantedChannel,
) => {
  const channel = findChannel(self, { kind, bot })
  if (!channel || channel.trouble !== null || channel.bot.name !== bot.name) return false
  return (await personas.secret(self.id, channel.token)) === token
}

/** Stores the tokens and passes the channels to `save`. Removes the tokens if it fails. */
export const withTokens = async <T>(
  deps: Pick<CommandDeps, 'log' | 'newId' | 'personas'>,
  id: PersonaId,
  requestedChannels: readonly WantedChannel[],
  save: (channels: readonly NewChannel[]) => Promise<T>,
): Promise<T> =>
  withSecrets(deps, id, 'token', async (keepSecret) => {
    const channels: NewChannel[] = []
    for (const { kind, token, bot } of requestedChannels) {
      const ref = await keepSecret(token)
      channels.push({ id: deps.newId(), kind, bot: { id: bot.id, name: bot.name }, token: ref })
    }
    return save(channels)
  })
