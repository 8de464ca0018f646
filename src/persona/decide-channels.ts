/** The rules of channels: bots that are added, paired with a chat and removed, and what became of words for them. */
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Persona } from '../../projections/persona.ts'
import { channelName, type HerChannel, type Self } from '../../projections/self.ts'
import type { Command, Decision, NewChannel } from './commands.ts'
import { accept, refuse } from './decision.ts'

type OfChannels = Extract<
  Command,
  { readonly type: 'AddChannel' | 'RemoveChannels' | 'PairChannel' | 'TroubleChannel' | 'SettleDelivery' | 'NoteParts' }
>

const mostChannels = 64

export const decideChannels = ({ self, deliveries }: Persona, command: OfChannels): Decision => {
  switch (command.type) {
    case 'AddChannel': {
      const { channel } = command
      const known = channelOf(self, channel)
      if (!known && self.channels.length >= mostChannels) return refuse({ code: 'channels_full', most: mostChannels })
      return accept(...adding([known ? { ...channel, id: known.id } : channel]))
    }
    case 'RemoveChannels':
      return accept(
        ...self.channels
          .filter((channel) => channelName(channel) === command.name)
          .map(({ id }) => ({ type: 'ChannelRemoved', id }) as const),
      )
    case 'PairChannel': {
      const { id, target, at } = command
      const channel = self.channels.find((one) => one.id === id)
      if (!channel) return refuse({ code: 'channel_unknown' })
      return channel.paired ? refuse({ code: 'channel_verified' }) : accept({ type: 'ChannelPaired', id, target, at })
    }
    case 'TroubleChannel': {
      const { id, reason } = command
      const channel = self.channels.find((one) => one.id === id)
      if (!channel || channel.trouble === reason) return accept()
      return accept(reason === null ? { type: 'ChannelRecovered', id } : { type: 'ChannelTroubled', id, reason })
    }
    case 'NoteParts': {
      const { message, parts } = command
      const waits = deliveries.waiting.some((one) => one.message === message && one.parts < parts)
      return waits ? accept({ type: 'PartsDelivered', message, parts }) : accept()
    }
    case 'SettleDelivery': {
      const { message, reason } = command
      if (!deliveries.waiting.some((one) => one.message === message)) return accept()
      return accept(reason === null ? { type: 'Delivered', message } : { type: 'DeliveryFailed', message, reason })
    }
  }
}

/** The channel that a bot has already: one bot is one channel of a persona, whatever its token. Where an older journal has several, a paired one. */
export const channelOf = ({ channels }: Self, { kind, bot }: Pick<NewChannel, 'kind' | 'bot'>): HerChannel | undefined => {
  const same = channels.filter((one) => one.kind === kind && one.bot.id === bot.id)
  return same.find(({ paired }) => paired) ?? same[0]
}

export const adding = (channels: readonly NewChannel[]): readonly PersonaEvent[] =>
  channels.map(({ id, kind, bot, token }) => ({ type: 'ChannelAdded', id, kind, name: bot.name, bot: bot.id, token }))
