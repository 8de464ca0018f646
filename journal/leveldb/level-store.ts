/** A store (store.ts) on LevelDB. */
import { readdir } from 'node:fs/promises'
import { Level } from 'level'
import { Damaged, Exists, Held, InDoubt, Unavailable } from '../log/errors.ts'
import { wholeStore } from '../log/keys.ts'
import { type Item, type Op, type Span, type Store, Unreadable } from '../log/store.ts'
import { checkFiles, hasAllTables, leaveChecked } from './check-files.ts'
import { syncFolder } from './durable-files.ts'
import { isTable } from './linked-files.ts'
import { guardLogs } from './log-guard.ts'
import { readManifest } from './manifest-file.ts'
import { tablePages } from './table-pages.ts'

/** A LevelDB method that the types omit, because they cover browser engines too. */
interface Compacting {
  compactRange(from: Buffer, to: Buffer): Promise<void>
}

type Database = Level<Buffer, Buffer> & Compacting

export interface LevelStore extends Store {
  /** Removes all replaced and deleted data from the files. No reads may be active. Throws Unavailable. */
  purify(): Promise<void>
}

/**
 * Opens a store. `existing` never creates one: by default LevelDB treats a folder without CURRENT as empty
 * and deletes its contents (measured: 22,486 of 30,000 records). `new` fails if there is one. `either` is for
 * data that can be rebuilt. LevelDB treats any system error as a missing CURRENT, so it may create a store
 * only if our own check found none.
 */
export const openLevelStore = async (
  folder: string,
  mode: 'existing' | 'new' | 'either',
): Promise<LevelStore> => {
  // Check first: constructing a `Level` starts to open it.
  const fileCheck = mode === 'new' ? undefined : await checkFiles(folder)
  if (mode === 'existing' && !fileCheck?.isThere) throw new Damaged(1, 'the file CURRENT is missing')
  const guard = fileCheck && (await guardLogs(folder, fileCheck))
  const database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing: !fileCheck?.isThere,
    errorIfExists: mode === 'new',
    // Measured with 200 journals: 488 MB by default, 183 MB with this value.
    cacheSize: 256 * 1024,
    // Allocated as it fills, and freed by `flush`. Measured with 256 writers: 1/7 more appends than with 1
    // MB, since tables are synced half as often. Write amplification is 2.4, and 4.8 with 256 KB.
    writeBufferSize: 2 * 1024 * 1024,
    maxOpenFiles: 32,
  }) as Database
  try {
    await database.open()
  } catch (error) {
    await database.close()
    await guard?.withdraw()
    throw await refusal(error, folder)
  }
  const store = storeOn(database)
  try {
    await guard?.release((ops) => store.batch(ops, { sync: true }))
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    ...store,
    recordPages: (afterSeq, upTo) => tablePages(folder, store, afterSeq, upTo),
    purify: () => rewriteTables(folder, database),
    close: async () => {
      if (database.status === 'closed') return
      await database.close()
      await leaveChecked(folder)
    },
  }
}

/** Creates a store with the given contents, synced and closed. The folder must exist and be empty. */
export const writeLevelStore = async (folder: string, ops: readonly Op[]): Promise<void> => {
  const store = await openLevelStore(folder, 'new')
  try {
    await store.batch(ops, { sync: true })
  } finally {
    await store.close()
  }
  await syncFolder(folder)
}

const storeOn = (database: Database): Omit<Store, 'close' | 'recordPages'> => ({
  get: (key) => read(() => database.get(key, { fillCache: false })),
  getMany: (keys) => read(() => database.getMany([...keys], { fillCache: false })),
  values: (span) => pages<Buffer>(() => database.values(bounds(span))),
  items: (span) => pages<Item>(() => database.iterator(bounds(span))),
  batch: async (ops, { sync }) => {
    // Check first: an error from LevelDB does not say whether the batch is on disk.
    if (database.status !== 'open') throw new Unavailable('the journal is closed')
    // Chained. Measured: the same 33 puts as an array take three times as long.
    const batch = database.batch()
    for (const op of ops) {
      if (op.type === 'put') batch.put(op.key, op.value)
      else batch.del(op.key)
    }
    try {
      await batch.write({ sync })
    } catch (cause) {
      throw new InDoubt('the batch was not confirmed', { cause })
    }
  },
  compact: ({ from, to }) => compact(database, from, to),
  // Compaction writes the memory table to disk first, even for an empty range such as this one.
  flush: () => compact(database, wholeStore.to, wholeStore.to),
})

