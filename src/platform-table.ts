/**
 * The messaging platforms a persona is spoken to through, in the order in which they are told. Another one is
 * a row here, its adapter in `channels/platforms.ts`, and its folder.
 */
import { ChannelKind } from '../journal/facts/fact-values.ts'

interface PlatformRow {
  /** As a person calls it. */
  readonly title: string
  /** Where its API is. */
  readonly url: string
  /** The environment variable that says otherwise. */
  readonly urlVariable: string
}

export const platformTable: Readonly<Record<ChannelKind, PlatformRow>> = {
  telegram: { title: 'Telegram', url: 'https://api.telegram.org', urlVariable: 'TELEGRAM_API_BASE_URL' },
  discord: { title: 'Discord', url: 'https://discord.com/api', urlVariable: 'DISCORD_API_BASE_URL' },
}

/** `telegram or discord`. */
export const platformNames = (): string => ChannelKind.options.join(' or ')

/** A value for every platform. */
export const perPlatform = <T>(
  of: (row: PlatformRow, kind: ChannelKind) => T,
): Readonly<Record<ChannelKind, T>> =>
  Object.fromEntries(
    ChannelKind.options.map((kind) => [kind, of(platformTable[kind], kind)] as const),
  ) as Record<ChannelKind, T>
