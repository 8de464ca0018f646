/**
 * The adapters of the messaging platforms in `platform-table.ts`. Each is loaded with its first token, so the
 * start of the daemon does not wait for them.
 */

import type { ChannelKind } from '../../facts/fact-values.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { createNetwork, type Network } from '../../packages/kit/network/network.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { PlatformUrls } from '../platform-table.ts'
import type { Platform } from './platform.ts'

export interface Platforms {
  of(kind: ChannelKind): Promise<Platform>
  close(): Promise<void>
}

interface Deps {
  /** Base URLs of the APIs; none for a platform with many servers. */
  readonly urls: PlatformUrls
  readonly clock: Clock
  readonly log: DiscreetLog
  /** Contains the proxy settings. */
  readonly env: NodeJS.ProcessEnv
}

type Means = Pick<Deps, 'clock' | 'log'> & { readonly base: string; readonly network: Network }

const load: Readonly<Record<ChannelKind, (means: Means) => Promise<Platform>>> = {
  telegram: async (means) => (await import('./telegram/platform.ts')).createTelegramPlatform(means),
  discord: async (means) => (await import('./discord/platform.ts')).createDiscordPlatform(means),
  matrix: async (means) => (await import('./matrix/platform.ts')).createMatrixPlatform(means),
}

export const createPlatforms = ({ urls, clock, log, env }: Deps): Platforms => {
  const network = createNetwork({ env })
  const loadedPlatforms = new Map<ChannelKind, Promise<Platform>>()
  return {
    of: (kind) => {
      const platform =
        loadedPlatforms.get(kind) ?? load[kind]({ base: urls[kind] ?? '', network, clock, log })
      loadedPlatforms.set(kind, platform)
      // A failed load is retried with the next call.
      platform.catch(() => loadedPlatforms.delete(kind))
      return platform
    },
    close: network.close,
  }
}

/** Wraps platforms that are already loaded. */
export const toPlatforms = (platforms: readonly Platform[]): Platforms => ({
  of: async (kind) => {
    const platform = platforms.find((candidate) => candidate.kind === kind)
    if (!platform) throw new Error(`the platform ${kind} is not available`)
    return platform
  },
  close: async () => undefined,
})
