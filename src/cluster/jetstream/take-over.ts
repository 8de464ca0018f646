/** Prepares the cache of a persona for take-over: reads the missing messages, or rebuilds a damaged cache. */

import type { PersonaId } from '../../../facts/fact-values.ts'
import { inspect } from '../../../journal/log/chain.ts'
import { Damaged, Unavailable, Unknown } from '../../../journal/log/errors.ts'
import { lastChecked } from '../../../journal/log/snapshots.ts'
import type { Store } from '../../../journal/log/store.ts'
import type { Vocabulary } from '../../../journal/log/vocabulary.ts'
import { type CacheMark, cacheMark, readCacheMark } from './cache-mark.ts'
import { dropCache } from './drop-cache.ts'
import type { Engine } from './engine.ts'
import { createPersonaLog, type PersonaLog } from './jetstream-log.ts'
import { moveOn } from './new-history.ts'
import type { StoredKey } from './persona-keys.ts'
import { readOn } from './read-on.ts'

export interface BroughtJournal {
  readonly cache: Store
  readonly log: PersonaLog
  readonly storedKey: StoredKey
}

type UnreadablePolicy = 'refuse' | 'skip'

/** Throws Unknown, Held, Unavailable, or Damaged if a message cannot be decrypted. */
export const takeOverCache = async (
  engine: Engine,
  id: PersonaId,
  onUnreadable: UnreadablePolicy = 'refuse',
): Promise<BroughtJournal> => {
  const { cluster, renewedTokens: rebuiltTokens } = engine
  for (;;) {
    const storedKey = await cluster.keys.get(id)
    if (!storedKey) throw new Unknown('the journal does not exist')
    const result = await bringJournal(engine, storedKey, onUnreadable)
    if ('moved' in result) {
      await moveOn(cluster, storedKey, cluster.keys.unpack(id, result.moved))
      continue
    }
    const position = `${storedKey.token} ${result.log.last()}`
    if (rebuiltTokens.get(id) === position || (await isSound(engine.vocabulary, result.cache))) return result
    // The servers may have intact data. If they do not, the rebuilt cache is damaged as well and is returned
    // as it is.
    rebuiltTokens.set(id, position)
    await result.cache.close()
    await dropCache(engine.home, id)
  }
}

const bringJournal = async (
  engine: Engine,
  storedKey: StoredKey,
  onUnreadable: UnreadablePolicy,
): Promise<BroughtJournal | { readonly moved: Buffer }> => {
  const { requests, names } = engine.cluster
  const { store, mark } = await openCache(engine, storedKey)
  const log = createPersonaLog({ requests, names, history: storedKey }, mark.readUpTo)
  try {
    const { vocabulary } = engine
    const result = await readOn({
      vocabulary,
      requests,
      log,
      store,
      filter: names.whole(storedKey),
      mark,
      onUnreadable,
    })
    if (result.gone) throw new Unavailable('its history is missing in the cluster')
    if (!result.moved) return { cache: store, log, storedKey }
    await store.close()
    return { moved: result.moved }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Returns the local cache if it holds this history, or else a new empty one. Throws Held or Unavailable. */
const openCache = async (
  { local, home }: Engine,
  { id, token }: StoredKey,
): Promise<{ readonly store: Store; readonly mark: CacheMark }> => {
  const store = await local.open(id).catch((error: unknown) => {
    if (error instanceof Damaged || error instanceof Unknown) return undefined
    throw error
  })
  const mark = store && (await readCacheMark(store))
  if (store && mark?.token === token) return { store, mark }
  await store?.close()
  await dropCache(home, id)
  const freshMark: CacheMark = { token, readUpTo: 0, seq: 0 }
  return { store: await local.create(id, [cacheMark(freshMark)]), mark: freshMark }
}

/** Inspects only the records since the last check. */
const isSound = async (vocabulary: Vocabulary, store: Store): Promise<boolean> =>
  (await inspect(vocabulary, store, await lastChecked(vocabulary, store))).damage === undefined
