/**
 * Hundreds of slow clients at the same time and one normal client: it must not be slowed down, and they must
 * be disconnected.
 */
// Runs alone: it measures the event loop and the memory of its process.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { WebSocket } from 'ws'
import { call, pause, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { type Dawdler, type Watch, watchConnections } from './dawdlers.ts'

/**
 * In `npm test` the server's timeouts and buffer limits are a tenth of the usual ones, and so is the time
 * until all slow clients must be disconnected.
 */
const scale = isWhole ? 1 : 0.1
const usual = { headers: 30_000, request: 60_000, idle: 60_000, stalled: 30_000, look: 10_000 }
const shortened = { headers: 3000, request: 6000, idle: 6000, stalled: 3000, look: 1000 }
/** Must be longer than a slow machine needs to flood a client. */
const ping = isWhole ? 30_000 : 12_000
/** Includes a margin for a busy machine. */
const maxCutMs = 90_000 * scale + (isWhole ? 0 : 45_000)
/** Max time of other requests in ms; or this many times the time before, because the machine may be busy. */
const maxWaitMs = isWhole ? 100 : 2000
const maxSlowdown = 5
const mebi = 1024 * 1024

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('slow clients', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

// Fails if the flood is smaller than the buffer limit: no client is closed with 1013, and the flooded ones
// are cut for their silence.
test('slow clients are disconnected, and other clients are not slowed down', async ({ ends }) => {
  const daemon = await startDaemon({
    models: standIn(),
    timeouts: isWhole ? usual : shortened,
    sockets: { ping, pileUp: 8 * mebi * scale },
  })
  ends.push(daemon.close)
  const goodbyes = recordCloseCodes(ends)
  const watch = watchConnections(daemon.port)
  ends.push(watch.stop)
  const ada = await createPersona(daemon.url, 'Ada')
  const bea = await createPersona(daemon.url, 'Bea')
  // More data than the buffers of a socket can hold.
  for (let n = 0; n < 5; n++) await sendLongMessage(daemon.url, ada)
  const memoryBefore = getHeldBytes()
  const measurement = startRequests(daemon.url, bea)
  await pause(isWhole ? 10_000 : 1000)
  const usually = await measurement.stop()

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const normal = startRequests(daemon.url, bea)
  ends.push(normal.stop)
  const floodedClients = await repeat(10, () =>
    watch.dawdle('a socket that is flooded', socket(`/ws/${ada}`)),
  )
  const flooding = floodListeners(daemon.url, ada, floodedClients)
  const groups = { ...(await openSlowClients(watch, ada)), flooded: floodedClients }
  watch.dripEvery(1000 * scale)
  const floodedMb = await flooding
  const clients = Object.values(groups).flat()
  const isEveryoneCut = () => clients.every(({ getDuration }) => getDuration() !== undefined)
  await waitFor('all slow clients to be cut', isEveryoneCut, maxCutMs + 30_000).catch(() => undefined)

  const p99 = await normal.stop()
  delay.disable()
  const openConnections = clients.filter(({ getDuration }) => getDuration() === undefined)
  const slowest = (group: readonly Dawdler[]) =>
    Math.max(...group.map(({ getDuration }) => getDuration() ?? Number.POSITIVE_INFINITY))
  const seconds = (group: readonly Dawdler[]) => `${(slowest(group) / 1000).toFixed(1)} s`
  printFigures(
    'slow clients',
    `${clients.length} clients`,
    `others p99 ${Math.round(p99)} ms, ${Math.round(usually)} ms before`,
    `event loop p99 ${Math.round(delay.percentile(99) / 1e6)} ms, most ${Math.round(delay.max / 1e6)} ms`,
    `flooded with ${floodedMb} MB`,
  )
  printFigures(
    'slow clients, the last one cut',
    ...Object.entries(groups).map(([name, group]) => `${name} ${seconds(group)}`),
  )

  assert.equal([...new Set(openConnections.map(({ label }) => label))], [], 'these are still connected')
  assert.ok(slowest(clients) < maxCutMs, `the last one was cut after ${seconds(clients)}`)
  // They were closed for full buffers, not for silence. Clients that still receive the history may be closed
  // with 1013, too.
  const tooSlow = goodbyes.filter((code) => code === 1013).length
  assert.ok(tooSlow >= floodedClients.length, `${tooSlow} were closed as too slow`)
  assert.ok(
    p99 < Math.max(maxWaitMs, maxSlowdown * usually),
    `others waited ${Math.round(p99)} ms, and ${Math.round(usually)} ms before`,
  )
  await waitFor('the connections to be closed', () => watch.open() <= 2)
  const memoryAfter = await waitFor('the memory to be released', () =>
    getHeldBytes() - memoryBefore < 20 * mebi ? getHeldBytes() : undefined,
  ).catch(getHeldBytes)
  assert.ok(
    memoryAfter - memoryBefore < 20 * mebi,
    `${Math.round((memoryAfter - memoryBefore) / mebi)} MB are still held`,
  )
})

/**
 * Records the close codes that the daemon in this process sends: a client that reads nothing never receives
 * them.
 */
const recordCloseCodes = (ends: Ends['ends']): readonly (number | undefined)[] => {
  const codes: (number | undefined)[] = []
  const { close } = WebSocket.prototype
  WebSocket.prototype.close = function (code, reason) {
    codes.push(code)
    close.call(this, code, reason)
  }
  ends.push(() => {
    WebSocket.prototype.close = close
  })
  return codes
}

const createPersona = async (url: string, name: string): Promise<string> => {
  const { body } = await call(url, 'POST', '/api/persona/create', { name, thinking_model: 'llama' })
  return body.persona.id
}

/** Sends a long message, which gets an equally long reply. */
const sendLongMessage = (url: string, id: string) =>
  call(url, 'POST', `/api/persona/${id}/read?wait=60`, { message: 'long '.repeat(40_000) })

/** Bytes that this process uses after a garbage collection. */
const getHeldBytes = (): number => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const host = 'Host: localhost'
const post = (path: string, ...headers: readonly string[]) =>
  `${[`POST ${path} HTTP/1.1`, host, 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`
const socket = (path: string) =>
  `GET ${path} HTTP/1.1\r\n${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
const create = '/api/persona/create'
const repeat = <T>(count: number, make: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, make))

const openSlowClients = async ({ dawdle }: Watch, ada: string) => {
  const endless = 'x'.repeat(500)
  const letters = `GET /api/personas HTTP/1.1\r\n${host}\r\nX: ${endless}`
  return {
    'dripped headers': [
      ...(await repeat(100, () => dawdle('headers byte by byte', '', letters))),
      ...(await repeat(50, () =>
        dawdle(
          'headers of an upgrade byte by byte',
          '',
          `GET /ws/${ada} HTTP/1.1\r\n${host}\r\nX: ${endless}`,
        ),
      )),
    ],
    'dripped bodies': [
      ...(await repeat(100, () =>
        dawdle('a body byte by byte', post(create, 'Content-Length: 5000'), `{"name":"${endless}`),
      )),
      ...(await repeat(50, () =>
        dawdle('chunks byte by byte', post(create, 'Transfer-Encoding: chunked'), '1\r\n \r\n'.repeat(500)),
      )),
    ],
    silent: [
      ...(await repeat(20, () => dawdle('a silent socket', socket('/ws/system')))),
      ...(await repeat(10, () => dawdle('an unread history', socket(`/ws/${ada}?after=0`)))),
    ],
    'stalled uploads': [
      ...(await repeat(10, () =>
        dawdle('half a body', post(create, 'Content-Length: 800000') + 'x'.repeat(400_000)),
      )),
      ...(await repeat(5, () =>
        dawdle('half a chunk', `${post(create, 'Transfer-Encoding: chunked')}ffff\r\n{"name":`),
      )),
      ...(await repeat(3, () =>
        dawdle('a body that was called for', post(create, 'Content-Length: 5000', 'Expect: 100-continue')),
      )),
      ...(await repeat(2, () =>
        dawdle('an unexpected body', `${post(`/api/persona/${ada}/hush`, 'Content-Length: 5000')}{`),
      )),
    ],
    unread: [
      ...(await repeat(5, () => dawdle('descriptions unread', get('/openapi.json').repeat(1000)))),
      ...(await repeat(5, () =>
        dawdle('a conversation unread', get(`/api/persona/${ada}/conversation`).repeat(40)),
      )),
    ],
  }
}

