/**
 * The disk of a simulated daemon: it outlives every process, delays calls, and fails for a while on demand.
 */
import {
  type Fault,
  type MemoryStores,
  memoryStores,
  type Operation,
} from '../../journal/log/memory-store.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Chance } from '../random.ts'
import { type CatalogDisk, createCatalogDisk } from './catalog.ts'
import { turns } from './frozen-time.ts'

export interface Trouble {
  readonly operation: Operation
  readonly fault: Fault
  /** Number of operations of this kind that fail. */
  times: number
}

export interface Disk {
  readonly stores: MemoryStores
  readonly catalog: CatalogDisk
  /** The failures from now on. A hanging call takes minutes, not forever. */
  troubles: Trouble[]
  /** Waits by the clock of the current process. */
  wait: Clock['wait']
  /** Number of operations that failed or hung so far. */
  faults(): number
  /** Simulates the death of the process. A power cut discards unsynced data. */
  cutPower(power: boolean): Promise<void>
  /** Releases the locks of an ended process, even of hanging calls. */
  free(): Promise<void>
}

const slow: ReadonlySet<Operation> = new Set(['create', 'open', 'reopen', 'remove', 'batch'])

export const createDisk = (chance: Chance): Disk => {
  let failureCount = 0
  const getTrouble = (operation: Operation, hanging: boolean): Trouble | undefined => {
    const trouble = disk.troubles.find(
      (trouble) =>
        trouble.operation === operation && trouble.times > 0 && (trouble.fault === 'hanging') === hanging,
    )
    if (!trouble) return undefined
    trouble.times--
    failureCount++
    return trouble
  }
  const dawdle = async () => {
    await disk.wait(chance.pickBetween(1, 90_000))
  }
  const stores = memoryStores({
    fault: (operation) => (disk.troubles.length > 0 ? getTrouble(operation, false)?.fault : undefined),
    lag: (operation) => {
      if (disk.troubles.length > 0 && getTrouble(operation, true)) return dawdle()
      const count = slow.has(operation) ? chance.pickBetween(0, 3) : 0
      return count > 0 ? turns(count) : undefined
    },
  })
  const catalog = createCatalogDisk(chance)
  const disk: Disk = {
    stores,
    catalog,
    troubles: [],
    wait: async () => undefined,
    faults: () => failureCount,
    cutPower: async (power) => {
      for (const id of await stores.ids()) {
        if (power) stores.crash(id)
        else stores.kill(id)
      }
      catalog.crash()
    },
    free: async () => {
      for (const id of await stores.ids()) stores.kill(id)
    },
  }
  return disk
}
