/** Prepares the cache of a persona for take-over: reads the missing messages, or rebuilds a damaged cache. */

import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import { inspect } from '../../../journal/log/chain.ts'
import { Damaged, Unavailable, Unknown } from '../../../journal/log/errors.ts'
import { lastChecked } from '../../../journal/log/snapshots.ts'
import type { Store } from '../../../journal/log/store.ts'
import { type CacheMark, cacheMark, readCacheMark } from './cache-mark.ts'
import { dropCache } from './drop-cache.ts'
import type { Engine } from './engine.ts'
import { moveOn } from './new-history.ts'
import type { Kept } from './persona-keys.ts'
import { createPersonaLog, type PersonaLog } from './persona-log.ts'
import { readOn } from './read-on.ts'

export interface Brought {
  readonly cache: Store
  readonly log: PersonaLog
  readonly kept: Kept
}

type Unopened = 'refuse' | 'skip'

/** Throws Unknown, Held, Unavailable, or Damaged if a message cannot be decrypted. */
export const takeOverCache = async (
  engine: Engine,
  id: PersonaId,
  unopened: Unopened = 'refuse',
): Promise<Brought> => {
  const { cluster, renewed: rebuilt } = engine
  for (;;) {
    const kept = await cluster.keys.get(id)
    if (!kept) throw new Unknown('the journal does not exist')
    const result = await bring(engine, kept, unopened)
    if ('moved' in result) {
      await moveOn(cluster, kept, cluster.keys.unpack(id, result.moved))
      continue
    }
    const stand = `${kept.token} ${result.log.last()}`
    if (rebuilt.get(id) === stand || (await isSound(result.cache))) return result
    // The servers may have intact data. If they do not, the rebuilt cache is damaged as well and is returned
    // as it is.
    rebuilt.set(id, stand)
    await result.cache.close()
    await dropCache(engine.home, id)
  }
}

const bring = async (
  engine: Engine,
  kept: Kept,
  unopened: Unopened,
): Promise<Brought | { readonly moved: Buffer }> => {
  const { requests, names } = engine.cluster
  const { store, mark } = await openCache(engine, kept)
  const log = createPersonaLog({ requests, names, history: kept }, mark.read)
  try {
    const read = await readOn({ requests, log, store, filter: names.whole(kept), mark, unopened })
    if (read.gone) throw new Unavailable('its history is missing in the cluster')
    if (!read.moved) return { cache: store, log, kept }
    await store.close()
    return { moved: read.moved }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Returns the local cache if it holds this history, or else a new empty one. Throws Held or Unavailable. */
const openCache = async (
  { local, home }: Engine,
  { id, token }: Kept,
): Promise<{ readonly store: Store; readonly mark: CacheMark }> => {
  const existing = await local.open(id).catch((error: unknown) => {
    if (error instanceof Damaged || error instanceof Unknown) return undefined
    throw error
  })
  const mark = existing && (await readCacheMark(existing))
  if (existing && mark?.token === token) return { store: existing, mark }
  await existing?.close()
  await dropCache(home, id)
  const fresh: CacheMark = { token, read: 0, seq: 0 }
  return { store: await local.create(id, [cacheMark(fresh)]), mark: fresh }
}

/** Inspects only the records since the last check. */
const isSound = async (store: Store): Promise<boolean> =>
  (await inspect(store, await lastChecked(store))).damage === undefined
