/** Pipelining: requests that are sent on one connection without waiting for responses. */
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline } from '../../src/http/server/pipelining.ts'
import { waitFor } from '../calls.ts'
import { ask } from './try.ts'

interface Ends {
  ends: (() => unknown)[]
}
const test = suite<Ends>('in line', { ends: [] })
test.after.each(({ ends }) => {
  for (const end of ends.splice(0)) end()
})

type Serve = (url: string, response: ServerResponse) => void

/** Starts a server. Returns its port and the paths that were served, in order. */
const startServer = async (ends: Ends['ends'], serve: Serve) => {
  const servedPaths: string[] = []
  const inLine = createPipeline()
  const server = createServer((request, response) => {
    const { url = '' } = request
    inLine(request, response, () => {
      servedPaths.push(url)
      serve(url, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, served: servedPaths }
}

/** Sends requests for `/1`, `/2` … in one write. */
const sendAll = (ends: Ends['ends'], port: number, count: number): Socket => {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  ends.push(() => socket.destroy())
  socket.pause()
  socket.write(
    numbers(count)
      .map((n) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      .join(''),
  )
  return socket
}
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const paths = (count: number) => numbers(count).map((n) => `/${n}`)

// Fails if every request is served as it arrives: the second then begins before the first is answered.
test('serves a request after the response to the previous one was sent, and responds in order', async ({
  ends,
}) => {
  const pendingResponses: ServerResponse[] = []
  const { port, served: servedPaths } = await startServer(ends, (url, response) =>
    url === '/1' ? void pendingResponses.push(response) : response.end(`<${url}>`),
  )
  const socket = sendAll(ends, port, 3)
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += chunk
  })
  socket.resume()
  await waitFor('the first to be served', () => pendingResponses.length === 1)
  await ask(port, { path: '/another' })
  assert.equal(servedPaths, ['/1', '/another'])

  pendingResponses[0]?.end('</1>')
  await waitFor('all replies', () => receivedText.includes('</3>'))
  assert.equal(receivedText.match(/<[^>]*>/g), ['</1>', '</2>', '</3>'])
})

// Fails without setImmediate, and if every request is served as it arrives: all 200 are then served first.
test('serves other connections between two requests', async ({ ends }) => {
  const { port, served: servedPaths } = await startServer(ends, (_url, response) => {
    const end = performance.now() + 5
    while (performance.now() < end);
    response.end()
  })
  const socket = sendAll(ends, port, 200)
  socket.resume()
  await waitFor('the first to be served', () => servedPaths.length > 0)
  await ask(port, { path: '/another' })
  assert.ok(servedPaths.length < 150, `${servedPaths.length} were served before`)
  await waitFor('the last to be served', () => servedPaths.includes('/200'))
})

// Fails if every request is served as it arrives: all 64 responses are then created immediately.
test('stops serving a client that does not read until it reads again', async ({ ends }) => {
  const large = Buffer.alloc(1024 * 1024)
  let last: ServerResponse | undefined
  const { port, served: servedPaths } = await startServer(ends, (url, response) => {
    if (url !== '/another') last = response
    response.end(url === '/another' ? '' : large)
  })
  const socket = sendAll(ends, port, 64)
  const getOtherPaths = () => servedPaths.filter((url) => url !== '/another')
  // The count is unchanged for twenty requests of another client.
  let unchangedCount = 0
  let count = 0
  await waitFor('the pipeline to stall', async () => {
    await ask(port, { path: '/another' })
    unchangedCount = getOtherPaths().length === count && last?.writableLength ? unchangedCount + 1 : 0
    count = getOtherPaths().length
    return unchangedCount === 20
  })
  assert.ok(count < 64, `${count} responses were created`)

  socket.resume()
  await waitFor('the last to be served', () => getOtherPaths().length === 64)
  assert.equal(getOtherPaths(), paths(64))
})

test.run()
