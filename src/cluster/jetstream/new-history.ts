/** Replaces a whole history in one step, or places a first one. */
import { Unavailable } from '../../../journal/log/errors.ts'
import { partIn, recordSpan, seqInKey, wholeParts } from '../../../journal/log/keys.ts'
import type { Item, Store } from '../../../journal/log/store.ts'
import { type CacheMark, cacheMark } from './cache-mark.ts'
import { createPersonaLog, type PersonaLog } from './jetstream-log.ts'
import { newHistory, type PersonaKeys, type StoredKey } from './persona-keys.ts'
import type { History, Names } from './places-in-cluster.ts'
import type { RemoteFiles } from './remote-files.ts'
import type { SecretsBucket } from './secrets-bucket.ts'
import type { Requests } from './server-requests.ts'

export interface Cluster {
  readonly requests: Requests
  readonly names: Names
  readonly keys: PersonaKeys
  readonly files: RemoteFiles
  readonly secrets: SecretsBucket
}

/** The existing history and its known end. */
export interface Current {
  readonly storedKey: StoredKey
  readonly log: PersonaLog
}

/** Max records per batch, because a batch is held in memory. */
const page = 512

/**
 * Sends all records and parts of a store as a new history. Then ends the previous history with a message that
 * is accepted only at its known end: if another daemon has written since, nothing changes. Marks the store as
 * the cache of the new history. Throws Unavailable or InDoubt.
 */
export const placeHistory = async (
  cluster: Cluster,
  id: string,
  store: Store,
  current: Current | undefined,
): Promise<void> => {
  const { keys, requests, names } = cluster
  const history = newHistory(id)
  const log = createPersonaLog({ requests, names, history })
  try {
    const seq = await sendAll(log, store)
    const mark: CacheMark = { token: history.token, readUpTo: log.last(), seq }
    // Marked before the switch, so that after a crash the cache matches the new history.
    await store.batch([cacheMark(mark)], { sync: true })
    const isIn = current ? await current.log.end(keys.pack(history)) : await keys.put(history, 0)
    if (!isIn) throw new Unavailable('another daemon has written meanwhile')
  } catch (error) {
    // After InDoubt the new history may already be the valid one, so it is kept.
    if (error instanceof Unavailable) await forget(cluster, history)
    throw error
  }
  if (current) await moveOn(cluster, current.storedKey, history)
}

/**
 * Completes the switch of an ended history: points the bucket to its successor, then deletes the old key and
 * messages.
 */
export const moveOn = async (cluster: Cluster, from: StoredKey, to: History): Promise<void> => {
  const { keys, names, requests } = cluster
  const storedKey = await keys.put(to, from.revision)
  if (!storedKey) return
  await keys.destroyOld(from)
  await requests.purge(names.getStream(from.id), names.whole(from))
}

const forget = async ({ requests, names }: Cluster, history: History): Promise<void> =>
  requests.purge(names.getStream(history.id), names.whole(history)).catch(() => undefined)

const sendAll = async (log: PersonaLog, store: Store): Promise<number> => {
  for await (const items of store.items(wholeParts))
    for (const [key, value] of items) await log.putPart(partIn(key) ?? '', value)
  let pendingItems: Item[] = []
  let seq = 0
  for await (const items of store.items(recordSpan(0))) {
    pendingItems.push(...items)
    if (pendingItems.length < page) continue
    await log.append(pendingItems)
    seq = getLastSeq(pendingItems, seq)
    pendingItems = []
  }
  if (pendingItems.length > 0) await log.append(pendingItems)
  return getLastSeq(pendingItems, seq)
}

const getLastSeq = (items: readonly Item[], fallback: number): number => {
  const last = items.at(-1)
  return last ? seqInKey(last[0]) : fallback
}
