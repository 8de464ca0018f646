/** Writes puts to the catalog's store in batches. The state in memory is ahead of the disk. */
import { rm } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { openLevelStore } from '../journal/leveldb/level-store.ts'
import { putWithChecksum } from '../journal/log/checksummed-value.ts'
import { Unavailable } from '../journal/log/errors.ts'
import type { Op, Store } from '../journal/log/store.ts'
import { inOrder, type Listed, toOp } from './catalog-entries.ts'
import { switchToNext, writeNext } from './catalog-renewal.ts'

interface Writing {
  readonly folder: string
  readonly store: Store
  readonly entries: ReadonlyMap<PersonaId, Listed>
  readonly lag: number
}

/** Writes one batch at a time, with only the latest put of each persona. Only the last batch is synced. */
export const createCatalogWriter = ({ folder, store: openedStore, entries, lag }: Writing) => {
  /** Ids only: the value is encoded when the batch is written, so that older puts cost nothing. */
  const pendingIds = new Set<PersonaId>()
  const toLatestOp = (id: PersonaId): Op => toOp(id, entries.get(id))
  let store = openedStore
  let hasFailed = false
  let currentRun: Promise<void> | undefined
  let isUrgent = false
  let wake = (): void => {}

  /** Resolves after the delay in which puts are collected for one batch. */
  const collectPuts = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, isUrgent ? 0 : lag)
      wake = () => {
        clearTimeout(timer)
        setImmediate(resolve)
      }
    })
  const hasten = (): void => {
    isUrgent = currentRun !== undefined
    wake()
  }
  const deliver = async (ops: readonly Op[], sync: boolean): Promise<void> => {
    // LevelDB refuses all writes after one has failed, so the store is opened again.
    if (hasFailed) {
      await store.close()
      store = await openLevelStore(folder, 'either')
    }
    hasFailed = true
    await store.batch(ops, { sync })
    hasFailed = false
  }
  const write = async (): Promise<void> => {
    do {
      await collectPuts()
      const batch = [...pendingIds]
      pendingIds.clear()
      try {
        await deliver(batch.map(toLatestOp), false)
      } catch {
        // The catalog may lag: the next put retries. If none comes, `complete` is false at the next start.
        for (const id of batch) pendingIds.add(id)
        break
      }
    } while (pendingIds.size > 0)
    isUrgent = false
    currentRun = undefined
  }
  const settleWrites = async (): Promise<void> => {
    hasten()
    await currentRun
  }
  const runAlone = async (act: () => Promise<void>): Promise<void> => {
    while (currentRun !== undefined) await settleWrites()
    const ownRun = act()
    currentRun = ownRun
      .catch(() => undefined)
      .finally(() => {
        currentRun = undefined
        if (pendingIds.size > 0) currentRun = write()
      })
    await ownRun
  }
  const replaceCatalog = async (): Promise<void> => {
    await writeNext(
      folder,
      [...entries].map(([id, value]) => toOp(id, value)),
    )
    // Do not write to this handle any more. The next write opens the catalog that is in place by then.
    hasFailed = true
    await store.close()
    const old = await switchToNext(folder)
    await rm(old, { recursive: true, force: true })
  }
  return {
    settled: settleWrites,
    hasten,
    now: (id: PersonaId): Promise<void> => runAlone(() => deliver([toLatestOp(id)], true)),
    renew: (): Promise<void> =>
      runAlone(async () => {
        try {
          await replaceCatalog()
        } catch (cause) {
          throw new Unavailable('the catalog cannot be rebuilt', { cause })
        }
      }),
    put: (id: PersonaId): void => {
      pendingIds.add(id)
      currentRun ??= write()
    },
    close: async (): Promise<void> => {
      await settleWrites()
      try {
        // Write every entry, because earlier unsynced batches may be lost although a later synced one is
        // kept.
        const all = [...entries].map(([id, value]) => toOp(id, value))
        await deliver(
          [...[...pendingIds].map(toLatestOp), ...all, putWithChecksum(inOrder, Buffer.alloc(0))],
          true,
        )
      } catch {
        // The next start sees it: `complete` is false.
      } finally {
        await store.close()
      }
    },
  }
}
