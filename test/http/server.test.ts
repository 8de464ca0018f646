/**
 * The HTTP server: both loopback addresses, its request and response classes, invalid requests, and its end.
 */

import {
  createServer as bareServer,
  type IncomingHttpHeaders,
  IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
  type Server,
  ServerResponse,
} from 'node:http'
import { connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import express from 'express'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RouteDeps } from '../../src/http/route.ts'
import { createApp } from '../../src/http/server/app.ts'
import { createHttpServer, type HttpServer } from '../../src/http/server/http-server.ts'
import { bindLoopback, PortTaken } from '../../src/http/server/loopback.ts'
import type { OnUpgrade } from '../../src/http/server/pass-on.ts'
import { createPrototypes, placeBelow } from '../../src/http/server/prototypes.ts'
import { startDaemon } from '../daemon.ts'
import { standIn } from './stand-in.ts'
import { ask, raw, silent } from './try.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

// --- Classes

const withClasses = async (app: express.Express, act: (port: number, server: Server) => Promise<void>) => {
  const classes = createPrototypes()
  const server = bareServer(classes, app)
  placeBelow(app, classes)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await act(typeof address === 'object' && address ? address.port : 0, server)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('creates requests and responses with the prototypes of Express', async () => {
  const app = express()
  const checks: boolean[] = []
  app.get('/', (request, response) => {
    checks.push(
      Object.getPrototypeOf(request) === app.request,
      Object.getPrototypeOf(response) === app.response,
    )
    checks.push(request instanceof IncomingMessage, response instanceof ServerResponse)
    response.json({
      ip: request.ip,
      accepts: request.accepts('json'),
      type: request.get('x-type') ?? null,
      app: request.app === app,
    })
  })
  await withClasses(app, async (port, server) => {
    server.prependListener('request', (request, response) => {
      checks.push(
        Object.getPrototypeOf(request) === app.request,
        Object.getPrototypeOf(response) === app.response,
      )
    })
    const { status, text, headers } = await ask(port, { path: '/', headers: { 'X-Type': 'a' } })
    assert.is(status, 200)
    assert.match(headers['content-type'] ?? '', /^application\/json/)
    assert.equal(JSON.parse(text), { ip: '127.0.0.1', accepts: 'json', type: 'a', app: true })
  })
  assert.equal(checks, [true, true, true, true, true, true])
})

test('supports JSON, streamed bodies and files', async () => {
  const app = express()
  app.post('/json', express.json(), (request, response) => void response.status(201).json(request.body))
  app.post('/bytes', (request, response) => {
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => response.send(String(bytes)))
  })
  app.get('/file', (_request, response) => response.sendFile(import.meta.filename))
  await withClasses(app, async (port) => {
    const body = '{"a":[1,"é"]}'
    const jsonReply = await ask(port, {
      method: 'POST',
      path: '/json',
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    assert.equal([jsonReply.status, jsonReply.text], [201, body])
    const bytesReply = await ask(port, {
      method: 'POST',
      path: '/bytes',
      body: Buffer.alloc(5_000_000),
      headers: { 'Transfer-Encoding': 'chunked' },
    })
    assert.is(bytesReply.text, '5000000')
    const part = await ask(port, { path: '/file', headers: { Range: 'bytes=0-2' } })
    assert.equal([part.status, part.text], [206, '/**'])
  })
})

test('upgrades a WebSocket and ignores the offer of another protocol', async () => {
  const app = express()
  app.all(
    '/',
    express.text(),
    (request, response) => void response.send(`plain ${request.method} ${String(request.body)}`),
  )
  await withClasses(app, async (port, server) => {
    server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nupgraded'))
    const postRaw = (headers: string, rest = '') =>
      raw(port, `POST / HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${rest}`)
    assert.match(await postRaw('Connection: Upgrade\r\nUpgrade: WebSocket'), /upgraded$/)
    const h2c = await postRaw(
      'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Type: text/plain\r\nContent-Length: 4',
      'body',
    )
    assert.match(h2c, /^HTTP\/1\.1 200 OK\r\n[\s\S]*plain POST body$/)
  })
})

// --- The port

const withServer = async (
  act: (server: HttpServer, port: number) => Promise<void>,
  onUpgrade?: OnUpgrade,
) => {
  const server = createHttpServer({ allowedHosts: [], log: silent })
  try {
    const { port } = await server.listen(0)
    if (onUpgrade) serveNothing(server, onUpgrade)
    await act(server, port)
  } finally {
    await server.close(100)
  }
}

/** Serves an app whose routes are never reached. Only the dependencies used before routing exist. */
const serveNothing = (server: HttpServer, onUpgrade: OnUpgrade = (_request, socket) => socket.destroy()) => {
  const deps = {
    log: silent,
    clock: { now: () => 0 },
    config: { limits: { json: 1000, message: 1000 }, urls: {} },
  }
  server.serve({
    mount: (ownDeps, classes) =>
      createApp(
        { ...(deps as unknown as Omit<RouteDeps, keyof typeof ownDeps>), ...ownDeps },
        '/nowhere',
        classes,
      ),
    onUpgrade,
  })
}

test('listens on both loopback addresses with one port', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    for (const host of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
      const { status, text } = await ask(port, {
        host,
        path: '/api/nothing',
        headers: { Host: `localhost:${port}` },
      })
      assert.equal([status, text], [404, '{"detail":"Not Found"}'], host)
    }
  }))

