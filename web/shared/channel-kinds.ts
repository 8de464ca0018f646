/** The messaging platforms, in display order. A missing one does not compile. */
import type { Shape } from './shapes.ts'

export type Kind = Shape<'ChannelRecord'>['type']

interface KindRow {
  readonly title: string
  /** The web page on which users create a bot. */
  readonly page: string
}

export const channelKinds: Readonly<Record<Kind, KindRow>> = {
  telegram: { title: 'Telegram', page: 'https://t.me/BotFather' },
  discord: { title: 'Discord', page: 'https://discord.com/developers/applications' },
}

export const kinds = Object.keys(channelKinds) as readonly Kind[]

/** Returns the title of a platform, or undefined for another channel. */
export const getChannelTitle = (channel: string): string | undefined =>
  kinds.flatMap((kind) => (kind === channel ? channelKinds[kind].title : []))[0]
