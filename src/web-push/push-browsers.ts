/** The browsers that are told, and the key under which they are. */
import { type Kept, openPushFile, type PushFile } from './push-file.ts'
import { library } from './push-sending.ts'
import type { Subscription } from './subscription.ts'

export interface PushBrowsers {
  /** The key that a browser subscribes under. Unavailable. */
  publicKey(): Promise<string>
  /** On disk when it resolves; known already, its keys are replaced. Unavailable. */
  subscribe(subscription: Subscription): Promise<void>
  /** Whether it was among them. On disk when it resolves. Unavailable. */
  forget(endpoint: string): Promise<boolean>
  /** Null where nobody has ever subscribed. Unavailable. */
  now(): Promise<Kept | null>
}

/** Who comes then takes the place of the oldest. */
const most = 64

/** `hide`: keeps an endpoint, which is as good as a key, out of the log. */
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
