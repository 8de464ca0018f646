/** In-memory stores for tests. They keep their data on close, like a disk, and fail on demand. */

import { Exists, Held, InDoubt, Unavailable, Unknown } from './errors.ts'
import type { JournalId } from './head.ts'
import { isRecord, isRecordOrPart } from './keys.ts'
import { type Item, type Op, type Span, type Store, type Stores, Unreadable } from './store.ts'

export type Operation = 'create' | 'open' | 'reopen' | 'remove' | 'get' | 'read' | 'batch'

/**
 * `refused`: not done. `lost` and `kept`: reported as in doubt; in fact not done, or done. `unreadable`: as
 * after damage. `hanging`: never answers. A handle with a failed batch accepts no more writes.
 */
export type Fault = 'refused' | 'lost' | 'kept' | 'unreadable' | 'hanging'

export interface MemoryStores extends Stores {
  /** Simulates a killed process: handles stop working, written data remains. */
  kill(id: JournalId): void
  /** Simulates a power cut: handles stop working, data after the last synced batch is lost. */
  crash(id: JournalId): void
  /** Removes the last batches, also synced ones, as a log with a torn tail does. */
  tear(id: JournalId, batches: number): void
  /** Changes stored bytes without the handle's knowledge; undefined deletes. */
  spoil(id: JournalId, key: Buffer, change: (value: Buffer) => Buffer | undefined): void
}

interface Disk {
  readonly values: OrderedMap
  /** The replaced values of each batch, in order. */
  readonly undo: { readonly before: ReadonlyMap<string, Buffer | undefined>; readonly sync: boolean }[]
  holder: object | undefined
}

export const memoryStores = ({
  fault = () => undefined,
  lag = () => undefined,
}: {
  readonly fault?: (operation: Operation, id: JournalId) => Fault | undefined
  /** Delay before an operation, and again before its answer. */
  readonly lag?: (operation: Operation, id: JournalId) => Promise<void> | undefined
} = {}): MemoryStores => {
  const disks = new Map<JournalId, Disk>()
  const meet = async (operation: Operation, id: JournalId, act: () => void = () => {}): Promise<void> => {
    await lag(operation, id)
    const fails = fault(operation, id)
    if (fails === 'hanging') return new Promise(() => {})
    if (fails === 'refused') throw new Unavailable('refused')
    if (fails === 'unreadable') throw new Unreadable('unreadable')
    if (fails !== 'lost') act()
    await lag(operation, id)
    if (fails) throw new InDoubt(fails)
  }
  const getDisk = (id: JournalId): Disk => {
    const disk = disks.get(id)
    if (!disk) throw new Unknown('the journal does not exist')
    return disk
  }
  const open = (id: JournalId): Store => {
    const disk = getDisk(id)
    if (disk.holder) throw new Held('another process has opened it')
    return storeOn(disk, (operation, act) => meet(operation, id, act))
  }
  return {
    create: async (id, first) => {
      if (disks.has(id)) throw new Exists('the journal already exists')
      await meet('create', id, () => {
        const disk: Disk = { values: createOrderedMap(), undo: [], holder: undefined }
        write(disk, first, true)
        disks.set(id, disk)
      })
      return open(id)
    },
    open: async (id) => {
      await meet('open', id)
      return open(id)
    },
    reopen: async (id, store) => {
      await meet('reopen', id)
      await store.close()
      return open(id)
    },
    rescue: async (id) => open(id),
    salvage: async (id) => {
      const disk = getDisk(id)
      if (disk.holder) throw new Held('another process has opened it')
      const records = [...disk.values].filter(([name]) => isRecordOrPart(Buffer.from(name, 'latin1')))
      const next: Disk = { values: createOrderedMap(records), undo: [], holder: undefined }
      const store = storeOn(next, (operation, act) => meet(operation, id, act))
      const replace = async () => {
        await store.close()
        disks.set(id, next)
      }
      return { store, copy: `${id}, as it was`, replace, discard: store.close }
    },
    rewrite: async (id, change) => {
      const disk = getDisk(id)
      if (disk.holder) throw new Held('another process has opened it')
      const next: Disk = { values: createOrderedMap([...disk.values]), undo: [], holder: undefined }
      const store = storeOn(next, (operation, act) => meet(operation, id, act))
      await change(store)
      const replace = async () => {
        await store.close()
        disks.set(id, next)
      }
      return { store, replace, discard: store.close }
    },
    stage: async (id, folder) => {
      const stagedDisk = getDisk(folder)
      const store = storeOn(stagedDisk, (operation, act) => meet(operation, id, act))
      const place = async () => {
        await store.close()
        disks.set(id, stagedDisk)
        disks.delete(folder)
      }
      return { store, place, placeFiles: async () => {} }
    },
    reserve: async () => async () => {},
    take: async () => undefined,
    ids: async () => [...disks.keys()],
    newestRecord: async (id) => {
      const newestRecords = [...getDisk(id).values].filter(([name]) => isRecord(Buffer.from(name, 'latin1')))
      return newestRecords
        .map(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value)] as const)
        .at(-1)
    },
    denied: async () => [],
    remove: (id) => meet('remove', id, () => disks.delete(id)),
    kill: (id) => {
      getDisk(id).holder = undefined
    },
    crash: (id) => {
      const disk = getDisk(id)
      disk.holder = undefined
      while (disk.undo.at(-1)?.sync === false) undo(disk)
    },
    tear: (id, batches) => {
      for (let undoneCount = 0; undoneCount < batches; undoneCount++) undo(getDisk(id))
    },
    spoil: (id, key, change) => {
      const { values } = getDisk(id)
      const name = toName(key)
      const content = change(Buffer.from(values.get(name) ?? []))
      if (content) values.set(name, content)
      else values.delete(name)
    },
  }
}

