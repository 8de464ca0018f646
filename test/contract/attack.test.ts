/**
 * Attacks by a page of another site through a browser, on every served route and both sockets. None may have
 * an effect. The first disguise of each kind attacks every route, and each other one an eighth of the routes,
 * so that several attack each route. Fails if the guard returns null: the tests marked below and the check of
 * the final state.
 */
import { Agent } from 'node:http'
import { hostname } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Reply, raw } from '../http/try.ts'
import { createRouteRequests, type RouteRequest } from './route-requests.ts'
import { json, shareSetup } from './setup.ts'

const setup = shareSetup(test)
const agent = new Agent({ keepAlive: true })
test.after(() => agent.destroy())
let id = ''
let snapshotBefore: { readonly list: string; readonly facts: readonly string[] }

const takeSnapshot = async () => {
  const facts = await setup.facts(id)
  // Reading the journal over a socket opens the web channel, so both snapshots are taken in the same way.
  return { list: (await setup.send({ path: '/api/personas' })).text.replace(/"mark \d+"/, '"mark"'), facts }
}

test.before(async () => {
  id = await setup.born({ thinking_api_key: 'sk-not-for-them' })
  await setup.say(`/api/persona/${id}`, 'a secret between us')
  snapshotBefore = await takeSnapshot()
})

const modelCalls: string[] = []
test.after.each(() => {
  modelCalls.push(...setup.models.doneCalls)
})

const isJson = (request: RouteRequest): request is RouteRequest & { readonly body: string } =>
  request.hasJsonBody
const getHost = () => `127.0.0.1:${setup.daemon.port}`