// Fails if the connection is kept: bytes after the offer then get no response until the header timeout of
// Node.
test('answers an offer of another protocol and closes the connection', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    const offer =
      'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'
    const responseText = await raw(port, `${offer}no request\r\n\r\n`)
    assert.match(
      responseText,
      /^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*\{"detail":"Not Found"\}$/,
    )
  }))

test('throws PortTaken if the port is used in either address family, and leaves nothing bound', async () => {
  for (const host of hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
    const otherPort = await bindPort(host)
    const server = createHttpServer({ allowedHosts: [], log: silent })
    const error = await server.listen(otherPort.port).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.instance(error, PortTaken)
    assert.is(error instanceof PortTaken && error.port, otherPort.port)
    if (host === '::1') await (await bindPort('127.0.0.1', otherPort.port)).close()
    await otherPort.close()
    await server.close()
  }
})

const bindPort = async (host: string, port = 0) => {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

test('listens on one address if the machine has no ::1', async () => {
  const make = () => {
    const server = bareServer()
    const listen = server.listen.bind(server)
    server.listen = ((options: { host: string; port: number }, onListening: () => void) => {
      if (options.host !== '::1') return listen(options, onListening)
      server.emit('error', Object.assign(new Error('no such address'), { code: 'EADDRNOTAVAIL' }))
      return server
    }) as typeof server.listen
    return server
  }
  const servers = await bindLoopback(make, 0)
  assert.is(servers.length, 1)
  for (const server of servers) server.close()
})

test('holds a request that arrives before the daemon is ready', () =>
  withServer(async (server, port) => {
    const earlyReply = ask(port, { path: '/api/nothing' })
    assert.is(await Promise.race([earlyReply, pause(50, 'waits')]), 'waits')
    serveNothing(server)
    assert.is((await earlyReply).status, 404)
  }))

// --- The guard, for every kind of request

test('runs the guard first and sets the common headers on its response', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    for (const path of ['/', '/api/personas', '/v1/models', '/openapi.json', '/assets/x.js']) {
      const { status, headers, text } = await ask(port, { path, headers: { Host: 'evil.example' } })
      assert.is(status, 403, path)
      assert.type(JSON.parse(text).detail, 'string')
      assert.is(headers['x-content-type-options'], 'nosniff')
      assert.is(headers['cross-origin-resource-policy'], 'same-origin')
      assert.is(headers['cross-origin-opener-policy'], 'same-origin')
      assert.is(headers['referrer-policy'], 'no-referrer')
      assert.is(headers['x-frame-options'], 'DENY')
      assert.is(headers['access-control-allow-origin'], undefined)
      assert.is(headers['x-powered-by'], undefined)
    }
    const { text } = await ask(port, { path: '/v1/models', headers: { Host: 'evil.example' } })
    assert.is(JSON.parse(text).error.code, 'forbidden')
  }))