const storeOn = (disk: Disk, meet: (operation: Operation, act?: () => void) => Promise<void>): Store => {
  const handle = {}
  let isWritable = true
  disk.holder = handle
  const assertLive = (): void => {
    if (disk.holder !== handle) throw new Unavailable('the journal is closed')
  }
  const get = async (key: Buffer): Promise<Buffer | undefined> => {
    assertLive()
    await meet('get')
    const value = disk.values.get(toName(key))
    return value && Buffer.from(value)
  }
  async function* items(span: Span): AsyncGenerator<readonly Item[]> {
    assertLive()
    const all = selectItems(disk, span)
    for (let start = 0; start < all.length; start += 1000) {
      await meet('read')
      assertLive()
      yield all.slice(start, start + 1000)
    }
  }
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    items,
    values: async function* (span) {
      for await (const page of items(span)) yield page.map(([, value]) => value)
    },
    batch: async (ops, { sync }) => {
      assertLive()
      if (!isWritable) throw new Unavailable('an earlier write failed')
      try {
        await meet('batch', () => {
          assertLive()
          write(disk, ops, sync)
        })
      } catch (error) {
        isWritable = false
        throw error
      }
    },
    compact: async () => {},
    flush: async () => {},
    close: async () => {
      if (disk.holder === handle) disk.holder = undefined
    },
  }
}

const write = (disk: Disk, ops: readonly Op[], sync: boolean): void => {
  const valuesBefore = new Map<string, Buffer | undefined>()
  for (const op of ops) {
    const name = toName(op.key)
    if (!valuesBefore.has(name)) valuesBefore.set(name, disk.values.get(name))
    if (op.type === 'put') disk.values.set(name, Buffer.from(op.value))
    else disk.values.delete(name)
  }
  disk.undo.push({ before: valuesBefore, sync })
}

const undo = ({ values, undo: log }: Disk): void => {
  for (const [name, value] of log.pop()?.before ?? []) {
    if (value) values.set(name, value)
    else values.delete(name)
  }
}

const selectItems = ({ values }: Disk, { from, to, reverse = false, limit }: Span): readonly Item[] => {
  const names = values.names(toName(from), toName(to))
  if (reverse) names.reverse()
  return names
    .slice(0, limit)
    .map((name) => [Buffer.from(name, 'latin1'), Buffer.from(values.get(name) ?? [])] as const)
}

// Latin-1 has one character per byte, and such strings sort like the bytes.
const toName = (key: Buffer): string => key.toString('latin1')

/** A map sorted by name, in UTF-16 code units. */
export interface OrderedMap extends Iterable<readonly [string, Buffer]> {
  get(name: string): Buffer | undefined
  set(name: string, value: Buffer): void
  delete(name: string): void
  /** Names from `first` (included) to `end` (excluded). */
  names(first: string, end: string): string[]
}

const createOrderedMap = (entries: Iterable<readonly [string, Buffer]> = []): OrderedMap => {
  const values = new Map(entries)
  const sortedNames = [...values.keys()].sort()
  /** Returns the number of names before this one. */
  const findIndex = (name: string): number => {
    let lowIndex = 0
    let highIndex = sortedNames.length
    while (lowIndex < highIndex) {
      const middleIndex = (lowIndex + highIndex) >>> 1
      if ((sortedNames[middleIndex] ?? '') < name) lowIndex = middleIndex + 1
      else highIndex = middleIndex
    }
    return lowIndex
  }
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      if (!values.has(name)) sortedNames.splice(findIndex(name), 0, name)
      values.set(name, value)
    },
    delete: (name) => {
      if (values.delete(name)) sortedNames.splice(findIndex(name), 1)
    },
    names: (first, end) => sortedNames.slice(findIndex(first), findIndex(end)),
    *[Symbol.iterator]() {
      for (const name of sortedNames) yield [name, values.get(name) ?? Buffer.alloc(0)] as const
    },
  }
}
