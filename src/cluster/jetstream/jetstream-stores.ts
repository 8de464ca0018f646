/** The stores of the personas in a cluster. Each has a local LevelDB in the home as its cache. */

import { join } from 'node:path'
import type { PersonaId } from '../../../facts/fact-values.ts'
import { openHomeStores } from '../../../home/home-stores.ts'
import { Exists, InDoubt, Unavailable, Unknown } from '../../../journal/log/errors.ts'
import { recordsIn, seqInKey } from '../../../journal/log/keys.ts'
import type { Item, Op, Store, Stores } from '../../../journal/log/store.ts'
import { cacheMark } from './cache-mark.ts'
import { cachedStore } from './cached-store.ts'
import { dropCache } from './drop-cache.ts'
import type { Engine } from './engine.ts'
import { createPersonaLog } from './jetstream-log.ts'
import { placeHistory } from './new-history.ts'
import { newHistory } from './persona-keys.ts'
import { removeFromServers } from './remove-from-servers.ts'
import { sendFolder } from './send-folder.ts'
import { type BroughtJournal, takeOverCache } from './take-over.ts'

export const openJetStreamStores = async ({
  cluster,
  home,
  vocabulary,
}: Pick<Engine, 'cluster' | 'home' | 'vocabulary'>): Promise<Stores> => {
  const local = await openHomeStores(home)
  const engine: Engine = { cluster, home, vocabulary, local, open: new Map(), renewedTokens: new Map() }
  return {
    create: (id, first) => create(engine, id, first),
    open: async (id) => toOpenStore(engine, await takeOverCache(engine, id)),
    reopen: (id, store) => openAgain(engine, id, store),
    rescue: (id) => local.open(id).catch(() => local.rescue(id)),
    salvage: async (id) => {
      const current = await refresh(engine, id, 'skip')
      const salvage = await local.salvage(id)
      return { ...salvage, replace: () => replace(engine, id, salvage, current) }
    },
    rewrite: async (id, change) => {
      const current = await refresh(engine, id)
      const result = await local.rewrite(id, change)
      return {
        ...result,
        replace: async (onLeave) => {
          for (const file of onLeave?.files ?? []) await cluster.files.drop(id, 'media', file)
          const switchOver = () => result.replace(onLeave)
          await replace(engine, id, { store: result.store, replace: switchOver }, current)
        },
      }
    },
    stage: async (id, folder) => {
      const stagedStore = await local.stage(id, folder)
      const sendFiles = () => sendFolder(cluster.files, id, join(folder, 'media'))
      return {
        ...stagedStore,
        placeFiles: async () => {
          await sendFiles()
          await stagedStore.placeFiles()
        },
        place: async (old) => {
          await sendFiles()
          const isKnown = (await cluster.keys.get(id)) !== undefined
          await placeHistory(cluster, id, stagedStore.store, isKnown ? await refresh(engine, id) : undefined)
          if (!isKnown) await dropCache(home, id)
          await stagedStore.place(old)
        },
      }
    },
    reserve: local.reserve,
    take: async (id, folder) => {
      if (!engine.open.has(id)) await refresh(engine, id)
      return local.take(id, folder)
    },
    ids: () => cluster.keys.ids(),
    newestRecord: (id) => newestRecord(engine, id),
    denied: () => local.denied(),
    remove: (id) => remove(engine, id),
  }
}

const toOpenStore = (engine: Engine, { cache, log }: Pick<BroughtJournal, 'cache' | 'log'>): Store => {
  const { id } = log.history
  engine.open.set(id, log)
  const store = cachedStore(cache, log)
  return {
    ...store,
    close: async () => {
      if (engine.open.get(id) === log) engine.open.delete(id)
      await store.close()
    },
  }
}

/**
 * The persona exists once its entry is in the bucket. Messages that were sent before are not found until
 * then.
 */
const create = async (engine: Engine, id: PersonaId, first: readonly Op[]): Promise<Store> => {
  const { cluster, home, local } = engine
  const { keys, requests, names } = cluster
  if (await keys.get(id)) throw new Exists('the journal already exists')
  // A cache of a persona that was removed by another daemon may be left.
  await dropCache(home, id)
  const history = newHistory(id)
  const log = createPersonaLog({ requests, names, history })
  const records = recordsIn(first)
  await log.append(records)
  if (!(await keys.put(history, 0))) {
    await requests.purge(names.getStream(id), names.whole(history))
    throw new Exists('the journal already exists')
  }
  const mark = cacheMark({
    token: history.token,
    readUpTo: log.last(),
    seq: seqInKey(records.at(-1)?.[0] ?? Buffer.alloc(8)),
  })
  try {
    return toOpenStore(engine, { cache: await local.create(id, [...first, mark]), log })
  } catch (cause) {
    throw new InDoubt('the servers have stored it, but the cache could not be created', { cause })
  }
}

const openAgain = async (engine: Engine, id: PersonaId, store: Store): Promise<Store> => {
  const log = engine.open.get(id)
  // A pending message must not be accepted after the cache was read.
  if (log && !log.isSure()) await log.bar()
  else if (!(await engine.cluster.keys.get(id))) throw new Unavailable('it is not in the cluster any more')
  await store.close()
  return toOpenStore(engine, await takeOverCache(engine, id))
}

/** Brings the cache up to date and closes it. Returns its history and log. */
const refresh = async (engine: Engine, id: PersonaId, onUnreadable: 'refuse' | 'skip' = 'refuse') => {
  const { cache, log, storedKey } = await takeOverCache(engine, id, onUnreadable)
  await cache.close()
  return { log, storedKey }
}

const replace = async (
  { cluster }: Engine,
  id: PersonaId,
  { store, replace: switchOver }: { readonly store: Store; replace(): Promise<void> },
  current: Awaited<ReturnType<typeof refresh>>,
): Promise<void> => {
  await placeHistory(cluster, id, store, current)
  await switchOver()
}

const newestRecord = async ({ cluster }: Engine, id: PersonaId): Promise<Item | undefined> => {
  const { keys, requests, names } = cluster
  const history = await keys.get(id)
  if (!history) throw new Unknown('the journal does not exist')
  const log = createPersonaLog({ requests, names, history })
  const newestMessage = await log.newest()
  const message = newestMessage && log.open(newestMessage)
  return message?.type === 'records' ? message.records.at(-1) : undefined
}

const remove = async ({ cluster, local }: Engine, id: PersonaId): Promise<void> => {
  await removeFromServers(cluster, id)
  await local.remove(id)
}
