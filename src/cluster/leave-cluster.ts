/**
 * Moves one persona from its cluster into a home: asks its host for the lease, fences the host off, copies,
 * verifies, and only then removes the persona from the servers. An interrupted move continues with the next
 * call.
 */

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import type { PersonaId } from '../../facts/fact-values.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { diariesFolder } from '../../home/kept-diaries.ts'
import { journalFolder } from '../../home/places.ts'
import { openSecrets } from '../../home/secrets.ts'
import { syncWhole } from '../../journal/leveldb/durable-files.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Stores } from '../../journal/log/store.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { offsetAt } from '../../packages/kit/time/zone-offset.ts'
import { getClusterState, halfMoved, markHome, mustGoOnWith } from '../cluster-state-file.ts'
import { HomeError } from '../home-lock.ts'
import { listServers, openBucket } from './buckets.ts'
import { createHeldLeases } from './held-leases.ts'
import { besideInCluster } from './jetstream/beside-in-cluster.ts'
import { noCacheMark } from './jetstream/cache-mark.ts'
import type { JetStream } from './jetstream/jetstream.ts'
import { removeFromServers } from './jetstream/remove-from-servers.ts'
import { type Lease, openLeases } from './leases.ts'
import { letGoSubject } from './membership.ts'

interface Leaving {
  /** The caller holds the lock of this home until the move is done. */
  readonly home: string
  readonly connection: NatsConnection
  readonly jetStream: JetStream
  /** Name of the cluster. */
  readonly name: string
  readonly replicas: number
}

/** Returns the head of the copied journal. Throws HomeError, Unavailable or InDoubt. */
export const leaveCluster = async (id: PersonaId, context: Leaving): Promise<Head> => {
  const { home, jetStream } = context
  const local = await openHomeStores(home)
  const state = getClusterState(home)
  if (state.is === 'cache')
    throw new HomeError(`the home ${home} is a cache of a cluster: name one of its own in DAIMON_HOME`)
  if (state.is === 'joining' || (state.is === 'leaving' && state.id !== id))
    throw new HomeError(halfMoved(home, state))
  const identity = jetStream.identity
  mustGoOnWith(identity, home, state)
  const isThere = (await jetStream.cluster.keys.get(id)) !== undefined
  if (state.is === 'alone' && !isThere) throw new HomeError(`the cluster has no persona ${id}`)
  if (state.is === 'alone' && (await local.ids()).includes(id))
    throw new HomeError(`the home ${home} has a persona ${id} already`)
  if (!isThere && state.is === 'leaving' && !state.isWhole) await giveUp(id, home, local)
  if (isThere) await markHome(home, { is: 'leaving', id, isWhole: false, of: identity })
  const head = isThere ? await bringJournal(id, context) : await readHead(local, id)
  await removeRest(id, context)
  await unmark(local, id)
  await markHome(home, { is: 'alone' })
  return head
}

const bringJournal = async (id: PersonaId, context: Leaving): Promise<Head> => {
  const { connection, jetStream, home, name, replicas } = context
  const servers = listServers(connection, name, replicas)
  const self = `leaving-${randomBytes(4).toString('hex')}`
  const leases = await openLeases(servers, self)
  try {
    const lease = await askedBack(
      id,
      context,
      createHeldLeases(leases, () => undefined),
    )
    const head = await copyJournal(id, context, lease)
    await copyFilesAndKeys(id, home, jetStream)
    if (!lease.isHeld())
      throw new HomeError(`the lease of ${id} was lost meanwhile: nothing has changed, try again`)
    // The copy must be durable here before anything is removed from the servers.
    await markHome(home, { is: 'leaving', id, isWhole: true, of: jetStream.identity })
    const { keys } = jetStream.cluster
    const storedKey = await keys.get(id)
    if (storedKey) await keys.destroy(storedKey)
    return head
  } finally {
    await leases.close()
  }
}

/**
 * Discards an incomplete copy whose persona was deleted in the cluster meanwhile. Always throws HomeError.
 */
const giveUp = async (id: PersonaId, home: string, local: Stores): Promise<never> => {
  await rm(diariesFolder(home, id), { recursive: true, force: true })
  await local.remove(id)
  await markHome(home, { is: 'alone' })
  throw new HomeError(
    `the cluster has no persona ${id} any more: it was deleted there before the copy was complete`,
  )
}

/** Call this after the key was destroyed: the data on the servers is unreadable by then. */
const removeRest = async (
  id: PersonaId,
  { connection, jetStream, name, replicas }: Leaving,
): Promise<void> => {
  await removeFromServers(jetStream.cluster, id)
  await jetStream.cluster.files.dropAll(id, 'diaries')
  await (await openBucket(listServers(connection, name, replicas), 'summaries')).end(id)
}

/** Milliseconds: how long the host is asked for the lease, and the time between two requests. */
const maxWaitMs = 30_000
const pollMs = 500

const askedBack = async (
  id: PersonaId,
  { connection, name }: Leaving,
  holdings: ReturnType<typeof createHeldLeases>,
): Promise<Lease> => {
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollMs) {
    connection.publish(letGoSubject(name), id)
    await connection.flush()
    await delay(pollMs)
    const lease = await holdings.take(id)
    if (lease) return lease
  }
  throw new HomeError(`its host does not release ${id}: it stays where it is`)
}

/**
 * The last fact in the cluster says that this command hosts the persona. A previous host that was suspended
 * and continues later gets a conflict when it appends.
 */
const copyJournal = async (id: PersonaId, { jetStream, home }: Leaving, { epoch }: Lease): Promise<Head> => {
  const journals = openPersonaJournals({ stores: jetStream.stores, witness: async () => undefined })
  const journal = await journals.open(id, 'writer')
  try {
    const time = Date.now()
    const { zone } = systemClock()
    const event = { type: 'Hosted', epoch, daemon: 'leave' } as const
    await journal.append(
      [{ events: [event], cause: { by: 'host' }, at: time, offset: offsetAt(time, zone) }],
      journal.head,
    )
    const { intact, head } = await journal.verify()
    if (!intact) throw new HomeError(`the journal of ${id} is damaged: salvage it on its host first`)
    return head
  } finally {
    await journal.close()
    // The cache is written without sync, so sync it now.
    await syncWhole(journalFolder(home, id))
  }
}

const copyFilesAndKeys = async (id: PersonaId, home: string, { cluster }: JetStream): Promise<void> => {
  const { media, diaries } = besideInCluster(cluster, home, systemClock())
  await media.bringAll(id)
  for (const { path } of await diaries.list(id)) await diaries.bring(path)
  const secrets = await openSecrets(home, id)
  for (const [ref, value] of await cluster.secrets.values(id)) await secrets.put(ref, value)
}

const readHead = async (local: Stores, id: PersonaId): Promise<Head> => {
  const journal = await openPersonaJournals({ stores: local, witness: async () => undefined }).open(
    id,
    'reader',
  )
  await journal.close()
  return journal.head
}

const unmark = async (local: Stores, id: PersonaId): Promise<void> => {
  const store = await local.open(id)
  try {
    await store.batch([noCacheMark], { sync: true })
  } finally {
    await store.close()
  }
}
