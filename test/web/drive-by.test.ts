/**
 * A page of another site attacks the daemon on the same machine from a real browser, with every API that
 * sends requests and from every kind of origin. Nothing is readable and nothing happens. Verified to fail
 * with the guard switched off (its function returns null): all six tests fail, sockets are opened, requests
 * are answered, and the persona is deleted.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame } from 'playwright-core'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareSetup } from '../contract/setup.ts'
import { closeBrowser, withPage } from './browser.ts'

const house = shareSetup(test)
const secret = 'the-heron-nests-behind-the-mill'

const otherSite = createServer((request, response) => {
  const frame = `<iframe sandbox="allow-scripts allow-forms allow-popups" src="/inside"></iframe>`
  response
    .setHeader('content-type', 'text/html')
    .end(`<!doctype html><title>x</title><body>${request.url === '/framed' ? frame : ''}`)
}).listen(0, '127.0.0.1')
const portElsewhere = () => (otherSite.address() as AddressInfo).port

let id = ''
let snapshotBefore: { readonly list: string; readonly facts: readonly string[] }
const look = async () => {
  const facts = await house.facts(id)
  // Reading the facts renames the persona and opens its web channel, so both states are read in the same way.
  return { list: (await house.send({ path: '/api/personas' })).text.replace(/"mark \d+"/, '"mark"'), facts }
}

/** Status of the response to each attempt that reached the daemon. */
const statuses = new Map<string, number>()
const note = (message: unknown) => {
  const { request, response } = message as { request: IncomingMessage; response: { statusCode: number } }
  const mark = /[?&]try=([^&]+)/.exec(request.url ?? '')?.[1]
  if (mark !== undefined) statuses.set(decodeURIComponent(mark), response.statusCode)
}

test.before(async () => {
  if (!otherSite.listening) await once(otherSite, 'listening')
  id = await house.born({ thinking_api_key: 'sk-not-for-them' })
  await house.say(`/api/persona/${id}`, secret)
  snapshotBefore = await look()
  house.models.doneCalls.length = 0
  subscribe('http.server.response.finish', note)
})
test.after(async () => {
  unsubscribe('http.server.response.finish', note)
  await closeBrowser()
  otherSite.closeAllConnections()
  otherSite.close()
})

/** Runs in the page. Resolves to the result of each attempt: a text, `loaded`, `opened`, or null. */
const attempts = `async ({ base, id, from }) => {
  const at = '/api/persona/' + id
  const reads = ['/api/personas', '/api/health', '/openapi.json', '/v1/models', at + '/conversation', at + '/knowledge', at + '/export']
  const writes = [
    ['/api/persona/create', { name: 'Eve', thinking_model: 'llama' }],
    [at + '/update', { name: 'Eve', status: 'sick' }],
    [at + '/read?wait=0', { message: 'tell me all' }],
    [at + '/stop', {}], [at + '/sleep', {}], [at + '/phrase', {}], [at + '/delete?purge=true', {}],
    ['/v1/chat/completions', { model: id, messages: [{ role: 'user', content: 'tell me all' }], store: true }],
  ]
  const told = []
  const during = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 4000, null))])
  const attempt = (how, path, work) => {
    const name = [from, how, path.replace(at, '…')].join(' ')
    const url = base + path + (path.includes('?') ? '&' : '?') + 'try=' + encodeURIComponent(name)
    told.push(during(Promise.resolve(work(url)).catch(() => null)).then((responseText) => ({ name, responseText: responseText || null })))
  }
  const shownIn = (frame) => { try { return frame.contentDocument?.body?.innerText } catch { return null } }
  const element = (tag, attributes) => (url) => new Promise((resolve) => {
    const made = document.createElement(tag)
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value === '' ? url : value)
    // A frame tells that it has loaded whatever was answered: what counts is what can be read of it.
    made.onload = () => resolve(/IFRAME|OBJECT|EMBED/.test(made.tagName) ? shownIn(made) : 'loaded')
    made.onloadeddata = () => resolve('loaded')
    made.onerror = () => resolve(null)
    document.body.append(made)
  })
  const text = (response) => response.text()
  for (const path of reads) {
    attempt('fetch', path, (url) => fetch(url).then(text))
    attempt('fetch no-cors', path, (url) => fetch(url, { mode: 'no-cors', credentials: 'include' }).then(text))
    attempt('XHR', path, (url) => new Promise((resolve) => {
      const asked = new XMLHttpRequest()
      asked.onloadend = () => resolve(asked.responseText)
      asked.open('GET', url)
      asked.send()
    }))
    attempt('EventSource', path, (url) => new Promise((resolve) => {
      const source = new EventSource(url)
      source.onopen = () => resolve('opened')
      source.onerror = () => { source.close(); resolve(null) }
    }))
    for (const tag of ['img', 'script', 'iframe', 'embed', 'video']) attempt(tag, path, element(tag, { src: '' }))
    attempt('audio', path, element('audio', { src: '', preload: 'auto' }))
    attempt('object', path, element('object', { data: '' }))
    attempt('link', path, element('link', { rel: 'stylesheet', href: '' }))
  }
  for (const [path, body] of writes) {
    attempt('POST as text', path, (url) => fetch(url, { method: 'POST', mode: 'no-cors', body: JSON.stringify(body) }).then(text))
    const headers = { 'content-type': 'application/json' }
    attempt('POST as JSON', path, (url) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).then(text))
    const packed = new Blob([JSON.stringify(body)], { type: 'text/plain' })
    attempt('sendBeacon', path, (url) => { navigator.sendBeacon(url, packed); return null })
    const kept = { method: 'POST', mode: 'no-cors', keepalive: true, body: new URLSearchParams(body) }
    attempt('POST kept alive', path, (url) => fetch(url, kept).then(text))
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      attempt('form ' + enctype, path, (url) => new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { name: 'f' + told.length })
        const form = Object.assign(document.createElement('form'), { method: 'post', action: url, enctype, target: frame.name })
        const [key, value] = enctype === 'text/plain' ? [JSON.stringify(body).slice(0, -1) + ',"x":"', '"}'] : ['message', 'tell me all']
        form.append(Object.assign(document.createElement('input'), { name: key, value }))
        document.body.append(frame, form)
        form.submit()
        setTimeout(() => resolve(shownIn(frame)), 1500)
      }))
  }
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) attempt(method, at + '/channels/x', (url) => fetch(url, { method }).then(text))
  for (const path of ['/ws/system', '/ws/' + id])
    attempt('WebSocket', path, (url) => new Promise((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'))
      socket.onopen = () => resolve('opened')
      socket.onerror = () => resolve(null)
    }))
  return Promise.all(told)
}`

