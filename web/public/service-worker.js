/**
 * Caches the page's own files, so that it opens while the daemon is unreachable. It does not handle requests
 * under `/api`, pictures or messages.
 */
const cacheName = 'daimon-page'

addEventListener('install', (event) => {
  skipWaiting()
  // Without a connection the next visit stores them.
  event.waitUntil(storePage().catch(() => {}))
})
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !/^\/(api|v1|ws|mcp|metrics|openapi\.json)\b/.test(pathname))
    event.respondWith(page(request))
  // Asset names contain a hash of their content.
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

/** Stores the page and the files that it names: it was loaded before this worker. */
const storePage = async () => {
  const response = await fetch('/')
  if (!response.ok) return
  const cache = await caches.open(cacheName)
  await cache.put('/', response.clone())
  await storeAssets((await response.text()).match(/\/assets\/[\w.-]+/g) ?? [])
}

const storeAssets = async (names) => {
  const urls = new Set(names.map((name) => new URL(name, location.origin).href))
  for (const url of urls)
    if (url.startsWith(`${location.origin}/assets/`)) await asset(new Request(url)).catch(() => {})
}

/** The page sends the addresses of the other files that it loaded before this worker was active. */
addEventListener('message', (event) => {
  if (Array.isArray(event.data?.assets)) event.waitUntil(storeAssets(event.data.assets))
})

/** Network first, then the cache. */
const page = async (request) => {
  const cache = await caches.open(cacheName)
  try {
    const response = await fetch(request)
    if (response.ok && !response.redirected) await cache.put('/', response.clone())
    return response
  } catch {
    const before = await cache.match('/')
    if (before) return before
    // The browser has deleted the cache.
    const html =
      '<!doctype html><meta charset="utf-8"><title>Daimon</title><p>Daimon is not running. Start it, then reload this page.</p>'
    return new Response(html, { status: 503, headers: { 'content-type': 'text/html' } })
  }
}

const maxAssets = 120

const asset = async (request) => {
  const cache = await caches.open(cacheName)
  const before = await cache.match(request)
  if (before) return before
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  const all = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== '/')
  for (const old of all.slice(0, Math.max(0, all.length - maxAssets))) await cache.delete(old)
  return response
}

/** Notifies about a message of a persona. `src/web-push/push-words.ts` describes the payload. */
addEventListener('push', (event) => event.waitUntil(notify(parseMessage(event.data))))

const parseMessage = (data) => {
  try {
    return data.json()
  } catch {
    return {}
  }
}

const notify = async (message) => {
  const texts = await loadTexts()
  const { persona, record } = message
  if (persona === undefined)
    return registration.showNotification(texts.product ?? 'Daimon', {
      body: texts.trial ?? '',
      tag: 'trial',
      icon,
    })
  // No notification is needed if the talk is on the screen.
  if (await isSeen(persona)) return
  for (const older of await registration.getNotifications())
    if (older.data?.persona === persona && older.data.record < record) older.close()
  await registration.showNotification(message.name, {
    ...{ body: getBody(message, texts), tag: `${persona} ${record}`, icon, data: { persona, record } },
  })
}

/** Milliseconds to wait for an answer of the pages. A frozen page does not answer. */
const maxWaitMs = 500

/**
 * Asks the pages whether the talk is on the screen, because a client's `url` stays the one it was loaded
 * from. Uses a channel of its own: an older build of the page takes any message for a pressed notification.
 */
const isSeen = async (persona) => {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length === 0) return false
  const channel = new BroadcastChannel('daimon-seen')
  const id = crypto.randomUUID()
  const seen = await new Promise((resolve) => {
    let left = pages.length
    channel.onmessage = ({ data }) => {
      if (data.answers !== id) return
      left -= 1
      if (data.seen || left === 0) resolve(data.seen)
    }
    setTimeout(() => resolve(false), maxWaitMs)
    channel.postMessage({ id, persona })
  })
  channel.close()
  return seen
}

const getBody = ({ kind, words, name, tool, server }, texts) => {
  const given = { '{name}': name, '{tool}': tool, '{server}': server }
  const question = server === 'web' ? (texts.asksPage ?? texts.asks) : texts.asks
  if (kind === 'asks') return (question ?? '').replaceAll(/\{(?:name|tool|server)\}/g, (mark) => given[mark])
  return words || (texts[kind] ?? '')
}

const loadTexts = async () => {
  const cached = await caches.match('/words', { cacheName: 'daimon-words' })
  return cached ? cached.json() : {}
}

const icon = '/assets/icon-192.png'
const talkOf = (persona) => `/persona/${encodeURIComponent(persona)}/talk`

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openTalk(event.notification.data?.persona))
})

/** Lets an open page navigate by itself: reloading it would lose an off-record talk. */
const openTalk = async (persona) => {
  const [open] = await clients.matchAll({ type: 'window' })
  if (!open) return clients.openWindow(persona === undefined ? '/' : talkOf(persona))
  await open.focus()
  if (persona !== undefined) open.postMessage({ talk: persona })
}

/** The push service has changed the browser's subscription, so the daemon must be informed. */
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)))

const renewSubscription = async ({ oldSubscription, newSubscription }) => {
  const next = newSubscription ?? (await registration.pushManager.subscribe(oldSubscription.options))
  await post('/api/push', next.toJSON())
  if (oldSubscription) await post('/api/push/forget', { endpoint: oldSubscription.endpoint })
}

const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
