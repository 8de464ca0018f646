/** Servers at an address: published ones, old ones, faulty ones, and ones that require an authorization. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ServerTrouble } from '../trouble.ts'
import { createHouse, endAll, getWords, http, neverSignal, refTo, secret, type World } from './servers.ts'

const test = suite<World>('http servers', { ends: [] })
test.after.each(endAll)

const serving = async ({ ends }: World, listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: string }
}

/** A server of the 2025 revision with one tool. `call` answers its calls. */
const answering =
  (call: (response: ServerResponse, message: Message) => unknown): RequestListener =>
  async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(await readBody(request)) as Message
    const { id, method, params } = message
    const reply = (result: unknown) => json(response, { jsonrpc: '2.0', id, result })
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'initialize')
      return reply({
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'small', version: '1' },
      })
    if (method === 'tools/list') return reply({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] })
    if (method === 'tools/call') return call(response, message)
    return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
  }

const everythingPath = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
)

/** Uses a port that was free a moment before. */
const everythingAt = async (world: World, style: 'streamableHttp' | 'sse'): Promise<string> => {
  const freeServer = createServer()
  await new Promise<void>((resolve) => freeServer.listen(0, '127.0.0.1', resolve))
  const { port } = freeServer.address() as AddressInfo
  await new Promise((resolve) => freeServer.close(resolve))
  const child: ChildProcess = spawn(process.execPath, [everythingPath, style], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  world.ends.push(() => child.kill('SIGKILL'))
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => /listening|running/i.test(String(chunk)) && resolve())
  })
  return `http://127.0.0.1:${port}`
}

for (const [style, path] of [
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
] as const)
  test(`calls server-everything over ${style}`, async (world) => {
    const url = await everythingAt(world, style)
    const { servers, id } = await createHouse(world)
    const ref = refTo(http(`${url}${path}`))
    const { tools, state, reason } = await servers.listed(id, ref, 8000)
    assert.equal([state, reason], ['ready', null])
    assert.ok(tools.length >= 8)
    assert.match(getWords(await servers.call(id, ref, 'echo', { message: 'hello' }, neverSignal)), /hello/)
  })

test('reports why an address cannot be used', async (world) => {
  const { servers, id } = await createHouse(world, { limits: { start: 1000 } })
  const status = (code: number) =>
    serving(
      world,
      (_, response) => void response.writeHead(code, { 'content-type': 'text/plain' }).end(secret),
    )
  const cases: [string, RegExp][] = [
    ['not an address', /has to begin with http/],
    ['http://127.0.0.1:47119/mcp', /could not be reached at 127\.0\.0\.1:47119: nothing answers there/],
    ['http://no-such-host.invalid/mcp', /could not be reached at no-such-host\.invalid: its name/],
    [await status(404), /There is no MCP server at this address \(404\)/],
    [await status(500), /It answered with status 500/],
    [await status(403), /refuses access \(403\)/],
    [
      await serving(world, (_, response) => void response.end('<html>')),
      /its answer has another format|status/,
    ],
    [await serving(world, () => undefined), /did not answer within 1 s/],
    [
      await serving(
        world,
        (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      ),
      /sends the call to another server \(307\)/,
    ],
  ]
  for (const [url, words] of cases) {
    const { reason } = await servers.probe(id, refTo(http(url)), neverSignal)
    assert.match(reason ?? '', words, `${reason}`)
    assert.not.match(reason ?? '', /marked-secret/)
  }
})

test('rejects an untrusted certificate', async (world) => {
  const { servers, id } = await createHouse(world)
  const url = await serving(world, (_, response) => void response.end())
  const { reason } = await servers.probe(id, refTo(http(url.replace('http:', 'https:'))), neverSignal)
  assert.match(reason ?? '', /could not be reached/)
})

test('sends the configured headers, and only the configured authorization', async (world) => {
  const receivedHeaders: unknown[] = []
  const url = await serving(world, (request, response) => {
    receivedHeaders.push(request.headers.authorization)
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(secret)
  })
  const { servers, id } = await createHouse(world)
  const config = http(url, { Authorization: `Bearer ${secret}` })
  const { reason, authorize } = await servers.probe(id, refTo(config), neverSignal)
  assert.match(reason ?? '', /does not accept the authorization that was sent \(401\)/)
  assert.is(authorize, null)
  assert.ok(receivedHeaders.length > 0 && receivedHeaders.every((header) => header === `Bearer ${secret}`))
})

// Verified to fail for each type if its messages are not limited.
for (const kind of ['application/json', 'text/event-stream'])
  test(`aborts 100 MB of ${kind}`, async (world) => {
    const url = await serving(
      world,
      answering((response) => {
        response.on('error', () => undefined)
        response.writeHead(200, { 'content-type': kind })
        if (kind !== 'application/json') response.write('data: ')
        response.write('{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"')
        const spill = (piecesLeft: number): unknown =>
          piecesLeft > 0 &&
          !response.destroyed &&
          response.write('x'.repeat(1024 * 1024), () => spill(piecesLeft - 1))
        spill(100)
      }),
    )
    const { servers, id } = await createHouse(world, { limits: { silence: 30_000 } })
    const ref = refTo(http(url))
    await servers.listed(id, ref, 8000)
    const rssBefore = process.memoryUsage().rss
    const callError = await servers.call(id, ref, 'echo', {}, neverSignal).catch((error: unknown) => error)
    assert.ok(callError instanceof ServerTrouble && callError.kind === 'too_large', `${callError}`)
    assert.ok(process.memoryUsage().rss - rssBefore < 250 * 1024 * 1024)
  })

test('reports a stream that ended without an answer', async (world) => {
  const url = await serving(
    world,
    answering((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    ),
  )
  const { servers, id } = await createHouse(world, { limits: { silence: 30_000 } })
  const callError = await servers
    .call(id, refTo(http(url)), 'echo', {}, neverSignal)
    .catch((error: unknown) => error)
  assert.ok(
    callError instanceof ServerTrouble && callError.kind === 'ended' && callError.sent,
    `${callError}`,
  )
})

test('starts a new session when the old one has expired, and calls once', async (world) => {
  let calls = 0
  const smallHandler = answering((response, { id }) => {
    calls++
    json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } })
  })
  let hasExpired = false
  const url = await serving(world, (request, response) => {
    if (!hasExpired) return void smallHandler(request, response)
    hasExpired = false
    response.writeHead(404).end()
  })
  const { servers, id } = await createHouse(world)
  const ref = refTo(http(url))
  await servers.listed(id, ref, 8000)
  hasExpired = true
  assert.is(getWords(await servers.call(id, ref, 'echo', {}, neverSignal)), 'done')
  assert.is(calls, 1)
})

test.run()