const compact = async (database: Database, from: Buffer, to: Buffer): Promise<void> => {
  try {
    await database.compactRange(from, to)
  } catch (cause) {
    throw new Unavailable('the journal cannot be written', { cause })
  }
}

/**
 * Rewrites all tables. LevelDB drops replaced data only when it merges tables, and it may skip or just move a
 * table on the lowest level that nothing overlaps. Writing one pair of each table again makes all of them
 * overlap.
 */
const rewriteTables = async (folder: string, database: Database): Promise<void> => {
  const old = (await readManifest(folder))?.tables
  if (!old) throw new Unavailable('the tables of the journal cannot be listed')
  await read(async () => {
    for (const { first: key } of old.values()) {
      const value = await database.get(key)
      await (value ? database.put(key, value) : database.del(key))
    }
    await database.compactRange(wholeStore.from, wholeStore.to)
  })
  // compactRange does not report a failure.
  const names = await readdir(folder)
  if (names.some((name) => isTable(name) && old.has(Number.parseInt(name, 10))))
    throw new Unavailable('the tables of the journal cannot be rewritten')
}

/**
 * Records per tick. Measured with 100 busy journals: another task waits 15 ms for pages of 100, and 120 ms
 * for pages of 1000; the total time is the same.
 */
const pageSize = 100

// Measured: twice as fast as a plain loop. Old records do not evict needed ones from the cache.
const bounds = ({ from, to, reverse = false, limit = Number.POSITIVE_INFINITY }: Span) => ({
  gte: from,
  lt: to,
  reverse,
  // LevelDB's limit has 32 bits; -1 means no limit.
  limit: limit < 2 ** 31 ? limit : -1,
  fillCache: false,
  highWaterMarkBytes: 1024 * 1024,
})

interface Paging<T> {
  nextv(size: number): Promise<T[]>
  close(): Promise<void>
}

async function* pages<T>(start: () => Paging<T>): AsyncGenerator<readonly T[]> {
  const paging = await read(async () => start())
  const ask = (): Promise<T[]> => {
    const page = read(() => paging.nextv(pageSize))
    // A prefetched page that the reader never awaits must not cause an unhandled rejection.
    page.catch(() => undefined)
    return page
  }
  try {
    let next = ask()
    for (;;) {
      const page = await next
      if (page.length === 0) return
      next = ask()
      yield page
    }
  } finally {
    await paging.close()
  }
}

const read = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string }
    const isDamaged =
      code === 'LEVEL_CORRUPTION' || /Input\/output error|No such file|truncated/.test(message)
    if (isDamaged) throw new Unreadable('the engine cannot read it', { cause })
    throw new Unavailable('the journal cannot be read', { cause })
  }
}

const refusal = async (error: unknown, folder: string): Promise<Error> => {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
  const options = { cause: error }
  if (/Is a directory/.test(message))
    return new Damaged(1, 'a folder is in the place of a file of the store', options)
  if (code === 'LEVEL_LOCKED') return new Held('another process has opened it', options)
  if (/error_if_exists/.test(message)) return new Exists('the journal already exists', options)
  const isBroken = code === 'LEVEL_CORRUPTION' || /No such file/.test(message)
  const isMisread = /missing files/.test(message) && (await hasAllTables(folder).catch(() => true))
  if (isBroken && !isMisread) return new Damaged(1, 'the store cannot be opened', options)
  return new Unavailable('the store cannot be opened', options)
}
