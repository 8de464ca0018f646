/** Where the person can be reached beside the page. */
import type { Channel } from '../../../journal/facts/fact-values.ts'
import type { BotChannel } from '../../../projections/bot-channels.ts'
import type { Self } from '../../../projections/self.ts'

/** Paired chats, each once: two bots of its own may share one. */
export const channelsOf = ({ channels }: Pick<Self, 'channels'>): readonly Channel[] => {
  const chats = new Map<string, Channel>()
  for (const { kind, paired } of channels)
    if (paired) chats.set(`${kind} ${paired.target}`, { type: kind, name: paired.target })
  return [...chats.values()]
}

/** As its mind is told; empty where it has none but the page. */
export const channelsTold = ({ channels }: Pick<Self, 'channels'>): string =>
  channels.length === 0 ? '' : ['- web, the page', ...channels.map(told), ''].join('\n')

const told = ({ kind, paired, trouble }: BotChannel): string =>
  `- ${kind}${paired ? '' : ', not paired with a chat yet'}${trouble === null ? '' : ', not working at the moment'}`
