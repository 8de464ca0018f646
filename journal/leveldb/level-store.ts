/** LevelDB as a store. */
import { readdir } from 'node:fs/promises'
import { Level } from 'level'
import { isTable } from '../files/linked-files.ts'
import { syncFolder } from '../files/places.ts'
import { Damaged, Exists, Held, InDoubt, Unavailable } from '../log/errors.ts'
import { wholeStore } from '../log/keys.ts'
import { type Item, type Op, type Span, type Store, Unreadable } from '../log/store.ts'
import { checkFiles, hasAllTables, leaveChecked } from './check-files.ts'
import { guardLogs } from './log-guard.ts'
import { readManifest } from './manifest-file.ts'
import { tablePages } from './table-pages.ts'

/** What LevelDB can and the types, which are those of a browser's engine too, do not say. */
interface Compacting {
  compactRange(from: Buffer, to: Buffer): Promise<void>
}

type Database = Level<Buffer, Buffer> & Compacting

export interface LevelStore extends Store {
  /**
   * No file of it holds anything any more that was replaced or deleted before; nobody may be reading it.
   * Unavailable.
   */
  purify(): Promise<void>
}

/**
 * `existing` never makes one: by default LevelDB takes a folder without CURRENT for an empty one and deletes
 * what is in it (⏱ 22 486 of 30 000 records). `new` never takes one that is there. `either` is for what can
 * be made again. LevelDB takes any error of the system for a missing CURRENT, so it may make a store only if
 * there is none by our own look.
 */
export const openLevelStore = async (
  folder: string,
  which: 'existing' | 'new' | 'either',
): Promise<LevelStore> => {
  // Before there is a database: it opens by itself as soon as it is made.
  const checked = which === 'new' ? undefined : await checkFiles(folder)
  if (which === 'existing' && !checked?.isThere) throw new Damaged(1, 'the file CURRENT is missing')
  const guard = checked && (await guardLogs(folder, checked))
  const database = new Level<Buffer, Buffer>(folder, {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
    createIfMissing: !checked?.isThere,
    errorIfExists: which === 'new',
    // ⏱ 200 journals: 488 MB by default, 183 MB so.
    cacheSize: 256 * 1024,
    // Taken as it fills, and given back by `flush`. ⏱ 256 writers append a seventh more than with 1 MB, since
    // tables are synced half as often; a byte put is written 2.4 times with that, 4.8 with 256 KB.
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
    recordPages: (after, upTo) => tablePages(folder, store, after, upTo),
    purify: () => writeTablesAnew(folder, database),
    close: async () => {
      if (database.status === 'closed') return
      await database.close()
      await leaveChecked(folder)
    },
  }
}

/** Makes one with what it is to hold, closed and on the disk; its folder has to be there, and empty. */
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
    // Checked before: once LevelDB has been asked, a refusal does not say whether the batch is on disk.
    if (database.status !== 'open') throw new Unavailable('the journal is closed')
    // Chained: ⏱ the same 33 puts as a list cost three times as much.
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
  // Before it looks at a range LevelDB puts what it holds in memory into a table; this one is empty.
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
 * LevelDB drops what was replaced where it merges tables, and leaves alone what lies lowest with nothing
 * above it, or moves it down as it is. A pair put again into each table lies above it, and so none is left
 * alone.
 */
const writeTablesAnew = async (folder: string, database: Database): Promise<void> => {
  const old = (await readManifest(folder))?.tables
  if (!old) throw new Unavailable('the tables of the journal cannot be listed')
  await read(async () => {
    for (const { first: key } of old.values()) {
      const value = await database.get(key)
      await (value ? database.put(key, value) : database.del(key))
    }
    await database.compactRange(wholeStore.from, wholeStore.to)
  })
  // It does not say when it could not.
  const left = await readdir(folder)
  if (left.some((name) => isTable(name) && old.has(Number.parseInt(name, 10))))
    throw new Unavailable('the tables of the journal cannot be written anew')
}

/**
 * Records that are handed over in one tick: ⏱ others wait 15 ms for one of a hundred who are worked on, 120
 * for a thousand, and the work itself takes no longer.
 */
const pageOf = 100

// ⏱ Twice the rate of the plain loop, and old records do not drive out of the cache what is needed again.
const bounds = ({ from, to, reverse = false, limit = Number.POSITIVE_INFINITY }: Span) => ({
  gte: from,
  lt: to,
  reverse,
  // LevelDB counts in 32 bits, and -1 is no limit.
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
    const page = read(() => paging.nextv(pageOf))
    // Asked ahead: whoever stops reading never waits for it.
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
    const lost = code === 'LEVEL_CORRUPTION' || /Input\/output error|No such file|truncated/.test(message)
    if (lost) throw new Unreadable('the engine cannot read it', { cause })
    throw new Unavailable('the journal cannot be read', { cause })
  }
}

const refusal = async (error: unknown, folder: string): Promise<Error> => {
  const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
  const because = { cause: error }
  if (/Is a directory/.test(message))
    return new Damaged(1, 'a folder lies where a file of the store was', because)
  if (code === 'LEVEL_LOCKED') return new Held('another process holds it', because)
  if (/error_if_exists/.test(message)) return new Exists('the journal already exists', because)
  const isBroken = code === 'LEVEL_CORRUPTION' || /No such file/.test(message)
  const isMisread = /missing files/.test(message) && (await hasAllTables(folder).catch(() => true))
  if (isBroken && !isMisread) return new Damaged(1, 'the store cannot be opened', because)
  return new Unavailable('the store cannot be opened', because)
}
