/** The platforms of the daemon: each is loaded when the first token for it comes along, and the port does not wait for any. */

import type { DiscreetLog } from '../log.ts'
import { createNetwork } from '../models/network.ts'
import type { Clock } from '../time/clock.ts'
import type { Kind, Platform } from './platform.ts'

export interface Platforms {
  of(kind: Kind): Promise<Platform>
  close(): Promise<void>
}

interface Deps {
  /** Where they are. */
  readonly urls: Readonly<Record<Kind, string>>
  readonly clock: Clock
  readonly log: DiscreetLog
  /** Names the proxies. */
  readonly env: NodeJS.ProcessEnv
}

export const createPlatforms = ({ urls, clock, log, env }: Deps): Platforms => {
  const network = createNetwork({ env })
  const load: Readonly<Record<Kind, () => Promise<Platform>>> = {
    telegram: async () => (await import('./telegram/platform.ts')).createTelegram({ base: urls.telegram, network, clock, log }),
    discord: async () => (await import('./discord/platform.ts')).createDiscord({ base: urls.discord, network, clock, log }),
  }
  const loaded = new Map<Kind, Promise<Platform>>()
  return {
    of: (kind) => {
      const platform = loaded.get(kind) ?? load[kind]()
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
