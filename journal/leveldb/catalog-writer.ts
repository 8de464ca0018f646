/** Writes puts to the catalog's store in batches. The state in memory is ahead of the disk. */
import { rm } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { putWithChecksum } from '../log/checksummed-value.ts'
import { Unavailable } from '../log/errors.ts'
import type { Op, Store } from '../log/store.ts'
import { inOrder, type Listed, toOp } from './catalog-entries.ts'
import { switchToNext, writeNext } from './catalog-renewal.ts'
import { openLevelStore } from './level-store.ts'

interface Writing {
  readonly folder: string
  readonly opened: Store
  readonly listed: ReadonlyMap<PersonaId, Listed>
  readonly lag: number
}

/** Writes one batch at a time, with only the latest put of each persona. Only the last batch is synced. */
export const createCatalogWriter = ({ folder, opened, listed, lag }: Writing) => {
  /** Ids only: the value is encoded when the batch is written, so that older puts cost nothing. */
  const waiting = new Set<PersonaId>()
  const latest = (id: PersonaId): Op => toOp(id, listed.get(id))
  let store = opened
  let failed = false
  let running: Promise<void> | undefined
  let urgent = false
  let wake = (): void => {}

  /** Resolves after the delay in which puts are collected for one batch. */
  const collectPuts = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, urgent ? 0 : lag)
      wake = () => {
        clearTimeout(timer)
        setImmediate(resolve)
      }
    })
  const hasten = (): void => {
    urgent = running !== undefined
    wake()
  }
  const deliver = async (ops: readonly Op[], sync: boolean): Promise<void> => {
    // LevelDB refuses all writes after one has failed, so the store is opened again.
    if (failed) {
      await store.close()
      store = await openLevelStore(folder, 'either')
    }
    failed = true
    await store.batch(ops, { sync })
    failed = false
  }
  const write = async (): Promise<void> => {
    do {
      await collectPuts()
      const batch = [...waiting]
      waiting.clear()
      try {
        await deliver(batch.map(latest), false)
      } catch {
        // The catalog may lag: the next put retries. If none comes, `complete` is false at the next start.
        for (const id of batch) waiting.add(id)
        break
      }
    } while (waiting.size > 0)
    urgent = false
    running = undefined
  }
  const settle = async (): Promise<void> => {
    hasten()
    await running
  }
  const runAlone = async (act: () => Promise<void>): Promise<void> => {
    while (running !== undefined) await settle()
    const mine = act()
    running = mine
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (waiting.size > 0) running = write()
      })
    await mine
  }
  const replaceCatalog = async (): Promise<void> => {
    await writeNext(
      folder,
      [...listed].map(([id, value]) => toOp(id, value)),
    )
    // Do not write to this handle any more. The next write opens the catalog that is in place by then.
    failed = true
    await store.close()
    const old = await switchToNext(folder)
    await rm(old, { recursive: true, force: true })
  }
  return {
    settled: settle,
    hasten,
    now: (id: PersonaId): Promise<void> => runAlone(() => deliver([latest(id)], true)),
    renew: (): Promise<void> =>
      runAlone(async () => {
        try {
          await replaceCatalog()
        } catch (cause) {
          throw new Unavailable('the catalog cannot be rebuilt', { cause })
        }
      }),
    put: (id: PersonaId): void => {
      waiting.add(id)
      running ??= write()
    },
    close: async (): Promise<void> => {
      await settle()
      try {
        // Write every entry, because earlier unsynced batches may be lost although a later synced one is
        // kept.
        const all = [...listed].map(([id, value]) => toOp(id, value))
        await deliver([...[...waiting].map(latest), ...all, putWithChecksum(inOrder, Buffer.alloc(0))], true)
      } catch {
        // The next start sees it: `complete` is false.
      } finally {
        await store.close()
      }
    },
  }
}
