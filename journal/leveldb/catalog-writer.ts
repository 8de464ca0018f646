/**
 * What is put into the catalog on its way to the disk: the latest of each, in batches, behind what is shown.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId } from '../facts/fact-values.ts'
import { Unavailable } from '../log/errors.ts'
import { sealed } from '../log/seal.ts'
import type { Op, Store } from '../log/store.ts'
import { inOrder, type Listed, opOf } from './catalog-entries.ts'
import { switchOver, writeNext } from './catalog-renewal.ts'
import { openLevelStore } from './level-store.ts'

interface Writing {
  readonly folder: string
  readonly opened: Store
  readonly listed: ReadonlyMap<PersonaId, Listed>
  readonly lag: number
}

/** Writes the latest of what was put, one batch at a time; unsynced, but for the last. */
export const createCatalogWriter = ({ folder, opened, listed, lag }: Writing) => {
  /** Encoded when they go out: of many puts only the latest is. */
  const waiting = new Set<PersonaId>()
  const latest = (id: PersonaId): Op => opOf(id, listed.get(id))
  let store = opened
  let failed = false
  let running: Promise<void> | undefined
  let urgent = false
  let wake = (): void => {}

  /** All that is put meanwhile goes out as one batch. */
  const gathered = (): Promise<void> =>
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
    // A handle that failed once writes no more.
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
      await gathered()
      const batch = [...waiting]
      waiting.clear()
      try {
        await deliver(batch.map(latest), false)
      } catch {
        // It may lag: tried again with the next put, and told by `complete` where none comes.
        for (const id of batch) waiting.add(id)
        break
      }
    } while (waiting.size > 0)
    urgent = false
    running = undefined
  }
  const settled = async (): Promise<void> => {
    hasten()
    await running
  }
  const alone = async (act: () => Promise<void>): Promise<void> => {
    while (running !== undefined) await settled()
    const mine = act()
    running = mine
      .catch(() => undefined)
      .finally(() => {
        running = undefined
        if (waiting.size > 0) running = write()
      })
    await mine
  }
  const renewed = async (): Promise<void> => {
    await writeNext(
      folder,
      [...listed].map(([id, value]) => opOf(id, value)),
    )
    // From here on the handle writes no more: what comes next opens its own, whichever of the two lies there.
    failed = true
    await store.close()
    const old = await switchOver(folder)
    await rm(old, { recursive: true, force: true })
  }
  return {
    settled,
    hasten,
    now: (id: PersonaId): Promise<void> => alone(() => deliver([latest(id)], true)),
    renew: (): Promise<void> =>
      alone(async () => {
        try {
          await renewed()
        } catch (cause) {
          throw new Unavailable('the catalog cannot be made anew', { cause })
        }
      }),
    put: (id: PersonaId): void => {
      waiting.add(id)
      running ??= write()
    },
    close: async (): Promise<void> => {
      await settled()
      try {
        // All of it, as an unsynced batch may be lost before a synced one.
        const all = [...listed].map(([id, value]) => opOf(id, value))
        await deliver([...[...waiting].map(latest), ...all, sealed(inOrder, Buffer.alloc(0))], true)
      } catch {
        // Told by `complete`.
      } finally {
        await store.close()
      }
    },
  }
}
