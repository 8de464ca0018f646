/** Loads the subscriptions at the start if there are any, else with the first request for them. */
import { fileExists } from '../../journal/files/moves.ts'
import { subscriptionsFile } from '../../journal/files/places.ts'
import type { SubscriptionDeps, SubscriptionState, Subscriptions } from './subscriptions.ts'

export interface SubscriptionsOnDemand {
  /** Rejects with Unavailable if the stored subscriptions cannot be read. */
  open(): Promise<Subscriptions>
  /** Returns none as long as they are not loaded. */
  listLoaded(): readonly SubscriptionState[]
  close(): Promise<void>
}

export const createSubscriptionsOnDemand = (deps: SubscriptionDeps): SubscriptionsOnDemand => {
  const { home, personas, log } = deps
  let opening: Promise<Subscriptions> | undefined
  let loaded: Subscriptions | undefined
  let isClosed = false
  const load = async () => {
    const { openSubscriptions } = await import('./subscriptions.ts')
    loaded = await openSubscriptions(deps)
    return loaded
  }
  const open = () => {
    opening ??= load().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const begin = async () => {
    await personas.ready.catch(() => undefined)
    if (!isClosed && (await fileExists(subscriptionsFile(home)))) await open()
  }
  const beginning = begin().catch((err: unknown) => log.error({ err }, 'subscriptions could not be opened'))
  return {
    open,
    listLoaded: () => loaded?.list() ?? [],
    close: async () => {
      isClosed = true
      await beginning
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
