/** The subscribed browsers and the VAPID key pair. */
import { type Kept, openPushFile, type PushFile } from './push-file.ts'
import { library } from './push-sending.ts'
import type { Subscription } from './subscription.ts'

export interface PushBrowsers {
  /** Returns the public VAPID key. Rejects with Unavailable. */
  publicKey(): Promise<string>
  /** Adds a browser, or replaces its keys. On disk when it resolves. Rejects with Unavailable. */
  subscribe(subscription: Subscription): Promise<void>
  /**
   * Removes a browser. Returns false if it was not subscribed. On disk when it resolves. Rejects with
   * Unavailable.
   */
  forget(endpoint: string): Promise<boolean>
  /** Returns null if no browser has ever subscribed. Rejects with Unavailable. */
  now(): Promise<Kept | null>
}

/** Max number of browsers. A new one replaces the oldest. */
const most = 64

/** `hide` redacts an endpoint in the log, because an endpoint is as secret as a key. */
export const createPushBrowsers = (home: string, hide: (endpoint: string) => void): PushBrowsers => {
  let opening: Promise<PushFile> | undefined
  const file = (): Promise<PushFile> => {
    opening ??= opened().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const opened = async () => {
    const file = await openPushFile(home)
    for (const { endpoint } of file.now()?.subscriptions ?? []) hide(endpoint)
    return file
  }
  const change = async (make: (before: Kept) => Kept): Promise<Kept> =>
    (await file()).change(async (before) => make(before ?? (await newlyKept())))

  return {
    publicKey: async () => (await change((kept) => kept)).publicKey,
    subscribe: async (subscription) => {
      hide(subscription.endpoint)
      await change((before) => {
        const others = before.subscriptions.filter(({ endpoint }) => endpoint !== subscription.endpoint)
        return { ...before, subscriptions: [...others.slice(1 - most), subscription] }
      })
    },
    forget: async (endpoint) => {
      let known = false
      await change((before) => {
        const subscriptions = before.subscriptions.filter((one) => one.endpoint !== endpoint)
        known = subscriptions.length < before.subscriptions.length
        return known ? { ...before, subscriptions } : before
      })
      return known
    },
    now: async () => (await file()).now(),
  }
}

const newlyKept = async (): Promise<Kept> => ({
  format: 1,
  ...(await library()).generateVAPIDKeys(),
  subscriptions: [],
})
