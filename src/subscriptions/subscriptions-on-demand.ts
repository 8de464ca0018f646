/** Loads the subscriptions at the start if there are any, else with the first request for them. */

import { subscriptionsFile } from '../../home/places.ts'
import { fileExists } from '../../journal/leveldb/durable-files.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import type { SubscriptionDeps, SubscriptionState, Subscriptions } from './subscriptions.ts'

export interface SubscriptionsOnDemand {
  /** Rejects with Unavailable if the stored subscriptions cannot be read. */
  open(): Promise<Subscriptions>
  /** Returns none as long as they are not loaded. */
  listLoaded(): readonly SubscriptionState[]
  /** Returns why the stored subscriptions could not be opened, after another attempt. Null if they were. */
  readTrouble(): Promise<string | null>
  close(): Promise<void>
}

export const createSubscriptionsOnDemand = (deps: SubscriptionDeps): SubscriptionsOnDemand => {
  const { home, personas, log } = deps
  let opening: Promise<Subscriptions> | undefined
  let subscriptions: Subscriptions | undefined
  let trouble: string | null = null
  let isClosed = false
  const load = async () => {
    const { openSubscriptions } = await import('./subscriptions.ts')
    subscriptions = await openSubscriptions(deps)
    return subscriptions
  }
  const open = () => {
    opening ??= load().then(
      (result) => {
        trouble = null
        return result
      },
      (error: unknown) => {
        opening = undefined
        const reason = error instanceof Unavailable ? error.message : 'the log of the daemon says why'
        trouble = `The subscriptions of other programs cannot be opened: ${reason}.`
        throw error
      },
    )
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
    readTrouble: async () => {
      // The user may have moved a damaged file away.
      if (trouble !== null && !isClosed) await open().catch(() => undefined)
      return trouble
    },
    close: async () => {
      isClosed = true
      await beginning
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}
