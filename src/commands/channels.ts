/** Adds, pairs and removes bots, and checks their tokens. */

import { ChannelKind, type PersonaId } from '../../facts/fact-values.ts'
import { isoIn } from '../../packages/kit/time/clock.ts'
import { type ChannelRecord, channelRecord, type PersonaRecord } from '../../projections/persona-record.ts'
import type { Self } from '../../projections/self.ts'
import { Refused } from '../persona/refusals.ts'
import { findChannel, type NewChannel } from '../persona/rules/channels.ts'
import { platformNames, platformTable } from '../platform-table.ts'
import { type Bot, type GivenCredentials, TokenRefused } from './bots.ts'
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
  request: { readonly kind: string; readonly credentials: GivenCredentials },
  disconnectSignal: AbortSignal,
): Promise<ChannelKind> => {
  const { agents, channels, inTurn, personas } = deps
  const [first] = requireListed(personas, id).self.channels
  const kind = parseKind(request.kind)
  // Dry run with an existing bot: the real one may be one of these, which is known only with its name.
  const candidate = { id: '', kind: first?.kind ?? kind, bot: first?.bot ?? { id: '', name: '' }, token: '' }
  await personas.would(id, { type: 'AddChannel', channel: candidate })
  const wish = { kind, credentials: request.credentials, shown: kind }
  const checkedChannel = await checkToken(deps, wish, disconnectSignal)
  const add = async () => {
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
  }
  const { failed } = await inTurn(id, () =>
    endingSessions(deps, id, async () => {
      try {
        return await add()
      } finally {
        // The new session is of no use if the persona does not have it now.
        if (!(await hasToken(personas, id, checkedChannel))) channels.signOut(kind, checkedChannel.token)
      }
    }),
  )
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

type RemoveBotDeps = Pick<CommandDeps, 'agents' | 'channels' | 'inTurn' | 'personas'>

/** Throws Refused: persona_unknown, removed_not_restarted. */
export const removeBot = (
  { agents, channels, inTurn, personas }: RemoveBotDeps,
  id: PersonaId,
  name: string,
): Promise<void> =>
  inTurn(id, async () => {
    requireListed(personas, id)
    const { entries } = await endingSessions({ channels, personas }, id, () =>
      personas.execute(id, { type: 'RemoveChannels', name }, 'person'),
    )
    const { failed } = await agents.waitUntilSettled(id)
    // Without a removal, the failure belongs to an earlier command.
    if (failed !== null && entries.length > 0)
      throw new Refused({ code: 'removed_not_restarted', reason: failed })
  })

/**
 * Runs a change of the channels, and ends the sessions of those that are gone afterwards. A session that
 * cannot be ended stays on its server until the user ends it there.
 */
export const endingSessions = async <T>(
  { channels, personas }: Pick<CommandDeps, 'channels' | 'personas'>,
  id: PersonaId,
  change: () => Promise<T>,
): Promise<T> => {
  const listChannels = () => personas.getRow(id)?.self.channels ?? []
  const formerSessions = await Promise.all(
    listChannels().map(async ({ kind, token: ref }) => ({
      kind,
      ref,
      // If it cannot be read, there is nothing to end it with.
      token: await personas.secret(id, ref).catch(() => null),
    })),
  )
  const result = await change()
  const refs = new Set(listChannels().map(({ token }) => token))
  for (const { kind, ref, token } of formerSessions)
    if (token !== null && !refs.has(ref)) channels.signOut(kind, token)
  return result
}

/** A token whose bot is known. `token`: as it is stored. */
export interface WantedChannel {
  readonly kind: ChannelKind
  readonly token: string
  readonly bot: Bot
}

/** `shown`: name of the kind in refusals. Throws Refused: channel_invalid, cut_short. */
const checkToken = async (
  { channels }: Pick<CommandDeps, 'channels'>,
  wish: { readonly kind: ChannelKind; readonly credentials: GivenCredentials; readonly shown: string },
  disconnectSignal: AbortSignal,
): Promise<WantedChannel> => {
  const { kind, credentials, shown } = wish
  try {
    const { token, bot } = await channels.check(kind, credentials, disconnectSignal)
    if (disconnectSignal.aborted) channels.signOut(kind, token)
    throwIfDisconnected(disconnectSignal)
    return { kind, token, bot }
  } catch (error) {
    throwIfDisconnected(disconnectSignal)
    throw error instanceof TokenRefused
      ? new Refused({ code: 'channel_invalid', kind: shown, reason: error.message })
      : error
  }
}

/** By platform. An empty or missing token means no bot. */
export type Tokens = Readonly<Partial<Record<ChannelKind, GivenCredentials>>>

/** For create and migrate. Throws like `checkToken`. */
export const checkTokens = async (
  deps: Pick<CommandDeps, 'channels'>,
  tokens: Tokens,
  disconnectSignal: AbortSignal,
): Promise<readonly WantedChannel[]> => {
  const requestedChannels: WantedChannel[] = []
  for (const kind of ChannelKind.options) {
    const credentials = tokens[kind]
    if (credentials?.token)
      requestedChannels.push(
        await checkToken(deps, { kind, credentials, shown: platformTable[kind].title }, disconnectSignal),
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

/** Whether the persona has this token now. True if that is unknown. */
const hasToken = async (
  personas: Pick<CommandDeps['personas'], 'getRow' | 'secret'>,
  id: PersonaId,
  { token }: WantedChannel,
): Promise<boolean> => {
  try {
    for (const channel of personas.getRow(id)?.self.channels ?? [])
      if ((await personas.secret(id, channel.token)) === token) return true
    return false
  } catch {
    return true
  }
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
