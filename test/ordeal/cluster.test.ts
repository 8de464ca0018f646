/**
 * Three real servers of a cluster are killed and frozen while writers append: nothing acknowledged is lost or
 * doubled.
 */
import { rm } from 'node:fs/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import type { JetStream } from '../../src/cluster/jetstream/jetstream.ts'
import { connectTo, openOn } from '../cluster/jetstream-engine.ts'
import { temporary } from '../journal/engines.ts'
import { type NatsServer, type NatsServers, startNatsServers, withNats } from '../nats-servers.ts'
import { isWhole, printFigures, scaleSize } from '../ordeal.ts'
import { readNames, retryUntilThere, type WrittenCounts, write } from './cluster-writers.ts'

const test = suite('a cluster of three servers')

const writers = 16

const Leader = z.object({ cluster: z.object({ leader: z.string() }) })

const inCluster = async (
  prove: (
    servers: NatsServers,
    host: () => Promise<{ engine: JetStream; connection: NatsConnection }>,
  ) => Promise<void>,
): Promise<void> => {
  const servers = await startNatsServers(3)
  const ends: (() => Promise<unknown>)[] = []
  const host = async () => {
    const home = await temporary()
    const connection = await connectTo(servers)
    ends.push(
      () => connection.close(),
      () => rm(home, { recursive: true, force: true }),
    )
    const engine = await retryUntilThere(() => openOn(connection, home, { replicas: 3 }))
    return { engine, connection }
  }
  try {
    await prove(servers, host)
  } finally {
    for (const end of ends) await end()
    await servers.end()
  }
}

const openAllJournals = ({ stores }: JetStream) =>
  openPersonaJournals({ stores, witness: async () => undefined })

const findLeader = async ({ cluster }: JetStream, { servers }: NatsServers): Promise<NatsServer> => {
  const getStreamInfo = () =>
    cluster.requests.ask(`$JS.API.STREAM.INFO.${cluster.names.stream(0)}`, {}, Leader)
  const name = (await retryUntilThere(getStreamInfo)).cluster.leader
  const leader = servers.find((server) => server.name === name)
  if (!leader) throw new Error(`${name} is none of them`)
  return leader
}

/** Reads as a host that has no cache yet. */
const checkWritten = async (
  host: () => Promise<{ engine: JetStream }>,
  all: readonly WrittenCounts[],
): Promise<number> => {
  const journals = openAllJournals((await host()).engine)
  let count = 0
  for (const { id, names } of all) {
    const journal = await retryUntilThere(() => journals.open(id, 'reader'))
    // Nothing acknowledged is missing or duplicated, and nothing that was reported as absent is stored.
    assert.equal(await readNames(journal), names, id)
    count += names.length
    await journal.close()
  }
  return count
}

const hardships: Readonly<
  Record<string, (leader: NatsServer, servers: NatsServers) => Promise<() => Promise<void>>>
> = {
  'kill -9 of the leader': async (leader) => {
    await leader.kill()
    return () => leader.start()
  },
  'SIGSTOP of the leader': async (leader) => {
    leader.signal('SIGSTOP')
    return async () => leader.signal('SIGCONT')
  },
  'kill -9 of all three at once': async (_, { servers }) => {
    await Promise.all(servers.map((server) => server.kill()))
    await Promise.all(servers.map((server) => server.start()))
    return async () => {}
  },
}

withNats(test, () => {
  // Fails if an append without a response counts as acknowledged. Each case waits for an election, the last
  // one for two.
  for (const [hardship, strike] of Object.entries(hardships).slice(0, isWhole ? undefined : 1))
    test(`${hardship} under ${writers} writers: nothing acknowledged is lost or doubled`, () =>
      inCluster(async (servers, host) => {
        const { engine } = await host()
        const journals = openAllJournals(engine)
        const eventsPerWriter = scaleSize(400)
        let acknowledgedCount = 0
        let silence = 0
        let lastAckAt = performance.now()
        const onAcknowledged = () => {
          acknowledgedCount++
          silence = Math.max(silence, performance.now() - lastAckAt)
          lastAckAt = performance.now()
        }
        const waitForHalf = async () => {
          while (acknowledgedCount < (writers * eventsPerWriter) / 2)
            await new Promise((resolve) => setTimeout(resolve, 5))
        }
        const pendingWrites = Array.from({ length: writers }, (_, n) =>
          write(journals, `p${n}`, eventsPerWriter, onAcknowledged),
        )
        await waitForHalf()
        const mend = await strike(await findLeader(engine, servers), servers)
        const all = await Promise.all(pendingWrites)
        await mend()
        const count = await checkWritten(host, all)
        const sum = (counter: 'doubts' | 'conflicts') => all.reduce((sum, counts) => sum + counts[counter], 0)
        printFigures(
          'cluster',
          hardship,
          `${count} acknowledged, none lost or doubled`,
          `silence ${(silence / 1000).toFixed(1)} s, ${sum('doubts')} in doubt, ${sum('conflicts')} conflicts`,
        )
        assert.is(sum('conflicts'), 0)
      }))
})

test.run()