test('returns 403 as JSON for a request without a Host', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    assert.match(
      await raw(port, 'GET /api/personas HTTP/1.1\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 403 [\s\S]*\{"detail":"The Host header/,
    )
    assert.match(await raw(port, 'GET /api/personas HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /)
  }))

test('applies the guard to upgrades', () => {
  const upgradedUrls: (string | undefined)[] = []
  return withServer(
    async (_server, port) => {
      const upgradeWith = (headers: string) =>
        raw(
          port,
          `GET /ws/system HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n`,
        )
      assert.match(
        await upgradeWith('Host: evil.example'),
        /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*X-Frame-Options: DENY[\s\S]*\{"detail":/,
      )
      assert.match(await upgradeWith('Host: localhost\r\nOrigin: http://evil.example'), /^HTTP\/1\.1 403 /)
      assert.match(await upgradeWith('Host: localhost\r\nSec-Fetch-Site: same-site'), /^HTTP\/1\.1 403 /)
      assert.equal(upgradedUrls, [])
      assert.is(await upgradeWith('Host: localhost\r\nOrigin: http://localhost'), 'hello')
      assert.equal(upgradedUrls, ['/ws/system'])
    },
    (request, socket) => {
      upgradedUrls.push(request.url)
      socket.end('hello')
    },
  )
})

test('sends 100 Continue only if the body is needed', async () => {
  const daemon = await startDaemon()
  const head = (path: string, length: number, host = 'localhost') =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
  try {
    for (const [status, bytes] of [
      [403, head('/api/persona/create', 2, 'evil.example')],
      [404, head('/api/nothing', 2)],
      [405, head('/api/personas', 2)],
      [413, head('/api/persona/create', 10_000_000_000)],
      [404, head('/api/persona/nobody/start', 2)],
    ] as const) {
      const answer = await raw(daemon.port, bytes)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.not.match(answer, '100 Continue')
    }
    const responseText = await new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(daemon.port, '127.0.0.1', () => socket.write(head('/api/persona/create', 2)))
      socket.setEncoding('utf8').on('error', reject)
      socket.on('data', (text) => {
        answer += text
        if (answer === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('{}')
        if (answer.includes('Field required')) socket.destroy()
      })
      socket.on('close', () => resolve(answer))
    })
    assert.match(responseText, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 422 /)
    assert.match(
      await raw(
        daemon.port,
        'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      ),
      /^HTTP\/1\.1 404 /,
    )
  } finally {
    await daemon.close()
  }
})

/** A header after `many` others. Node cuts headers off after 2000. */
const requestWith = (count: number, header: string, first = 'GET /api/personas') =>
  `${first} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${'a:\r\n'.repeat(count)}${header}\r\n\r\n`

// Fails with the default limit of Node: each of them passes the guard.
test('checks a header after two thousand others or refuses the request', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    const hiddenHeaders = ['Host: evil.example', 'Origin: http://evil.example', 'Sec-Fetch-Site: cross-site']
    for (const header of hiddenHeaders) {
      assert.match(await raw(port, requestWith(1997, header)), /^HTTP\/1\.1 403 /, header)
      for (const count of [1998, 1999, 2000, 2001, 4000, 10_000])
        assert.match(
          await raw(port, requestWith(count, header)),
          /^HTTP\/1\.1 431 [\s\S]*\{"detail":"Request Header Fields Too Large"\}$/,
          `${header} behind ${count}`,
        )
    }
  }))

test('refuses an upgrade with a header after two thousand others', () => {
  const upgradedUrls: (string | undefined)[] = []
  return withServer(
    async (_server, port) => {
      const upgradeAfter = (count: number) =>
        raw(
          port,
          `GET /ws/system HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${'a:\r\n'.repeat(count)}Origin: http://evil.example\r\n\r\n`,
        )
      assert.match(await upgradeAfter(1996), /^HTTP\/1\.1 403 /)
      for (const count of [1997, 2000, 8000]) assert.match(await upgradeAfter(count), /^HTTP\/1\.1 431 /)
      assert.equal(upgradedUrls, [])
    },
    (request, socket) => {
      upgradedUrls.push(request.url)
      socket.end('hello')
    },
  )
})

