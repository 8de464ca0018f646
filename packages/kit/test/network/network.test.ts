import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CallBounds, createNetwork, type Network } from '../../network/network.ts'
import { NetworkError } from '../../network/network-error.ts'

const quickBounds: CallBounds = { firstByte: 300, silence: 150, whole: 1000, size: 1024 * 1024 }

const test = suite<{ close: (() => Promise<void> | void)[] }>('network', { close: [] })
test.after.each(async ({ close }) => {
  for (const end of close.splice(0)) await end()
})

const listen = async (
  close: (() => Promise<void> | void)[],
  serve: RequestListener,
): Promise<{ url: string; server: Server; port: number }> => {
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, server, port }
}

const network = (
  close: (() => Promise<void> | void)[],
  limits: Partial<CallBounds> = {},
  env: NodeJS.ProcessEnv = {},
): Network => {
  const openedNetwork = createNetwork({
    env,
    limits: { local: { ...quickBounds, ...limits }, remote: { ...quickBounds, ...limits } },
  })
  close.push(openedNetwork.close)
  return openedNetwork
}

const catchError = async (work: Promise<unknown>): Promise<NetworkError> => {
  try {
    await work
  } catch (error) {
    assert.instance(error, NetworkError)
    return error as NetworkError
  }
  return assert.unreachable('it went well') as never
}

test('returns status, headers and text of the response', async ({ close }) => {
  const { url } = await listen(close, (_, response) =>
    response.writeHead(201, { 'x-kind': 'good' }).end('hello'),
  )
  const response = await network(close).local(url)
  assert.is(response.status, 201)
  assert.is(response.headers.get('x-kind'), 'good')
  assert.is(await response.text(), 'hello')
})

test('reports a port that no one listens on', async ({ close }) => {
  const { url, server } = await listen(close, () => {})
  server.close()
  const error = await catchError(network(close).local(url))
  assert.is(error.message, 'nothing answers there')
  assert.is(error.kind, 'unreachable')
})

test('times out before the first byte, with or without headers', async ({ close }) => {
  const silentServer = await listen(close, () => {})
  assert.match(
    (await catchError(network(close).local(silentServer.url))).message,
    'no answer came within 0.3 s',
  )
  const server = await listen(close, (_, response) => void response.flushHeaders())
  const response = await network(close).local(server.url)
  assert.match((await catchError(response.text())).message, 'no answer came within 0.3 s')
})

test('allows more time for the first byte than for later ones', async ({ close }) => {
  const { url } = await listen(close, (_, response) => {
    response.flushHeaders()
    setTimeout(() => response.end('late'), 220)
  })
  assert.is(await (await network(close).local(url)).text(), 'late')
})

test('ends a response that stops', async ({ close }) => {
  const { url } = await listen(close, (_, response) => void response.write('half '))
  const response = await network(close).local(url)
  assert.is((await catchError(response.text())).message, 'it fell silent for 0.2 s')
})

test('ends a response that takes too long', async ({ close }) => {
  const { url } = await listen(close, (_, response) => {
    const timer = setInterval(() => response.write('on '), 50)
    response.on('close', () => clearInterval(timer))
  })
  const response = await network(close, { silence: 900 }).local(url)
  assert.is((await catchError(response.text())).message, 'the answer took longer than 1 s')
})

test('limits the decompressed size of a response', async ({ close }) => {
  const compressed = gzipSync(Buffer.alloc(3 * 1024 * 1024))
  const { url } = await listen(close, (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed),
  )
  const error = await catchError((await network(close).local(url)).text())
  assert.is(error.message, 'the answer is longer than 1 MiB')
  assert.is(error.kind, 'refused')
  assert.is(
    (await (await createNetwork({ env: {} }).download(url)).arrayBuffer()).byteLength,
    3 * 1024 * 1024,
  )
})

test('follows no redirect, so that no key is sent to another host', async ({ close }) => {
  let targetCalls = 0
  const target = await listen(close, (_, response) => {
    targetCalls++
    response.end()
  })
  const { url } = await listen(close, (_, response) =>
    response.writeHead(307, { location: target.url }).end(),
  )
  const error = await catchError(network(close).local(url, { headers: { 'x-api-key': 'secret' } }))
  assert.is(error.kind, 'barred')
  assert.is(targetCalls, 0)
})

test('aborts with the reason of the caller and closes the connection', async ({ close }) => {
  for (const answer of ['none', 'half'] as const) {
    let closedCount = 0
    const { url } = await listen(close, (_, response) => {
      response.on('close', () => closedCount++)
      if (answer === 'half') response.write('half')
    })
    const signal = AbortSignal.timeout(50)
    const startTime = Date.now()
    try {
      await (
        await network(close, { firstByte: 60_000, silence: 60_000, whole: 60_000 }).local(url, { signal })
      ).text()
      assert.unreachable()
    } catch (error) {
      assert.is((error as Error).name, 'TimeoutError')
    }
    assert.ok(Date.now() - startTime < 1000)
    await wait(50)
    assert.is(closedCount, 1)
  }
})