/** Sends the requests with these headers instead of those of a program. */
const sendAll = async (
  requests: readonly RouteRequest[],
  headers: Record<string, string>,
  check: (reply: Reply, route: string) => void,
) => {
  const replies: (readonly [Reply, string])[] = []
  for (const { method, path, body, headers: bodyHeaders } of requests) {
    const reply = await setup.send({
      method,
      path,
      agent,
      headers: { ...bodyHeaders, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    replies.push([reply, `${method} ${path} ${JSON.stringify(headers)}`])
  }
  // Checks run after all requests, so that the final state includes the effects of all of them.
  for (const [reply, route] of replies) check(reply, route)
}
/** Attacks with each of the disguises. */
const attackWith = async (
  disguises: readonly Record<string, string>[],
  check: (reply: Reply, route: string) => void,
) => {
  const requests = createRouteRequests(id)
  for (const [turn, headers] of disguises.entries())
    await sendAll(
      requests.filter((_, n) => turn === 0 || n % 8 === turn % 8),
      headers,
      check,
    )
}
const assertRefused = ({ status, headers, text }: Reply, route: string) => {
  assert.is(status, 403, route)
  const { detail, error, jsonrpc } = JSON.parse(text)
  const message = jsonrpc ? error.message : detail
  assert.ok(typeof message === 'string' && message.length > 20, route)
  if (!jsonrpc) assert.equal(Object.keys(JSON.parse(text)), error ? ['detail', 'error'] : ['detail'])
  assertNotShared(headers, route)
}
/** Asserts that no header allows another site to read the response. */
const assertNotShared = (headers: Reply['headers'], route: string) => {
  for (const name of Object.keys(headers))
    assert.not.match(name, /^access-control-|^timing-allow-origin|^cross-origin-embedder/, route)
  assert.is(headers['cross-origin-resource-policy'], 'same-origin', route)
}
const sendLines = (lines: readonly string[], method = 'GET', path = '/api/personas', version = '1.1') =>
  raw(
    setup.daemon.port,
    `${[`${method} ${path} HTTP/${version}`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
  )

// --- The Host header (DNS rebinding: a foreign name that resolves to this address)

const foreignHosts = () => {
  const { port } = setup.daemon
  return [
    ...[
      'evil.test',
      `evil.test:${port}`,
      `localhost.evil.test:${port}`,
      `127.0.0.1.evil.test:${port}`,
      'evil.test:localhost',
      'localhost.',
      `localhost.:${port}`,
    ],
    ...[
      `a.localhost:${port}`,
      `0.0.0.0:${port}`,
      `0:${port}`,
      `127.1:${port}`,
      `127.0.0.2:${port}`,
      `127.0.0.01:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
    ],
    ...[
      `0x7f000001:${port}`,
      `017700000001:${port}`,
      `[::]:${port}`,
      `::1:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[0:0:0:0:0:0:0:1]:${port}`,
      `[::1]x:${port}`,
    ],
    ...[
      `${hostname()}:${port}`,
      `${hostname()}.local:${port}`,
      'localhost:99999',
      'localhost:-1',
      'localhost:',
      'localhost:80:80',
      'localhost:x',
      `user@localhost:${port}`,
    ],
    ...[
      `user:pw@localhost:${port}`,
      `localhost@evil.test:${port}`,
      'http://localhost',
      'localhost/',
      'localhost#evil.test',
      'localhost?x',
      'localhost\\evil.test',
    ],
    ...[
      'local host',
      'localhost,evil.test',
      'localhost;x',
      'locaLhost\t.evil.test',
      'l\u00f6calhost',
      'xn--localhost-x',
    ],
  ]
}

test('refuses every host name except the loopback names on every route (fails without the guard)', async () => {
  await attackWith(
    foreignHosts().map((host) => ({ Host: host })),
    assertRefused,
  )
})

test('refuses a missing, an empty and a repeated Host header (fails without the guard)', async () => {
  for (const lines of [
    [],
    ['Host:'],
    ['Host:   '],
    [`Host: ${getHost()}`, 'Host: evil.test'],
    ['Host: evil.test', `Host: ${getHost()}`],
    [`Host: ${getHost()}`, `host: ${getHost()}`],
    ['X-Forwarded-Host: localhost', 'Host: evil.test'],
    ['X-Host: localhost'],
    ['Forwarded: host=localhost'],
  ])
    for (const path of ['/api/personas', '/', '/openapi.json', '/v1/models']) {
      assert.match(
        await sendLines(lines, 'GET', path),
        /^HTTP\/1\.1 403 Forbidden\r\n/,
        `${path} ${lines.join(', ')}`,
      )
      assert.match(await sendLines(lines, 'GET', path, '1.0'), /^HTTP\/1\.1 403 Forbidden\r\n/)
    }
})

test('accepts an absolute request target only if it names the requested host', async () => {
  const host = [`Host: ${getHost()}`]
  assert.match(await sendLines(host, 'GET', `http://${getHost()}/api/personas`), /^HTTP\/1\.1 200 /)
  for (const target of [
    'http://evil.test/api/personas',
    `https://${getHost()}/api/personas`,
    `http://x@${getHost()}/api/personas`,
    `http://${getHost()}.evil.test/`,
  ])
    assert.match(await sendLines(host, 'GET', target), /^HTTP\/1\.1 403 /, target)
})

test('accepts each loopback name in any case and with any port', async () => {
  const { port } = setup.daemon
  for (const name of ['localhost', 'LOCALHOST', 'LocalHost', '127.0.0.1', '[::1]'])
    for (const host of [name, `${name}:${port}`, `${name}:1`, `${name}:65535`, `${name}:0`])
      assert.is((await setup.send({ path: '/api/personas', headers: { Host: host } })).status, 200, host)
})

// --- The origin of the page

test('refuses a page of another origin on every route (fails without the guard)', async () => {
  const { port } = setup.daemon
  const origins = [
    ...[
      'http://evil.test',
      'null',
      'file://',
      `http://127.0.0.1:${port + 1}`,
      'http://127.0.0.1',
      `https://${getHost()}`,
      `http://localhost:${port}`,
    ],
    ...[
      `http://${getHost()}/`,
      `http://${getHost()}.evil.test`,
      `http://evil.test#${getHost()}`,
      'chrome-extension://abc',
      'moz-extension://abc',
      '',
      '*',
    ],
  ]
  await attackWith(
    origins.map((origin) => ({ Host: getHost(), Origin: origin })),
    assertRefused,
  )
})

test('refuses requests that the browser marks as coming from another site, in any mode (fails without the guard)', async () => {
  for (const [mode, dest] of [
    ['navigate', 'document'],
    ['navigate', 'iframe'],
    ['cors', 'empty'],
    ['no-cors', 'image'],
    ['no-cors', 'script'],
    ['same-origin', 'empty'],
    ['websocket', 'empty'],
  ] as const) {
    const disguises = ['cross-site', 'same-site', '', 'Same-Origin', 'other'].map((site) => ({
      Host: getHost(),
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': mode,
      'Sec-Fetch-Dest': dest,
    }))
    const navigates = mode === 'navigate' && dest === 'document'
    await attackWith(disguises, (reply, route) => {
      // A link from another site may open a page, and the API description is one. The other site cannot read
      // it.
      if (navigates && route.startsWith('GET /openapi.json')) return assertNotShared(reply.headers, route)
      assertRefused(reply, route)
    })
    if (!navigates)
      for (const headers of disguises)
        assertRefused(await setup.send({ path: '/', headers }), `page ${JSON.stringify(headers)}`)
  }
})

test('refuses a cross-site Sec-Fetch-Site even if the origin is its own', async () => {
  await attackWith(
    [{ Host: getHost(), Origin: `http://${getHost()}`, 'Sec-Fetch-Site': 'cross-site' }],
    assertRefused,
  )
})

test('ignores a form or another content type on every route that takes JSON', async () => {
  for (const { template, method, path, body } of createRouteRequests(id).filter(isJson))
    for (const type of [
      ...[
        'text/plain',
        'text/plain;charset=UTF-8',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'text/json',
        'json',
      ],
      ...[
        'application/jsonp',
        'application/x-json',
        'text/plain; application/json',
        'application/octet-stream',
        '*/*',
        undefined,
      ],
    ]) {
      const headers = {
        'Content-Length': Buffer.byteLength(body),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      }
      const { status, text } = await setup.send({ method, path, body, headers, agent })
      assert.is(status, template.startsWith('/mcp/') ? 415 : 422, `${method} ${path} ${type}`)
      assert.match(text, 'The Content-Type must be application/json')
    }
})

test('refuses a preflight, and no response allows another site to read it', async () => {
  for (const path of new Set(createRouteRequests(id).map((request) => request.path))) {
    const preflight = {
      Host: getHost(),
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
      'Access-Control-Request-Private-Network': 'true',
    }
    assertRefused(
      await setup.send({ method: 'OPTIONS', path, headers: { ...preflight, Origin: 'http://evil.test' } }),
      path,
    )
    const ownReply = await setup.send({
      method: 'OPTIONS',
      path,
      headers: { ...preflight, Origin: `http://${getHost()}` },
    })
    assert.ok(ownReply.status === 405 || ownReply.status === 404, path)
    assertNotShared(ownReply.headers, path)
  }
})

// --- WebSockets

const sendUpgrade = (path: string, lines: readonly string[]) =>
  raw(
    setup.daemon.port,
    `${[`GET ${path} HTTP/1.1`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', ...lines].join('\r\n')}\r\n\r\n`,
  )

test('opens no socket for a foreign page or host name (fails without the guard)', async () => {
  const host = `Host: ${getHost()}`
  for (const path of ['/ws/system', `/ws/${id}`, `/ws/${id}?after=0`]) {
    for (const origin of [
      'http://evil.test',
      'null',
      'file://',
      `https://${getHost()}`,
      `ws://${getHost()}`,
      `http://localhost:${setup.daemon.port}`,
      '',
    ])
      assert.match(
        await sendUpgrade(path, [host, `Origin: ${origin}`]),
        /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*\{"detail":"[^"]+"\}$/,
        origin,
      )
    for (const site of ['cross-site', 'same-site'])
      assert.match(
        await sendUpgrade(path, [
          host,
          `Origin: http://${getHost()}`,
          `Sec-Fetch-Site: ${site}`,
          'Sec-Fetch-Mode: websocket',
        ]),
        /^HTTP\/1\.1 403 /,
      )
    for (const name of foreignHosts().slice(0, 20))
      assert.match(await sendUpgrade(path, [`Host: ${name}`]), /^HTTP\/1\.1 403 /, name)
    assert.match(await sendUpgrade(path, []), /^HTTP\/1\.1 403 /)
    assert.match(await sendUpgrade(path, [host, 'Host: evil.test']), /^HTTP\/1\.1 403 /)
  }
})

test('opens a socket for its own page and for a program', async () => {
  const { WebSocket } = await import('ws')
  for (const headers of [
    {},
    { Origin: `http://${getHost()}` },
    { Origin: `http://${getHost()}`, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'websocket' },
  ]) {
    const socket = new WebSocket(`ws://${getHost()}/ws/system`, { headers })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()
  }
})

test('changes nothing on a GET request', async () => {
  const personaPath = `/api/persona/${id}`
  const requests = createRouteRequests(id)
  const readable = new Set(requests.filter(({ method }) => method === 'GET').map(({ template }) => template))
  const paths = requests.filter(({ template }) => !readable.has(template)).map(({ path }) => path)
  for (const path of [...paths, `${personaPath}/read?wait=1&message=x`, `${personaPath}/update?status=sick`])
    for (const method of ['GET', 'HEAD'])
      assert.ok([404, 405].includes((await setup.send({ method, path })).status), path)
  assert.is((await setup.send({ path: '/api/persona/create?name=Eve&thinking_model=llama' })).status, 405)
  const reply = await setup.send({
    path: `${personaPath}/delete`,
    headers: { 'X-HTTP-Method-Override': 'POST', 'X-Method-Override': 'POST' },
  })
  assert.is(reply.status, 405)
})

test('leaves the personas and all facts byte for byte unchanged after all attacks (fails without the guard)', async () => {
  const stateAfter = await takeSnapshot()
  assert.is(stateAfter.list, snapshotBefore.list)
  assert.equal(stateAfter.facts.slice(0, -1), snapshotBefore.facts)
  assert.equal(modelCalls, [], 'no model was called')
})

// --- Clients that are not pages

test('accepts every kind of request by curl and by the client of Node', async () => {
  const host = `Host: ${getHost()}`
  const body = '{"message":"hello"}'
  const post = [
    ...[host, 'Content-Type: application/json', `Content-Length: ${body.length}`],
    'User-Agent: curl/8.5.0',
    'Accept: */*',
  ]
  const createPdf = (lines: readonly string[], version = '1.1') =>
    raw(
      setup.daemon.port,
      `POST /api/persona/${id}/read HTTP/${version}\r\n${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`,
    )
  const receivedPattern = /HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"received"\}$/
  assert.match(await createPdf(post), receivedPattern)
  assert.match(await createPdf(post, '1.0'), receivedPattern)
  assert.match(await createPdf([...post, `Origin: http://${getHost()}`]), receivedPattern)
  assert.match(await createPdf([...post, 'Sec-Fetch-Mode: cors']), receivedPattern)
  assert.match(await createPdf([...post, 'Sec-Fetch-Site: none']), receivedPattern)
  assert.match(await createPdf([...post, 'Expect: 100-continue']), receivedPattern)
  assert.match(await createPdf([...post, 'Referer: http://evil.test/']), receivedPattern)
  const h2c = [
    ...post,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  ]
  assert.match(await createPdf(h2c), receivedPattern)
  assert.match(await sendLines(['Host: localhost', 'Origin: http://localhost']), /^HTTP\/1\.1 200 /)
  const { status } = await fetch(`${setup.daemon.url}/api/persona/${id}/read`, {
    method: 'POST',
    body,
    headers: json,
  })
  assert.is(status, 200)
})

test('allows its own page to use every route', async () => {
  const ownHeaders = {
    Host: getHost(),
    Origin: `http://${getHost()}`,
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Dest': 'empty',
  }
  // Without bodies, because their effects do not matter here.
  const requests = createRouteRequests(id).map(({ body: _, headers: __, ...request }) => ({
    ...request,
    headers: {},
  }))
  await sendAll(requests, ownHeaders, ({ status, headers }, route) => {
    assert.is.not(status, 403, route)
    assertNotShared(headers, route)
  })
  assert.is(await setup.view(id), undefined, 'the last request deleted the persona')
})

test.run()
