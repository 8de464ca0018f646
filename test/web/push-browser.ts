/**
 * Simulates a browser with push notifications, because the test browser has no push service and no permission
 * prompt. Subscriptions belong to a stand-in, and the test decides about the permission.
 */
import type { Page, Worker } from 'playwright-core'
import type { PushBrowser, PushService } from '../stand-ins/push-service.ts'

export interface PushingBrowser {
  /** The subscriptions, oldest first. */
  readonly subscribed: readonly PushBrowser[]
  /** Sets the user's decision about the permission. `default` dismisses the prompt. */
  answers(permission: 'default' | 'denied' | 'granted'): Promise<void>
}

/** Must be called before the page is loaded. */
export const standInForPush = async (page: Page, service: PushService): Promise<PushingBrowser> => {
  const subscribed: PushBrowser[] = []
  await page.exposeFunction('subscribeAt', (key: string) => {
    const browser = service.browser(key)
    subscribed.push(browser)
    return browser.subscription
  })
  await page.addInitScript({ content: pushing })
  return { subscribed, answers: (permission) => page.evaluate(`pushing.answer = '${permission}'`) }
}

/** Runs in the page. */
const pushing = `{
  window.pushing = { answer: 'granted', permission: 'default', now: null }
  window.PushManager ??= class {}
  window.Notification ??= class {}
  Object.defineProperty(Notification, 'permission', { get: () => pushing.permission })
  Notification.requestPermission = async () => (pushing.permission = pushing.answer)
  const bytes = (key) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
  const manager = {
    getSubscription: async () => pushing.now,
    subscribe: async ({ applicationServerKey: key, userVisibleOnly }) => {
      if (!userVisibleOnly || pushing.permission !== 'granted') throw new DOMException('', 'NotAllowedError')
      const made = await subscribeAt(key)
      pushing.now = {
        endpoint: made.endpoint,
        options: { applicationServerKey: bytes(key).buffer },
        toJSON: () => made,
        unsubscribe: async () => { pushing.now = null; return true },
      }
      return pushing.now
    },
  }
  Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => manager })
}`

export interface PushedWorker {
  readonly worker: Worker
  /** Delivers a message as the push service does. */
  deliver(payload: unknown): Promise<unknown>
  /** Title and text of each notification, oldest first. */
  listMessages(): Promise<readonly string[]>
}

/** Returns the service worker of a loaded page, and records its notifications. */
export const pushedWorker = async (page: Page): Promise<PushedWorker> => {
  const context = page.context()
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(`self.shown = []
    registration.showNotification = async (title, { body }) => void shown.push(title + ': ' + body)`)
  const browser = await context.newCDPSession(page)
  const endpointPromise = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    }),
  )
  await browser.send('ServiceWorker.enable')
  const registrationId = await endpointPromise
  const deliver = (payload: unknown) => {
    const { origin } = new URL(page.url())
    const data = JSON.stringify(payload)
    return browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
  return { worker, deliver, listMessages: () => worker.evaluate<readonly string[]>('self.shown') }
}
