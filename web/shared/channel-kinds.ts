/** The messaging platforms, in display order. A missing one does not compile. */
import type { Shape } from './shapes.ts'

export type Kind = Shape<'ChannelRecord'>['type']

interface KindRow {
  readonly title: string
  /** The web page on which users create a bot, or an account. */
  readonly page: string
}

export const channelKinds: Readonly<Record<Kind, KindRow>> = {
  telegram: { title: 'Telegram', page: 'https://t.me/BotFather' },
  discord: { title: 'Discord', page: 'https://discord.com/developers/applications' },
  matrix: { title: 'Matrix', page: 'https://app.element.io/#/register' },
}

export const kinds = Object.keys(channelKinds) as readonly Kind[]

/** The platforms that need only a token. */
export type TokenKind = Exclude<Kind, 'matrix'>
export const tokenKinds = kinds.filter((kind): kind is TokenKind => kind !== 'matrix')

/** Returns the title of a platform, or undefined for another channel. */
export const getChannelTitle = (channel: string): string | undefined =>
  kinds.flatMap((kind) => (kind === channel ? channelKinds[kind].title : []))[0]
