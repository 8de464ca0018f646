/** Rules of channels: bots are added, paired and removed, and deliveries are settled. */
import type { ChannelKind, Seq } from '../../../facts/fact-values.ts'
import type { PersonaEvent } from '../../../facts/facts.ts'
import { type BotChannel, channelName } from '../../../projections/bot-channels.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Self } from '../../../projections/self.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

/** `token` is a reference into the secrets file. */
export interface NewChannel {
  readonly id: string
  readonly kind: ChannelKind
  readonly bot: { readonly id: string; readonly name: string }
  readonly token: string
}

interface AddChannel {
  readonly type: 'AddChannel'
  readonly channel: NewChannel
}

/** Removes all channels of a name. */
interface RemoveChannels {
  readonly type: 'RemoveChannels'
  readonly name: string
}

/** `at`: ISO 8601 with offset. */
interface PairChannel {
  readonly type: 'PairChannel'
  readonly id: string
  readonly target: string
  readonly at: string
}

/** `reason` null: the channel works again. */
interface TroubleChannel {
  readonly type: 'TroubleChannel'
  readonly id: string
  readonly reason: string | null
}

/** Records the number of parts delivered so far. */
interface NoteParts {
  readonly type: 'NoteParts'
  readonly message: Seq
  readonly parts: number
}

/** `reason` null: delivered; else why delivery failed permanently. */
interface SettleDelivery {
  readonly type: 'SettleDelivery'
  readonly message: Seq
  readonly reason: string | null
}

export type ChannelCommand =
  | AddChannel
  | RemoveChannels
  | PairChannel
  | TroubleChannel
  | NoteParts
  | SettleDelivery

const maxChannels = 64

const addChannel = ({ self }: Persona, { channel }: AddChannel): Decision => {
  const existingChannel = findChannel(self, channel)
  if (!existingChannel && self.channels.length >= maxChannels)
    return refuse({ code: 'channels_full', most: maxChannels })
  return accept(...createAddEvents([existingChannel ? { ...channel, id: existingChannel.id } : channel]))
}

const removeChannels = ({ self }: Persona, { name }: RemoveChannels): Decision =>
  accept(
    ...self.channels
      .filter((channel) => channelName(channel) === name)
      .map(({ id }) => ({ type: 'ChannelRemoved', id }) as const),
  )

const pairChannel = ({ self }: Persona, { id, target, at }: PairChannel): Decision => {
  const channel = self.channels.find((entry) => entry.id === id)
  if (!channel) return refuse({ code: 'channel_unknown' })
  return channel.paired
    ? refuse({ code: 'channel_verified' })
    : accept({ type: 'ChannelPaired', id, target, at })
}

const troubleChannel = ({ self }: Persona, { id, reason }: TroubleChannel): Decision => {
  const channel = self.channels.find((entry) => entry.id === id)
  if (!channel || channel.trouble === reason) return accept()
  return accept(reason === null ? { type: 'ChannelRecovered', id } : { type: 'ChannelTroubled', id, reason })
}

const noteParts = ({ deliveries }: Persona, { message, parts }: NoteParts): Decision => {
  const waits = deliveries.waiting.some((entry) => entry.message === message && entry.parts < parts)
  return waits ? accept({ type: 'PartsDelivered', message, parts }) : accept()
}

const settleDelivery = ({ deliveries }: Persona, { message, reason }: SettleDelivery): Decision => {
  if (!deliveries.waiting.some((entry) => entry.message === message)) return accept()
  return accept(
    reason === null ? { type: 'Delivered', message } : { type: 'DeliveryFailed', message, reason },
  )
}

export const channelRules: Rules<ChannelCommand> = {
  AddChannel: addChannel,
  RemoveChannels: removeChannels,
  PairChannel: pairChannel,
  TroubleChannel: troubleChannel,
  NoteParts: noteParts,
  SettleDelivery: settleDelivery,
}

/**
 * Returns the existing channel of a bot. One bot is one channel, even with another token. Older journals may
 * have several: then a paired one.
 */
export const findChannel = (
  { channels }: Self,
  { kind, bot }: Pick<NewChannel, 'kind' | 'bot'>,
): BotChannel | undefined => {
  const equalChannels = channels.filter((entry) => entry.kind === kind && entry.bot.id === bot.id)
  return equalChannels.find(({ paired }) => paired) ?? equalChannels[0]
}

export const createAddEvents = (channels: readonly NewChannel[]): readonly PersonaEvent[] =>
  channels.map(({ id, kind, bot, token }) => ({
    type: 'ChannelAdded',
    id,
    kind,
    name: bot.name,
    bot: bot.id,
    token,
  }))
