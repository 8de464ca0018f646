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
