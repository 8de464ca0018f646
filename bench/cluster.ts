/**
 * Measures appends to journals in a cluster, by 1, 16 and 256 personas with one append in flight each,
 * against bare publishes of the same bytes with the same expected sequence; the time of a take-over; and the
 * cost of the daemons. `NATS_SERVER` is the path of the server program.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { type Draft, type Journal, openPersonaJournals } from '../facts/persona-journal.ts'
import { toClusterKey } from '../src/cluster/jetstream/cluster-key.ts'
import { type JetStream, openJetStream } from '../src/cluster/jetstream/jetstream.ts'
import { openConnection } from '../src/cluster/jetstream/nats-connection.ts'
import { natsServerFile, startNatsServers } from '../test/nats-servers.ts'
import { retryUntilThere } from '../test/ordeal/cluster-writers.ts'
import { clusterDaemons } from './cluster-daemons.ts'
import { type Figure, median } from './figure.ts'

const ms = 1500
const rounds = 3

export const cluster = async (): Promise<readonly Figure[]> => {
  if (natsServerFile === undefined) {
    console.log('skipped: no nats-server in NATS_SERVER or on the path')
    return []
  }
  return [...(await onServers(1)), ...(await onServers(3)), ...(await clusterDaemons())]
}

const onServers = async (count: 1 | 3): Promise<readonly Figure[]> => {
  const servers = await startNatsServers(count)
  const home = await mkdtemp(join(tmpdir(), 'bench-'))
  const connection = await openConnection({ servers: servers.addresses, name: 'bench', timeout: 20_000 })
  const clusterKey = toClusterKey(randomBytes(32))
  const options = { connection, clusterKey, name: 'bench', shards: 1, replicas: count }
  try {
    const engine = await retryUntilThere(() => openJetStream({ ...options, home }))
    const figures: Figure[] = []
    for (const personas of [1, 16, 256])
      figures.push(await appending({ engine, connection, count, personas }))
    return count === 1 ? [...figures, ...(await measureTakeOver(options, engine))] : figures
  } finally {
    await connection.close()
    await servers.end()
    await rm(home, { recursive: true, force: true })
  }
}

interface Appending {
  readonly engine: JetStream
  readonly connection: NatsConnection
  readonly count: number
  readonly personas: number
}

let clusterCount = 0

const appending = async ({ engine, connection, count, personas }: Appending): Promise<Figure> => {
  const journals = openPersonaJournals({ stores: engine.stores, witness: async () => undefined })
  const open: Journal[] = []
  for (let n = 0; n < personas; n++)
    open.push(await journals.create(`p${++clusterCount}`, draft('PersonaCreated')))
  const ours: number[] = []
  const bareTimes: number[] = []
  // Alternates, so that a slowdown of the machine affects both.
  for (let n = 0; n < rounds; n++) {
    bareTimes.push(await measureRate(barePublishers(connection, personas)))
    ours.push(
      await measureRate(open.map((journal) => () => journal.append([draft('Renamed')], journal.head))),
    )
  }
  for (const journal of open) await journal.close()
  return {
    label: `appends R${count}, ${personas} ${personas === 1 ? 'persona' : 'personas'}, one in flight each`,
    value: median(ours),
    unit: '/s',
    baseline: { label: 'bare publishes', value: median(bareTimes) },
    goal: '≥ 0.8 × bare',
    isMet: median(ours) >= 0.8 * median(bareTimes),
  }
}

const text = 'x'.repeat(330)

const draft = (type: 'PersonaCreated' | 'Renamed'): Draft => ({
  events:
    type === 'Renamed'
      ? [{ type, name: text.slice(0, 200) }]
      : [{ type, id: 'p', name: 'Ada', birthday: '2026-01-01', idleTimeout: 3600, recipient: '' }],
  cause: { by: 'person' },
  at: 1_780_000_000_000,
  offset: 0,
})

/** Publishes without our code: same stream, same size, one subject and expected sequence per persona. */
const barePublishers = (connection: NatsConnection, personas: number) =>
  Array.from({ length: personas }, () => {
    const subject = `bench.0.bare.${++clusterCount}.commits`
    const data = randomBytes(490)
    let last = 0
    return async () => {
      const messageHeaders = headers()
      messageHeaders.set('Nats-Msg-Id', randomBytes(40).toString('hex'))
      messageHeaders.set('Nats-Expected-Last-Subject-Sequence', `${last}`)
      const answer = await connection.request(subject, data, { timeout: 5000, headers: messageHeaders })
      last = answer.json<{ readonly seq: number }>().seq
    }
  })

/** Returns writes per second. Each writer waits for its own acknowledgement. */
const measureRate = async (writers: readonly (() => Promise<unknown>)[]): Promise<number> => {
  let count = 0
  const end = performance.now() + ms
  await Promise.all(
    writers.map(async (write) => {
      while (performance.now() < end) {
        await write()
        count++
      }
    }),
  )
  return (count / ms) * 1000
}

type Options = Omit<Parameters<typeof openJetStream>[0], 'home'>

const measureTakeOver = async (options: Options, engine: JetStream): Promise<readonly Figure[]> => {
  const journals = openPersonaJournals({ stores: engine.stores, witness: async () => undefined })
  const figures: Figure[] = []
  for (const facts of [1000, 100_000, 1_000_000]) {
    const id = `t${facts}`
    const journal = await journals.create(id, draft('PersonaCreated'))
    const drafts = Array.from({ length: 100 }, () => draft('Renamed'))
    for (let n = 1; n < facts; n += 100) await journal.append(drafts, journal.head)
    await journal.close()
    const home = await mkdtemp(join(tmpdir(), 'bench-'))
    const otherJournals = openPersonaJournals({
      stores: (await openJetStream({ ...options, home })).stores,
      witness: async () => undefined,
    })
    const took = async () => {
      const startedAt = performance.now()
      await (await otherJournals.open(id, 'writer')).close()
      return performance.now() - startedAt
    }
    for (const cache of ['cold', 'warm'])
      figures.push({
        label: `taking over a persona of ${facts} facts, ${cache} cache`,
        value: await took(),
        unit: 'ms',
        goal: 'none',
        isMet: true,
      })
    await rm(home, { recursive: true, force: true })
  }
  return figures
}