test('ignores trailers in the guard', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    const sendHost = (host: string, trailer: string) =>
      raw(
        port,
        `POST /api/nothing HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: Host\r\n\r\n0\r\n${trailer}\r\n\r\n`,
      )
    assert.match(await sendHost('evil.example', 'Host: localhost'), /^HTTP\/1\.1 403 /)
    assert.match(await sendHost('localhost', 'Host: evil.example'), /^HTTP\/1\.1 404 /)
  }))

// --- Errors while responding

const throwError = () => {
  throw new Error('at secret.js:1:1')
}

// Fails with the default error handler of Express: HTML with the stack, and the end of the process if the app
// itself throws.
test('returns every error as JSON of its protocol, even if the log, the error or the app itself throws', async () => {
  const deps = {
    log: { debug: throwError, info: throwError, warn: throwError, error: throwError },
    clock: { now: () => 0 },
    config: { limits: { json: 1000, message: 1000, chat: 1000 }, urls: {} },
  }
  const server = createHttpServer({ allowedHosts: [], log: silent })
  const { port } = await server.listen(0)
  let app: RequestListener = throwError
  server.serve({
    mount: (ownDeps, classes) => {
      app = createApp({ ...(deps as unknown as RouteDeps), ...ownDeps }, '/nowhere', classes)
      return (request, response) => {
        if (request.headers['x-app'] === 'throws') throwError()
        app(request, response)
      }
    },
    onUpgrade: throwError,
  })
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  try {
    for (const requestFields of [
      { path: '/api/personas' },
      { path: '/api/persona/ada' },
      { path: '/v1/models' },
      { ...post, path: '/mcp/ada', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
      { path: '/api/personas', headers: { 'X-App': 'throws' } },
      { path: '/v1/models', headers: { 'X-App': 'throws' } },
      { path: 'http://localhost/v1/models', headers: { 'X-App': 'throws', Host: 'localhost' } },
      { path: '/mcp/ada', headers: { 'X-App': 'throws' } },
      { path: '/', headers: { 'X-App': 'throws' } },
    ]) {
      const label = JSON.stringify(requestFields)
      const { status, headers, text } = await ask(port, requestFields)
      assert.ok(status >= 400, label)
      assert.match(headers['content-type'] ?? '', /^application\/json/, label)
      assert.not.match(text, /secret\.js|<pre>|\.ts:\d/, label)
      const body = JSON.parse(text)
      if (requestFields.path.startsWith('/mcp')) assert.type(body.error.message, 'string', label)
      else assert.type(body.detail, 'string', label)
      if (requestFields.path.includes('/v1')) assert.type(body.error.message, 'string', label)
    }
    const upgrade =
      'GET /ws/system HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    assert.is(await raw(port, upgrade), '')
    assert.is((await ask(port, { path: '/api/nothing' })).status, 404)
  } finally {
    await server.close(100)
  }
})

// --- Invalid HTTP

test('returns JSON for an unparsable request and closes the connection', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /\x01 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ]) {
      const answer = await raw(port, bytes)
      assert.match(
        answer,
        /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\nConnection: close\r\n\r\n\{"detail":"Bad Request"\}$/,
      )
      assert.match(answer, 'X-Content-Type-Options: nosniff')
    }
    assert.match(
      await raw(port, `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
      /^HTTP\/1\.1 431 [\s\S]*\{"detail":"Request Header Fields Too Large"\}$/,
    )
  }))

// --- The end

test('closes without waiting for idle connections', async () => {
  const server = createHttpServer({ allowedHosts: [], log: silent })
  const { port } = await server.listen(0)
  serveNothing(server)
  const idle = connect(port, '127.0.0.1')
  const whenClosed = new Promise((resolve) => idle.on('close', resolve))
  await ask(port, { path: '/api/nothing' })
  const startedAt = performance.now()
  await server.close(5000)
  assert.ok(performance.now() - startedAt < 1000)
  await whenClosed
})

test('aborts a request that does not end in time', async () => {
  const server = createHttpServer({ allowedHosts: [], log: silent })
  const { port } = await server.listen(0)
  const pendingReply = ask(port, { path: '/api/nothing' }).then(
    () => 'answered',
    () => 'cut',
  )
  await pause(30)
  const closePromise = server.close(200)
  assert.is(await pendingReply, 'cut')
  await closePromise
  await assertRefused(port)
})

const assertRefused = (port: number) =>
  ask(port, { path: '/' }).then(
    () => assert.unreachable(),
    (error: NodeJS.ErrnoException) => assert.is(error.code, 'ECONNREFUSED'),
  )

test('returns 413 to a client that announces a too large body', () =>
  withServer(async (server, port) => {
    serveNothing(server)
    const head = `POST /api/persona/create HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: 10000000000`
    assert.match(await raw(port, `${head}\r\n\r\n{`), /^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/)
  }))

// --- Compression

const readBytes = (port: number, options: RequestOptions & { readonly body?: string }) =>
  new Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }>((resolve, reject) => {
    const { body, ...rest } = options
    const httpRequest = request({ host: '127.0.0.1', port, agent: false, ...rest }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
    httpRequest.on('error', reject)
    httpRequest.end(body)
  })

test('compresses a large reply to GET for a client that accepts gzip', async () => {
  const daemon = await startDaemon({ models: standIn() })
  try {
    const read = (path: string, encoding?: string) =>
      readBytes(daemon.port, { path, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })
    const plain = await read('/openapi.json')
    const small = await read('/openapi.json', 'br, gzip, deflate')
    assert.equal([small.headers['content-encoding'], small.headers.vary], ['gzip', 'Accept-Encoding'])
    assert.is(Number(small.headers['content-length']), small.bytes.length)
    assert.ok(small.bytes.length * 4 < plain.bytes.length)
    assert.ok(gunzipSync(small.bytes).equals(plain.bytes))
    for (const encoding of [undefined, 'identity', 'gzip;q=0', 'br', '\t;;gzip=']) {
      const { headers, bytes } = await read('/openapi.json', encoding)
      assert.equal([headers['content-encoding'], headers.vary], [undefined, 'Accept-Encoding'], encoding)
      assert.ok(bytes.equals(plain.bytes), encoding)
    }
    assert.is((await read('/api/health', 'gzip')).headers['content-encoding'], undefined)
    assert.is((await read('/metrics', 'gzip')).headers['content-encoding'], undefined)
  } finally {
    await daemon.close()
  }
})

test('compresses no reply to another method, because it may contain keys', async () => {
  const daemon = await startDaemon({ models: standIn() })
  try {
    const slots = ['thinking', 'eye', 'ear', 'mouth', 'imagination', 'teacher', 'researcher']
    const organs = slots.flatMap((slot) => [
      [`${slot}_model`, 'm'.repeat(150)],
      [`${slot}_provider`, 'openai'],
      [`${slot}_api_key`, 'sk-1'],
    ])
    const { headers, bytes } = await readBytes(daemon.port, {
      method: 'POST',
      path: '/api/persona/create',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: JSON.stringify({ name: 'Ada', ...Object.fromEntries(organs) }),
    })
    assert.is(headers['content-encoding'], undefined)
    assert.ok(bytes.length > 1_024)
    const { persona } = JSON.parse(String(bytes)) as { readonly persona: { readonly id: string } }
    const list = await readBytes(daemon.port, {
      path: '/api/personas',
      headers: { 'accept-encoding': 'gzip' },
    })
    assert.is(list.headers['content-encoding'], 'gzip')
    assert.is(JSON.parse(String(gunzipSync(list.bytes))).personas[0].id, persona.id)
  } finally {
    await daemon.close()
  }
})

test.run()