interface FetchOutcome {
  readonly name: string
  readonly responseText: string | null
}
const tryAll = (frame: Frame, base: string, source: string): Promise<readonly FetchOutcome[]> =>
  frame.evaluate(`(${attempts})(${JSON.stringify({ base, id, from: source })})`)

const origins: readonly (readonly [from: string, base: string, address: () => string])[] = [
  ['another port', 'http://127.0.0.1', () => `http://127.0.0.1:${portElsewhere()}/`],
  ['another port of localhost', 'http://localhost', () => `http://localhost:${portElsewhere()}/`],
  ['another site', 'http://127.0.0.1', () => `http://evil.test:${portElsewhere()}/`],
  ['a frame without an origin', 'http://127.0.0.1', () => `http://evil.test:${portElsewhere()}/framed`],
]

let attemptCount = 0
for (const [from, base, address] of origins)
  test(`answers no request of a page of ${from}`, async () => {
    await withPage(address(), async ({ page }) => {
      const frame = page.frames().at(-1) ?? page.mainFrame()
      const results = await tryAll(frame, `${base}:${house.daemon.port}`, from)
      attemptCount += results.length
      assert.equal(
        results.filter(({ responseText }) => responseText !== null),
        [],
      )
      const came = results.filter(({ name }) => statuses.has(name))
      // The browser blocks some attempts itself. Most must arrive, or the test would prove nothing.
      assert.ok(came.length > results.length / 2, `${came.length} of ${results.length} came`)
      assert.equal(
        came
          .filter(({ name }) => statuses.get(name) !== 403)
          .map(({ name }) => `${name}: ${statuses.get(name)}`),
        [],
      )
    })
  })

test('refuses all requests of a site whose name resolves to this machine', async () => {
  const base = `http://evil.test:${house.daemon.port}`
  await withPage(`${base}/`, async ({ page }) => {
    assert.match((await page.textContent('body')) ?? '', /Host header must be/)
    const results = await tryAll(page.mainFrame(), base, 'its own origin')
    attemptCount += results.length
    const gave = results.filter(
      ({ responseText }) => responseText !== null && !responseText.includes('Host header must be'),
    )
    assert.equal(gave, [])
    assert.ok(results.some(({ responseText }) => responseText?.includes('Host header must be')))
  })
})

test('leaves personas and facts unchanged, and calls no model', async () => {
  assert.ok(attemptCount > 78, `${attemptCount} attempts`)
  const viewAfter = await look()
  assert.is(viewAfter.list, snapshotBefore.list)
  assert.equal(viewAfter.facts.slice(0, -1), snapshotBefore.facts)
  assert.equal(house.models.doneCalls, [])
})

test.run()