/**
 * Talks until the listeners that read nothing are disconnected. Returns the MB that each of them was sent.
 */
const floodListeners = async (url: string, id: string, listeners: readonly Dawdler[]): Promise<number> => {
  let sentMb = 0
  while (sentMb < 100 && listeners.some(({ getDuration }) => getDuration() === undefined)) {
    // Each round sends the message, the partial answers, and the final reply.
    await Promise.all([1, 2, 3, 4].map(() => sendLongMessage(url, id)))
    sentMb += 2.4
  }
  return Math.round(sentMb)
}

/** Sends normal requests and reads the responses. `stop` resolves with the 99th percentile in ms. */
const startRequests = (url: string, id: string) => {
  const times: number[] = []
  const end = new AbortController()
  const measure = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const startedAt = performance.now()
    const { status } = await call(url, method, path, body)
    times.push(performance.now() - startedAt)
    assert.is(status, 200, path)
  }
  const requests = (async () => {
    await call(url, 'POST', `/api/persona/${id}/read?wait=0`, { message: 'hello' })
    while (!end.signal.aborted) {
      await measure('GET', '/api/personas')
      await measure('GET', `/api/persona/${id}/conversation?limit=20`)
      await measure('POST', `/api/persona/${id}/read`, { message: 'hello' })
      await pause(20)
    }
  })()
  return {
    stop: async () => {
      end.abort()
      await requests
      times.sort((a, b) => a - b)
      return times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
    },
  }
}

test.run()
