/** Being told while the page is closed: what this browser, its push service and the daemon agree on. */
import { text } from '../strings/strings.ts'
import { type Answer, failureOf } from './answer.ts'
import { answerTo, client } from './client.ts'
import { keep, kept } from './keep.ts'

/**
 * `unable`: the browser knows no pushes, or not here. `insecure`: it would by https, or on this machine.
 * `blocked`: its person has said no, which only the browser's own settings change.
 */
export type PushState = 'unable' | 'insecure' | 'blocked' | 'off' | 'on'

export const pushState = async (): Promise<PushState> => {
  if (!isSecureContext) return 'insecure'
  if (!('PushManager' in window && 'Notification' in window)) return 'unable'
  const registration = await worker()
  if (!registration) return 'unable'
  if (Notification.permission === 'denied') return 'blocked'
  return (await subscriptionNow()) && isOn() ? 'on' : 'off'
}

/** Within the press of a button: else no browser asks. Never rejects. */
export const turnOn = async (): Promise<Answer<unknown>> => {
  const allowed = await Notification.requestPermission()
  if (allowed !== 'granted')
    return refused(allowed === 'denied' ? text.settings.push.blocked : text.settings.push.unanswered)
  const subscribed = await subscribe()
  if (subscribed.ok) keep('push', 'page', 'on')
  return subscribed
}

/** Never rejects. */
export const turnOff = async (): Promise<Answer<unknown>> => {
  keep('push', 'page', '')
  const subscription = await subscriptionNow()
  if (!subscription) return { ok: true, value: null }
  const { endpoint } = subscription
  const forgotten = await answerTo(client.POST('/api/push/forget', { body: { endpoint } }))
  await subscription.unsubscribe().catch(() => false)
  // Known there or not: it is told nothing any more.
  return forgotten.ok || forgotten.failure.status === 404 ? { ok: true, value: null } : forgotten
}

/** Never rejects. */
export const tryPush = async (): Promise<Answer<unknown>> => {
  const subscription = await subscriptionNow()
  if (!subscription) return refused(text.settings.push.lost)
  return answerTo(client.POST('/api/push/try', { body: { endpoint: subscription.endpoint } }))
}

/** A daemon whose home is another one does not know this browser any more. */
export const renew = async (): Promise<void> => {
  if (isOn() && window.Notification?.permission === 'granted') await subscribe()
}

const isOn = () => kept('push', 'page') === 'on'

/** Registered again it is the same one: a page that is new here may be quicker than the first time. */
const worker = async () => {
  const registered = await navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined)
  return registered && navigator.serviceWorker.ready
}

/** A browser that cannot say has none. */
const subscriptionNow = async (): Promise<PushSubscription | null> =>
  (await (await worker())?.pushManager.getSubscription().catch(() => null)) ?? null

const subscribe = async (): Promise<Answer<unknown>> => {
  const key = await answerTo(client.GET('/api/push'))
  if (!key.ok) return key
  const registration = await worker()
  if (!registration) return refused(text.settings.push.unable)
  try {
    await keepWords()
    const subscription = await subscriptionUnder(registration.pushManager, key.value.public_key)
    const { endpoint, keys } = subscription.toJSON()
    const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } }
    return await answerTo(client.POST('/api/push', { body }))
  } catch {
    return refused(text.settings.push.noService)
  }
}

/** One that was made under another key would be refused by its push service. */
const subscriptionUnder = async (manager: PushManager, key: string): Promise<PushSubscription> => {
  const before = await manager.getSubscription()
  if (before && keyOf(before) === key) return before
  await before?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

const keyOf = ({ options: { applicationServerKey } }: PushSubscription): string =>
  btoa(String.fromCharCode(...new Uint8Array(applicationServerKey ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')

/** The worker has no words of its own, and must have some while no page is there. */
const keepWords = async () => {
  const { words } = await import('../strings/tool-words.ts')
  const { picture, clip, file } = text.talk.notify
  const own = {
    ...{ picture, clip, file, product: text.product, trial: text.settings.push.arrived },
    asks: words.approval.announce('{name}', '{tool}', '{server}'),
  }
  const cache = await caches.open('daimon-words')
  await cache.put('/words', Response.json(own))
}

const refused = (words: string): Answer<never> => ({
  ok: false,
  failure: { ...failureOf(null, null), words },
})
