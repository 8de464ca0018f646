/** Lists the persona's channels besides the web page. */
import type { BotChannel } from '../../../projections/bot-channels.ts'
import type { Self } from '../../../projections/self.ts'

/** Returns the prompt text, or an empty string if the page is the only channel. */
export const channelsTold = ({ channels }: Pick<Self, 'channels'>): string =>
  channels.length === 0 ? '' : ['- web, the page', ...channels.map(toLine), ''].join('\n')

const toLine = ({ kind, paired, trouble }: BotChannel): string =>
  `- ${kind}${paired ? '' : ', not paired with a chat yet'}${trouble === null ? '' : ', not working at the moment'}`
