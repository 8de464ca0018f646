/** The messaging platforms a persona is spoken to through, in the order in which they are told. Another one is a row here, its adapter in `platforms.ts`, and its folder. */
import { ChannelKind } from '../../journal/facts/fact-values.ts'

interface ChannelRow {
  /** As a person calls it. */
  readonly title: string
  /** Where its API is. */
  readonly url: string
  /** The environment variable that says otherwise. */
  readonly urlVariable: string
}

export const channelTable: Readonly<Record<ChannelKind, ChannelRow>> = {
  telegram: { title: 'Telegram', url: 'https://api.telegram.org', urlVariable: 'TELEGRAM_API_BASE_URL' },
  discord: { title: 'Discord', url: 'https://discord.com/api', urlVariable: 'DISCORD_API_BASE_URL' },
}

/** `telegram or discord`. */
export const anyKind = (): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(ChannelKind.options)

/** A value for every platform. */
export const perChannel = <T>(of: (row: ChannelRow, kind: ChannelKind) => T): Readonly<Record<ChannelKind, T>> =>
  Object.fromEntries(ChannelKind.options.map((kind) => [kind, of(channelTable[kind], kind)] as const)) as Record<ChannelKind, T>
