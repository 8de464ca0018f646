/** Servers without the required guarantees are rejected with a message. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { NatsConnection } from '@nats-io/transport-node'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { Unavailable } from '../../journal/log/errors.ts'
import { openConnection } from '../../src/cluster/jetstream/nats-connection.ts'
import { NatsRefused } from '../../src/cluster/jetstream/nats-refused.ts'
import { createRequests } from '../../src/cluster/jetstream/server-requests.ts'
import { inHome } from '../journal/engines.ts'
import { startNatsServers, withNats } from '../nats-servers.ts'

const getRefusal = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.instance(error, NatsRefused)
  return (error as NatsRefused).message
}

/** Sends a server's INFO line and ignores all requests. */
const pretender = async (info: object) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(
      `INFO ${JSON.stringify({ server_id: 'A', proto: 1, max_payload: 1048576, headers: true, ...info })}\r\n`,
    )
    socket.on('data', (bytes) => `${bytes}`.includes('PING') && socket.write('PONG\r\n'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const end = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { servers: [`nats://127.0.0.1:${port}`], name: 'test', end }
}

// Seen failing when versions were compared as text.
for (const version of ['2.9.10', '2.10.27', '2.11.99', '1.99.0'])
  test(`rejects a server of version "${version}" with a message`, async () => {
    const { end, ...options } = await pretender({ server_name: 'old', version, jetstream: true })
    assert.match(
      await getRefusal(openConnection(options)),
      /NATS server old is of version .*at least 2\.12 is needed/,
    )
    end()
  })

for (const version of ['2.12.0', '2.15.1', '3.0.0-beta'])
  test(`accepts a server of version ${version}`, async () => {
    const { end, ...options } = await pretender({ server_name: 'new', version, jetstream: true })
    await (await openConnection(options)).close()
    end()
  })

test('refuses a server without JetStream', async () => {
  const { end, ...options } = await pretender({ server_name: 'plain', version: '2.15.1' })
  assert.match(await getRefusal(openConnection(options)), /plain runs without JetStream/)
  end()
})

test('reports that no server answers', async () => {
  const { end, ...options } = await pretender({})
  end()
  assert.match(await getRefusal(openConnection(options)), /no NATS server answers/)
})

test('rejects invalid credentials without quoting them', async () =>
  inHome(async (home) => {
    const credentials = join(home, 'nats.creds')
    const options = { servers: ['nats://127.0.0.1:1'], name: 'test', credentials }
    assert.match(await getRefusal(openConnection(options)), /cannot be read: ENOENT/)
    await writeFile(credentials, 'hunter2')
    const refusal = await getRefusal(openConnection(options))
    assert.match(refusal, /neither NATS credentials nor one line/)
    assert.not.match(refusal, /hunter2/)
  }))

// Three servers that start together answer this for a moment. Seen failing without retries.
test('retries while servers have no place for a stream, and quotes their error in the end', async () => {
  const createAnswer = (answer: object) => ({ string: () => JSON.stringify(answer) })
  const placeless = { error: { code: 400, err_code: 10005, description: 'no suitable peers, peer offline' } }
  let callCount = 0
  const connection = (times: number) =>
    ({
      request: async () => createAnswer(++callCount > times ? { fine: true } : placeless),
      isClosed: () => false,
    }) as unknown as NatsConnection
  const Fine = z.object({ fine: z.literal(true) })
  assert.equal(await createRequests(connection(2)).ask('any', {}, Fine), { fine: true })
  callCount = 0
  const error: unknown = await createRequests(connection(Number.POSITIVE_INFINITY), 300)
    .ask('any', {}, Fine)
    .catch((error: unknown) => error)
  assert.instance(error, Unavailable)
  assert.is((error as Error).message, 'the cluster does not answer: no suitable peers, peer offline')
})

withNats(test, () => {
  test('accepts a real server, and disconnects if an older one replaces it', async () => {
    const pretended = await pretender({ server_name: 'old', version: '2.10.27', jetstream: true })
    const { servers, addresses, end } = await startNatsServers()
    const refusal = new Promise<string>((onRefusal) => {
      void openConnection({ servers: [...addresses, ...pretended.servers], name: 'test', onRefusal })
        // The order is random. If the old server comes first, it is rejected immediately.
        .then(
          () => servers[0]?.kill(),
          (error: Error) => onRefusal(error.message),
        )
    })
    assert.match(await refusal, /old is of version 2\.10\.27/)
    pretended.end()
    await end()
  })
})

test.run()
