/** Where the person can be reached beside the page. */
import type { BotChannel } from '../../../projections/bot-channels.ts'
import type { Self } from '../../../projections/self.ts'

/** As its mind is told; empty where it has none but the page. */
export const channelsTold = ({ channels }: Pick<Self, 'channels'>): string =>
  channels.length === 0 ? '' : ['- web, the page', ...channels.map(told), ''].join('\n')

const told = ({ kind, paired, trouble }: BotChannel): string =>
  `- ${kind}${paired ? '' : ', not paired with a chat yet'}${trouble === null ? '' : ', not working at the moment'}`
