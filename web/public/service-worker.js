/**
 * Keeps the page's own files, so that it opens on a phone whose daemon is out of reach. Nothing under `/api`,
 * no picture, no word of a talk ever goes through it.
 */
const kept = 'daimon-page'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && !/^\/(api|v1|ws|mcp|metrics|openapi\.json)\b/.test(pathname))
    event.respondWith(page(request))
  // A file of another build has another name.
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
})

/** As the daemon has it now, else as it was last. */
const page = async (request) => {
  const cache = await caches.open(kept)
  try {
    const response = await fetch(request)
    if (response.ok && !response.redirected) await cache.put('/', response.clone())
    return response
  } catch (error) {
    const before = await cache.match('/')
    if (before) return before
    throw error
  }
}

const most = 120

const asset = async (request) => {
  const cache = await caches.open(kept)
  const before = await cache.match(request)
  if (before) return before
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - most))) await cache.delete(old)
  return response
}

/** What a persona said while its page is closed: `src/web-push/push-words.ts` says in which form it comes. */
addEventListener('push', (event) => event.waitUntil(show(told(event.data))))

const told = (data) => {
  try {
    return data.json()
  } catch {
    return {}
  }
}

const show = async (told) => {
  const own = await ownWords()
  const { persona, record } = told
  if (persona === undefined)
    return registration.showNotification(own.product ?? 'Daimon', {
      body: own.trial ?? '',
      tag: 'trial',
      icon,
    })
  // Whoever looks at the talk sees it there.
  if (await isSeen(persona)) return
  for (const older of await registration.getNotifications())
    if (older.data?.persona === persona && older.data.record < record) older.close()
  await registration.showNotification(told.name, {
    ...{ body: bodyOf(told, own), tag: `${persona} ${record}`, icon, data: { persona, record } },
  })
}

/** Milliseconds for a page to answer: one that is frozen shows nobody anything. */
const longest = 500

/**
 * The pages are asked: here an address stays the one that it was loaded from, wherever a page has gone since.
 * On a channel of its own: a page of an older build takes any message for a pressed notification.
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
    setTimeout(() => resolve(false), longest)
    channel.postMessage({ id, persona })
  })
  channel.close()
  return seen
}

const bodyOf = ({ kind, words, name, tool, server }, own) => {
  const given = { '{name}': name, '{tool}': tool, '{server}': server }
  if (kind === 'asks') return (own.asks ?? '').replaceAll(/\{(?:name|tool|server)\}/g, (mark) => given[mark])
  return words || (own[kind] ?? '')
}

const ownWords = async () => {
  const kept = await caches.match('/words', { cacheName: 'daimon-words' })
  return kept ? kept.json() : {}
}

const icon = '/assets/icon-192.png'
const talkOf = (persona) => `/persona/${encodeURIComponent(persona)}/talk`

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(lead(event.notification.data?.persona))
})

/** A page that is open goes there by itself: one that is loaded anew would lose what is off the record. */
const lead = async (persona) => {
  const [open] = await clients.matchAll({ type: 'window' })
  if (!open) return clients.openWindow(persona === undefined ? '/' : talkOf(persona))
  await open.focus()
  if (persona !== undefined) open.postMessage({ talk: persona })
}

/** The push service has given the browser another place: the daemon has to know. */
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(moved(event)))

const moved = async ({ oldSubscription, newSubscription }) => {
  const next = newSubscription ?? (await registration.pushManager.subscribe(oldSubscription.options))
  await post('/api/push', next.toJSON())
  if (oldSubscription) await post('/api/push/forget', { endpoint: oldSubscription.endpoint })
}

const post = (path, body) =>
  fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
