/** Traces across a cluster: messages of the NATS servers, and requests that a daemon forwards. */

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { personaVocabulary } from '../../facts/facts.ts'
import { openTracing } from '../../packages/kit/tracing/open-tracing.ts'
import { readOtlpSettings } from '../../packages/kit/tracing/otlp-settings.ts'
import { inSpan } from '../../packages/kit/tracing/tracing.ts'
import type { PersonaLog } from '../../src/cluster/jetstream/jetstream-log.ts'
import { readOn } from '../../src/cluster/jetstream/read-on.ts'
import { createRequests } from '../../src/cluster/jetstream/server-requests.ts'
import type { PersonaLocations } from '../../src/cluster/persona-location.ts'
import { createPassingOn } from '../../src/http/server/pass-on.ts'
import { createSlowUploadGuard } from '../../src/http/server/slow-upload.ts'
import { traceRequest } from '../../src/http/server/traced-request.ts'
import { ask } from '../http/try.ts'
import { createCollector, type ReceivedSpan } from '../stand-ins/collector.ts'
import { clientSpan, clientTrace, traceparent } from './setup.ts'

/** Runs work with tracing on and returns its spans. */
const traced = async (work: () => Promise<void>): Promise<readonly ReceivedSpan[]> => {
  const collector = await createCollector()
  const settings = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  assert.ok(settings)
  const log = { warn: () => {}, info: () => {}, hide: () => {}, mask: (text: string) => text }
  const tracing = openTracing({ settings, log, env: {} })
  try {
    await work()
  } finally {
    await tracing.close()
    await collector.close()
  }
  return collector.spans
}

// Fails if a message carries no trace, or if its readers ignore it.
test('messages of the servers carry the trace of their writer, with which a reader is linked', async () => {
  let sent: MsgHdrs | undefined
  const connection = {
    request: async (_subject: string, _data: Uint8Array, options: { readonly headers: MsgHdrs }) => {
      sent = options.headers
      return { string: () => JSON.stringify({ stream: 's', seq: 5 }) }
    },
    isClosed: () => false,
  } as unknown as NatsConnection
  const requests = createRequests(connection)
  const header = (name: string) => sent?.get(name) ?? ''
  const newest = { seq: 5, subject: 's', data: Buffer.alloc(0), header }
  const log = { newest: async () => newest, onMessage: () => {}, open: () => undefined, stream: 's' }
  const mark = { token: 't', readUpTo: 5, seq: 0 }
  const spans = await traced(async () => {
    const message = { subject: 's', data: Buffer.from('x'), name: 'n' }
    await inSpan({ name: 'journal sync' }, () => requests.publish(message))
    const reading = { requests, log: log as unknown as PersonaLog, store: {} as never, filter: 's', mark }
    await readOn({ ...reading, vocabulary: personaVocabulary, onUnreadable: 'refuse' })
  })
  const [send, sync, receive] = spans
  assert.equal([send?.name, send?.kind, send?.parentSpanId], ['send', 4, sync?.spanId])
  assert.is(header('traceparent'), `00-${send?.traceId}-${send?.spanId}-01`)
  assert.equal([receive?.name, receive?.kind], ['receive', 5])
  assert.equal(
    receive?.links.map(({ spanId }) => spanId),
    [send?.spanId],
  )
})

// Fails if the next daemon continues the trace of the client instead of that of this daemon.
test('a forwarded request is below the request of the daemon that forwarded it', async () => {
  const listen = async (listener: RequestListener) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, port: (server.address() as AddressInfo).port }
  }
  const parents: unknown[] = []
  const host = await listen((request, response) => {
    parents.push(request.headers.traceparent)
    response.end('{}')
  })
  const locations = {
    self: 'one',
    find: async () => ({
      at: 'host',
      host: { daemon: 'two', address: `http://127.0.0.1:${host.port}` },
    }),
    isAlive: () => true,
    age: () => null,
  } as unknown as PersonaLocations
  const passing = createPassingOn(locations)
  const serve = passing.before(() => assert.unreachable(), createSlowUploadGuard(1000))
  const front = await listen((request, response) =>
    traceRequest(request, response, () => serve(request, response)),
  )
  const [span] = await traced(async () => {
    const reply = await ask(front.port, { path: '/api/persona/ada', headers: { traceparent } })
    assert.is(reply.status, 200)
  })
  assert.equal([span?.traceId, span?.parentSpanId, span?.kind], [clientTrace, clientSpan, 2])
  assert.equal(parents, [`00-${clientTrace}-${span?.spanId}-01`])
  await passing.close()
  for (const { server } of [front, host]) server.close()
})

test.run()
