/** Push notifications: the subscription of this browser at its push service and the daemon. */
import { settingsText } from '../strings/settings-words.ts'
import { text } from '../strings/strings.ts'
import { type Answer, readFailure } from './answer.ts'
import { answerTo, client } from './client.ts'
import { readStorage, writeStorage } from './local-storage.ts'
import { webServer } from './web-server.ts'

/**
 * `unable`: the browser does not support push. `insecure`: push needs https or a loopback address. `blocked`:
 * the user denied the permission, which only the browser's settings can change.
 */
export type PushState = 'unable' | 'insecure' | 'blocked' | 'off' | 'on'

export const pushState = async (): Promise<PushState> => {
  if (!isSecureContext) return 'insecure'
  if (!('PushManager' in window && 'Notification' in window)) return 'unable'
  const registration = await getWorker()
  if (!registration) return 'unable'
  if (Notification.permission === 'denied') return 'blocked'
  return (await subscriptionNow()) && isOn() ? 'on' : 'off'
}

/** Must be called from a click handler, or the browser does not ask for permission. Never rejects. */
export const turnOn = async (): Promise<Answer<unknown>> => {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted')
    return toFailure(
      permission === 'denied' ? settingsText.settings.push.blocked : settingsText.settings.push.unanswered,
    )
  const subscription = await subscribe()
  if (subscription.ok) writeStorage('push', 'page', 'on')
  return subscription
}

/** Never rejects. */
export const turnOff = async (): Promise<Answer<unknown>> => {
  writeStorage('push', 'page', '')
  const subscription = await subscriptionNow()
  if (!subscription) return { ok: true, value: null }
  const { endpoint } = subscription
  const answer = await answerTo(client.POST('/api/push/forget', { body: { endpoint } }))
  await subscription.unsubscribe().catch(() => false)
  // A 404 means that the daemon did not know the subscription, which is fine.
  return answer.ok || answer.failure.status === 404 ? { ok: true, value: null } : answer
}

/** Never rejects. */
export const tryPush = async (): Promise<Answer<unknown>> => {
  const subscription = await subscriptionNow()
  if (!subscription) return toFailure(settingsText.settings.push.lost)
  return answerTo(client.POST('/api/push/try', { body: { endpoint: subscription.endpoint } }))
}

/** Subscribes again, because the daemon may have a new home without this subscription. */
export const renew = async (): Promise<void> => {
  if (isOn() && window.Notification?.permission === 'granted') await subscribe()
}

const isOn = () => readStorage('push', 'page') === 'on'

/** Registering again returns the existing worker. On a first visit it may not be registered yet. */
const getWorker = async () => {
  const registration = await navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
  return registration && navigator.serviceWorker.ready
}

/** Returns null if the browser cannot report its subscription. */
const subscriptionNow = async (): Promise<PushSubscription | null> =>
  (await (await getWorker())?.pushManager.getSubscription().catch(() => null)) ?? null

const subscribe = async (): Promise<Answer<unknown>> => {
  const key = await answerTo(client.GET('/api/push'))
  if (!key.ok) return key
  const registration = await getWorker()
  if (!registration) return toFailure(settingsText.settings.push.unable)
  try {
    await cacheTexts()
    const subscription = await subscriptionUnder(registration.pushManager, key.value.public_key)
    const { endpoint, keys } = subscription.toJSON()
    const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
    return await answerTo(client.POST('/api/push', { body }))
  } catch {
    return toFailure(settingsText.settings.push.noService)
  }
}

/** Replaces a subscription with another key, which the push service would refuse. */
const subscriptionUnder = async (manager: PushManager, key: string): Promise<PushSubscription> => {
  const oldSubscription = await manager.getSubscription()
  if (oldSubscription && getKey(oldSubscription) === key) return oldSubscription
  await oldSubscription?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

const getKey = ({ options: { applicationServerKey } }: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(applicationServerKey ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')

/** Caches the texts that the service worker needs while no page is open. */
const cacheTexts = async () => {
  const { words } = await import('../strings/tool-words.ts')
  const { picture, clip, file } = text.talk.notify
  const texts = {
    picture,
    clip,
    file,
    product: text.product,
    trial: settingsText.settings.push.arrived,
    asks: words.approval.announce('{name}', '{tool}', '{server}'),
    asksPage: words.approval.announce('{name}', '{tool}', webServer),
  }
  const cache = await caches.open('daimon-words')
  await cache.put('/words', Response.json(texts))
}

const toFailure = (message: string): Answer<never> => ({
  ok: false,
  failure: { ...readFailure(null, null), message },
})
