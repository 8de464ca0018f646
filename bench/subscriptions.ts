/**
 * Measures delivery of a long journal to one webhook on this machine, against plain requests with the same
 * bodies, and the time from a stored fact until a webhook has received it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createName, fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import { waitUntilIdle } from './cpu-time.ts'
import { type Figure, median } from './figure.ts'
import { quantiles } from './load.ts'

const facts = Number(process.env.BENCH_FACTS) || 200_000
const singleFacts = 200

export const subscriptions = async (): Promise<readonly Figure[]> => {
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  await fillHome(home, [facts])
  const receiver = await openReceiver()
  const { url, child, kill } = await startProcess({ home })
  await fetch(`${url}/api/persona/${createName(0)}/journal?last=1`).then((answer) => answer.text())
  await waitUntilIdle(child.pid)
  const put = (name: string, body: object) =>
    send(`${url}/api/subscriptions/${name}`, 'PUT', { webhook: { url: receiver.url }, words: true, ...body })

  const startedAt = performance.now()
  await put('long', { start: 'beginning' })
  await receiver.waitFor(facts)
  const seconds = (performance.now() - startedAt) / 1000
  const bodies = receiver.takeBodies()
  const bareStart = performance.now()
  for (const body of bodies)
    await fetch(receiver.url, { method: 'POST', body }).then((answer) => answer.text())
  const bareSeconds = (performance.now() - bareStart) / 1000
  await send(`${url}/api/subscriptions/long`, 'DELETE')

  await put('live', {})
  const lags: number[] = []
  const persona = `${url}/api/persona/${createName(0)}`
  for (let n = 0; n < singleFacts; n++) {
    const countBefore = receiver.count()
    await send(`${persona}/memories`, 'POST', { document: 'person', text: `Thing ${n}.` })
    const storedAt = performance.now()
    await receiver.waitFor(countBefore + 1)
    lags.push(Math.max(0, receiver.lastAt() - storedAt))
  }
  const p99 = quantiles(lags)(0.99)
  await kill('SIGTERM')
  await receiver.close()
  await rm(home, { recursive: true, force: true })
  return [
    {
      label: `facts delivered to a webhook, of ${facts} (${bodies.length} requests)`,
      value: facts / seconds,
      unit: '/s',
      baseline: { label: 'plain requests with the same bodies', value: facts / bareSeconds },
      goal: '≥ 5000/s',
      isMet: facts / seconds >= 5000,
    },
    {
      label: 'from the response that a fact is stored until the webhook has it, median',
      value: median(lags),
      unit: 'ms',
      goal: '< 20 ms',
      isMet: median(lags) < 20,
    },
    {
      label: 'the same, 99th percentile',
      value: p99,
      unit: 'ms',
      goal: '< 100 ms',
      isMet: p99 < 100,
    },
  ]
}

const send = async (url: string, method: string, body?: object): Promise<void> => {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  await response.text()
}

const openReceiver = async () => {
  const bodies: Buffer[] = []
  let count = 0
  let lastAt = 0
  let wake = () => {}
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    lastAt = performance.now()
    const body = Buffer.concat(chunks)
    bodies.push(body)
    // Each fact has one hash of its predecessor.
    count += body.toString('latin1').split('"prev":"').length - 1
    response.writeHead(204).end()
    wake()
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    lastAt: () => lastAt,
    takeBodies: () => bodies.splice(0),
    waitFor: async (target: number) => {
      while (count < target) await new Promise<void>((resolve) => (wake = resolve))
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
