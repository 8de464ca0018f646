/**
 * The platforms of the daemon: each is loaded when the first token for it comes along, and the port does not
 * wait for any.
 */

import type { ChannelKind } from '../../journal/facts/fact-values.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { createNetwork, type Network } from '../../packages/kit/network/network.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Platform } from './platform.ts'

export interface Platforms {
  of(kind: ChannelKind): Promise<Platform>
  close(): Promise<void>
}

interface Deps {
  /** Where they are. */
  readonly urls: Readonly<Record<ChannelKind, string>>
  readonly clock: Clock
  readonly log: DiscreetLog
  /** Names the proxies. */
  readonly env: NodeJS.ProcessEnv
}

type Means = Pick<Deps, 'clock' | 'log'> & { readonly base: string; readonly network: Network }

const load: Readonly<Record<ChannelKind, (means: Means) => Promise<Platform>>> = {
  telegram: async (means) => (await import('./telegram/platform.ts')).createTelegram(means),
  discord: async (means) => (await import('./discord/platform.ts')).createDiscord(means),
}

export const createPlatforms = ({ urls, clock, log, env }: Deps): Platforms => {
  const network = createNetwork({ env })
  const loaded = new Map<ChannelKind, Promise<Platform>>()
  return {
    of: (kind) => {
      const platform = loaded.get(kind) ?? load[kind]({ base: urls[kind], network, clock, log })
      loaded.set(kind, platform)
      // What could not be loaded is tried again.
      platform.catch(() => loaded.delete(kind))
      return platform
    },
    close: network.close,
  }
}

/** Those that are there already. */
export const platformsOf = (platforms: readonly Platform[]): Platforms => ({
  of: async (kind) => {
    const platform = platforms.find((one) => one.kind === kind)
    if (!platform) throw new Error(`there is no ${kind} here`)
    return platform
  },
  close: async () => undefined,
})
