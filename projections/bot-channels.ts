/** The bot channels of a persona and their names. */
import type { Channel, ChannelKind } from '../facts/fact-values.ts'
import type { EventOf } from '../facts/facts.ts'
import type { Talk } from './talk.ts'

/** A bot of the persona. Its display name is `channelName`. */
export interface BotChannel {
  readonly id: string
  readonly kind: ChannelKind
  /** The bot's id and name on its platform. */
  readonly bot: { readonly id: string; readonly name: string }
  /** Name before pairing: that of the bot, with a number if another channel of the persona has that name. */
  readonly unpaired: string
  /** Entry of the secrets file. */
  readonly token: string
  /** The paired chat and the time of pairing (ISO 8601 with the offset of that time). */
  readonly paired: { readonly target: string; readonly at: string } | null
  /** Reason of a failure; null if none is known. */
  readonly trouble: string | null
}

/** In the order in which they were added. */
type Bots = readonly BotChannel[]

type ChannelEvent = EventOf<
  'ChannelAdded' | 'ChannelRemoved' | 'ChannelPaired' | 'ChannelTroubled' | 'ChannelRecovered'
>

export const evolveChannels = (channels: Bots, event: ChannelEvent): Bots => {
  switch (event.type) {
    case 'ChannelAdded':
      return withAdded(channels, event)
    case 'ChannelRemoved':
      return channels.filter(({ id }) => id !== event.id)
    case 'ChannelPaired':
      return changeChannel(channels, event.id, { paired: { target: event.target, at: event.at } })
    case 'ChannelTroubled':
      return changeChannel(channels, event.id, { trouble: event.reason })
    case 'ChannelRecovered':
      return changeChannel(channels, event.id, { trouble: null })
  }
}

/** Returns the name of the paired chat, or that of the bot before pairing. */
export const channelName = ({ unpaired, paired }: Pick<BotChannel, 'unpaired' | 'paired'>): string =>
  paired?.target ?? unpaired

/** Returns each paired chat once, with the topic of the user's last message. Two bots may share a chat. */
export const listChats = (channels: Bots, inboxes: Talk['inboxes']): readonly Channel[] => {
  const chats = new Map<string, Channel>()
  for (const { kind, paired } of channels)
    if (paired) chats.set(`${kind} ${paired.target}`, latestIn(kind, paired.target, inboxes))
  return [...chats.values()]
}

const latestIn = (type: ChannelKind, name: string, inboxes: Talk['inboxes']): Channel => {
  const matchingInboxes = Object.values(inboxes)
    .filter(({ channel }) => channel?.type === type && channel.name === name)
    .sort((a, b) => b.heard - a.heard)
  return matchingInboxes[0]?.channel ?? { type, name }
}

/** Returns a unique name, because channels are removed by name. */
const uniqueName = (name: string, channels: Bots): string => {
  const takenNames = new Set(channels.flatMap((channel) => [channelName(channel), channel.unpaired]))
  let unique = name
  for (let n = 2; takenNames.has(unique); n++) unique = `${name}-${n}`
  return unique
}

/**
 * Adds a bot, or replaces the token and name of an existing one. Resets `trouble`, which belonged to the old
 * token.
 */
const withAdded = (channels: Bots, { id, kind, name, bot, token }: EventOf<'ChannelAdded'>): Bots => {
  const otherChannels = channels.filter((channel) => channel.id !== id)
  const previous = channels.find((channel) => channel.id === id)
  const unpairedName = previous?.bot.name === name ? previous.unpaired : uniqueName(name, otherChannels)
  const record = {
    id,
    kind,
    bot: { id: bot, name },
    unpaired: unpairedName,
    token,
    paired: previous?.paired ?? null,
    trouble: null,
  }
  return previous
    ? channels.map((channel) => (channel === previous ? record : channel))
    : [...otherChannels, record]
}

const changeChannel = (
  channels: Bots,
  id: string,
  change: Partial<Pick<BotChannel, 'paired' | 'trouble'>>,
): Bots => channels.map((channel) => (channel.id === id ? { ...channel, ...change } : channel))
