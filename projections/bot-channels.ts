/** The bots through which it is spoken to, and what each goes by. */
import type { Channel, ChannelKind } from '../journal/facts/fact-values.ts'
import type { EventOf } from '../journal/facts/facts.ts'
import type { Talk } from './talk.ts'

/** A bot of its own; `channelName` says what it goes by. */
export interface BotChannel {
  readonly id: string
  readonly kind: ChannelKind
  /** As its platform knows it. */
  readonly bot: { readonly id: string; readonly name: string }
  /**
   * Before it is paired it goes by the name of its bot, with a number behind it where another of its own goes
   * by that.
   */
  readonly unpaired: string
  /** An entry of the secrets file. */
  readonly token: string
  /** The chat it is paired with, and since when: ISO 8601 with the offset of then. */
  readonly paired: { readonly target: string; readonly at: string } | null
  /** Why it does not work; null where nothing is known to be wrong. */
  readonly trouble: string | null
}

/** In the order they were added. */
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
      return changed(channels, event.id, { paired: { target: event.target, at: event.at } })
    case 'ChannelTroubled':
      return changed(channels, event.id, { trouble: event.reason })
    case 'ChannelRecovered':
      return changed(channels, event.id, { trouble: null })
  }
}

/** The chat once it is paired, the bot before. */
export const channelName = ({ unpaired, paired }: Pick<BotChannel, 'unpaired' | 'paired'>): string =>
  paired?.target ?? unpaired

/** Paired chats, each once, with the topic that the user last wrote in: two bots may share a chat. */
export const chatsOf = (channels: Bots, inboxes: Talk['inboxes']): readonly Channel[] => {
  const chats = new Map<string, Channel>()
  for (const { kind, paired } of channels)
    if (paired) chats.set(`${kind} ${paired.target}`, latestIn(kind, paired.target, inboxes))
  return [...chats.values()]
}

const latestIn = (type: ChannelKind, name: string, inboxes: Talk['inboxes']): Channel => {
  const heard = Object.values(inboxes)
    .filter(({ channel }) => channel?.type === type && channel.name === name)
    .sort((one, other) => other.heard - one.heard)
  return heard[0]?.channel ?? { type, name }
}

/** None of the others goes by it, so it can be removed by it. */
const nameApart = (name: string, channels: Bots): string => {
  const taken = new Set(channels.flatMap((channel) => [channelName(channel), channel.unpaired]))
  let apart = name
  for (let n = 2; taken.has(apart); n++) apart = `${name}-${n}`
  return apart
}

/**
 * A bot that is there already has another token, and perhaps another name, from now on. What was wrong with
 * the one before is not known of this one.
 */
const withAdded = (channels: Bots, { id, kind, name, bot, token }: EventOf<'ChannelAdded'>): Bots => {
  const others = channels.filter((one) => one.id !== id)
  const known = channels.find((one) => one.id === id)
  const unpaired = known?.bot.name === name ? known.unpaired : nameApart(name, others)
  const added = {
    id,
    kind,
    bot: { id: bot, name },
    unpaired,
    token,
    paired: known?.paired ?? null,
    trouble: null,
  }
  return known ? channels.map((one) => (one === known ? added : one)) : [...others, added]
}

const changed = (channels: Bots, id: string, change: Partial<Pick<BotChannel, 'paired' | 'trouble'>>): Bots =>
  channels.map((channel) => (channel.id === id ? { ...channel, ...change } : channel))
