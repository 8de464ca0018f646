/** The subscribed browsers and the VAPID key pair. */
import { openPushFile, type PushFile, type PushState } from './push-file.ts'
import { loadLibrary } from './push-sending.ts'
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
  now(): Promise<PushState | null>
}

/** Max number of browsers. A new one replaces the oldest. */
const maxBrowsers = 64

/** `hide` redacts an endpoint in the log, because an endpoint is as secret as a key. */
export const createPushBrowsers = (home: string, hide: (endpoint: string) => void): PushBrowsers => {
  let opening: Promise<PushFile> | undefined
  const getFile = (): Promise<PushFile> => {
    opening ??= openFile().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  const openFile = async () => {
    const file = await openPushFile(home)
    for (const { endpoint } of file.now()?.subscriptions ?? []) hide(endpoint)
    return file
  }
  const change = async (make: (state: PushState) => PushState): Promise<PushState> =>
    (await getFile()).change(async (state) => make(state ?? (await createPushState())))

  return {
    publicKey: async () => (await change((state) => state)).publicKey,
    subscribe: async (subscription) => {
      hide(subscription.endpoint)
      await change((state) => {
        const otherSubscriptions = state.subscriptions.filter(
          ({ endpoint }) => endpoint !== subscription.endpoint,
        )
        return { ...state, subscriptions: [...otherSubscriptions.slice(1 - maxBrowsers), subscription] }
      })
    },
    forget: async (endpoint) => {
      let isKnown = false
      await change((state) => {
        const subscriptions = state.subscriptions.filter((subscription) => subscription.endpoint !== endpoint)
        isKnown = subscriptions.length < state.subscriptions.length
        return isKnown ? { ...state, subscriptions } : state
      })
      return isKnown
    },
    now: async () => (await getFile()).now(),
  }
}

const createPushState = async (): Promise<PushState> => ({
  format: 1,
  ...(await loadLibrary()).generateVAPIDKeys(),
  subscriptions: [],
})