test('closes the connection of a body that is not read to its end', async ({ close }) => {
  let closedCount = 0
  const { url } = await listen(close, (_, response) => {
    response.on('close', () => closedCount++)
    response.write('half')
  })
  const response = await network(close).local(url)
  await response.body?.cancel()
  for (let n = 0; n < 250 && closedCount === 0; n++) await wait(20)
  assert.is(closedCount, 1)
})

test('quotes no system message, which may contain an address with a password', async ({ close }) => {
  const error = await catchError(network(close).local('http://anna:hunter2@127.0.0.1:1/'))
  assert.not.match(error.message, /hunter2|anna/)
})

test('calls this machine directly and all others through the proxy', async ({ close }) => {
  const proxiedHosts: string[] = []
  const proxy = await listen(close, (request, response) => {
    proxiedHosts.push(String(request.url))
    response.end('by proxy')
  })
  const nearServer = await listen(close, (_, response) => response.end('straight'))
  const env = { HTTP_PROXY: proxy.url }
  assert.is(await (await network(close, {}, env).local(nearServer.url)).text(), 'straight')
  assert.is(await (await network(close, {}, env).remote('http://models.invalid/v1')).text(), 'by proxy')
  assert.equal(proxiedHosts, ['http://models.invalid/v1'])
  const excepted = { ...env, NO_PROXY: 'models.invalid' }
  assert.is(
    (await catchError(network(close, {}, excepted).remote('http://models.invalid/v1'))).kind,
    'unreachable',
  )
})

test('stops retrying a proxy that drops every tunnel', async ({ close }) => {
  let tries = 0
  const proxy = await listen(close, () => {})
  proxy.server.on('connect', (_, socket) => {
    tries++
    socket.destroy()
  })
  const error = await catchError(
    network(close, {}, { HTTPS_PROXY: proxy.url }).remote('https://models.invalid/v1'),
  )
  assert.is(error.kind, 'unreachable')
  await wait(100)
  const triesBefore = tries
  await wait(300)
  assert.is(tries, triesBefore)
})

test('calls private addresses and listed ranges without the proxy, unless a setting lists them', async ({
  close,
}) => {
  const proxy = await listen(close, (_, response) => response.end('by proxy'))
  const isProxied = async (url: string, env: NodeJS.ProcessEnv = {}) => {
    const { remote } = network(close, {}, { HTTP_PROXY: proxy.url, ...env })
    return remote(url).then(
      async (response) => (await response.text()) === 'by proxy',
      () => false,
    )
  }
  const nearUrls = ['http://10.255.255.1:8080/', 'http://models.lan:8080/']
  for (const url of nearUrls) {
    assert.not(await isProxied(url), url)
    assert.ok(await isProxied(url, { DAIMON_PROXY_PRIVATE: '10.0.0.0/8, .lan' }), url)
  }
  assert.ok(await isProxied('http://198.51.100.7:8080/'))
  assert.not(await isProxied('http://198.51.100.7:8080/', { NO_PROXY: '198.51.100.0/24' }))
  assert.ok(await isProxied('http://198.51.100.7:8080/', { NO_PROXY: '198.51.101.0/24, nonsense/99' }))
})

test('reports that the proxy requires a password before it opens a tunnel', async ({ close }) => {
  const proxy = await listen(close, () => {})
  proxy.server.on('connect', (_, socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n')
  })
  const { remote } = network(close, {}, { HTTPS_PROXY: proxy.url })
  const error = await catchError(remote('https://models.invalid/v1'))
  assert.is(error.kind, 'barred')
  assert.match(error.message, '407')
  assert.match(error.advice ?? '', 'HTTPS_PROXY')
})

test('reports that the proxy requires a password for a plain HTTP address', async ({ close }) => {
  const proxy = await listen(close, (_, response) => response.writeHead(407).end('who are you?'))
  const { remote } = network(close, {}, { HTTP_PROXY: proxy.url })
  const error = await catchError(remote('http://198.51.100.7:8080/v1'))
  assert.is(error.kind, 'barred')
  assert.match(error.message, '407')
  assert.match(error.advice ?? '', 'HTTP_PROXY')
})

test('reports that the proxy in the environment is not an address', async ({ close }) => {
  const error = await catchError(
    network(close, {}, { HTTPS_PROXY: 'http://anna:hunter2@:::' }).remote('https://models.invalid/'),
  )
  assert.match(error.message, 'proxy')
  assert.not.match(error.message, 'hunter2')
})

test('reports a server that does not speak HTTP', async ({ close }) => {
  const server = createSocket((socket) => socket.end('SSH-2.0-nothing\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close.push(() => void server.close())
  const { port } = server.address() as AddressInfo
  assert.is(
    (await catchError(network(close).local(`http://127.0.0.1:${port}/`))).message,
    'it does not speak HTTP',
  )
})

test.run()
