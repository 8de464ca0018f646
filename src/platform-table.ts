/**
 * The messaging platforms, in display order. To add one, add its name to `ChannelKind`, a
 * row here, its adapter in `channels/platforms.ts`, and its folder.
 */
import { ChannelKind } from '../facts/fact-values.ts'

interface PlatformRow {
  /** The name for the user. */
  readonly title: string
  /** Null if the user names the server of each bot. */
  readonly api: {
    /** The address of its API. */
    readonly url: string
    /** The environment variable that overrides `url`. */
    readonly urlVariable: string
  } | null
}

export const platformTable: Readonly<Record<ChannelKind, PlatformRow>> = {
  telegram: {
    title: 'Telegram',
    api: { url: 'https://api.telegram.org', urlVariable: 'TELEGRAM_API_BASE_URL' },
  },
  discord: {
    title: 'Discord',
    api: { url: 'https://discord.com/api', urlVariable: 'DISCORD_API_BASE_URL' },
  },
  matrix: { title: 'Matrix', api: null },
}

/** By platform, those with one server. */
export type PlatformUrls = Readonly<Partial<Record<ChannelKind, string>>>

/** Returns `telegram, discord or matrix`. */
export const platformNames = (): string => {
  const names = ChannelKind.options
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Reads the address of each platform that has one. */
export const readPlatformUrls = (readUrl: (variable: string, usualUrl: string) => string): PlatformUrls =>
  Object.fromEntries(
    ChannelKind.options.flatMap((kind) => {
      const { api } = platformTable[kind]
      return api ? [[kind, readUrl(api.urlVariable, api.url)] as const] : []
    }),
  )
