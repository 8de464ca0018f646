/** Loads the subscriptions at the start if there are any, else with the first request for them. */

import { subscriptionsFile } from '../../home/places.ts'
import { fileExists } from '../../journal/leveldb/durable-files.ts'
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
  let subscriptions: Subscriptions | undefined
  let isClosed = false
  const load = async () => {
    const { openSubscriptions } = await import('./subscriptions.ts')
    subscriptions = await openSubscriptions(deps)
    return subscriptions
  }
  const open = () => {
    opening ??= load().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  // Not awaited at the start, because requests and personas do not depend on it.
  const begin = async () => {
    await personas.ready.catch(() => undefined)
    if (!isClosed && (await fileExists(subscriptionsFile(home)))) await open()
  }
  const beginning = begin().catch((err: unknown) => log.error({ err }, 'subscriptions could not be opened'))
  return {
    open,
    listLoaded: () => subscriptions?.list() ?? [],
    close: async () => {
      isClosed = true
      await beginning
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
