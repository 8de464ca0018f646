/**
 * The messaging platforms, in display order. To add one, add its name to `ChannelKind`, a
 * row here, its adapter in `channels/platforms.ts`, and its folder.
 */
import { ChannelKind } from '../journal/facts/fact-values.ts'

interface PlatformRow {
  /** The name for the user. */
  readonly title: string
  /** The address of its API. */
  readonly url: string
  /** The environment variable that overrides `url`. */
  readonly urlVariable: string
}

export const platformTable: Readonly<Record<ChannelKind, PlatformRow>> = {
  telegram: { title: 'Telegram', url: 'https://api.telegram.org', urlVariable: 'TELEGRAM_API_BASE_URL' },
  discord: { title: 'Discord', url: 'https://discord.com/api', urlVariable: 'DISCORD_API_BASE_URL' },
}

/** Returns `telegram or discord`. */
export const platformNames = (): string => ChannelKind.options.join(' or ')

/** Creates a value for every platform. */
export const perPlatform = <T>(
  toValue: (row: PlatformRow, kind: ChannelKind) => T,
): Readonly<Record<ChannelKind, T>> =>
  Object.fromEntries(
    ChannelKind.options.map((kind) => [kind, toValue(platformTable[kind], kind)] as const),
  ) as Record<ChannelKind, T>
