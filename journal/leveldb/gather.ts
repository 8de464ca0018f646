/**
 * Recovers the content of a damaged LevelDB from its files: every pair with a valid checksum, without opening
 * the store.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { batchesIn, readLog, readOps } from '../leveldb-reader/log-file.ts'
import { pairsOfBlocks } from '../leveldb-reader/table-file.ts'
import { Unavailable } from '../log/errors.ts'
import type { Item } from '../log/store.ts'

/**
 * Yields pairs in the order of the files: of two pairs with the same key, the later one is newer. Omits
 * deletions. An unreadable file yields none. Throws Unavailable for a temporary error.
 */
export async function* gather(folder: string): AsyncGenerator<readonly Item[]> {
  for (const name of (await readdir(folder)).filter((name) => files.test(name)).sort(byNumber)) {
    const bytes = await readWithRetry(join(folder, name))
    const isLog = !/\.(ldb|sst)$/.test(name)
    for (const items of isLog ? batchesIn(readLog(bytes)).map(putsIn) : blocks(bytes)) {
      yield items
      await setImmediate()
    }
  }
}

/** Returns an empty buffer if the file does not exist, is a folder, or has a bad sector (EIO twice). */
const readWithRetry = async (path: string, attempts = 2): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === 'EIO' && attempts > 1) return readWithRetry(path, attempts - 1)
    if (code === 'EIO' || code === 'EISDIR' || code === 'ENOENT') return Buffer.alloc(0)
    throw new Unavailable('a file of the journal cannot be read', { cause })
  }
}

/**
 * `torn-…` are logs that LevelDB dropped; they come first, because they never hold newer data than the other
 * files. A guard (log-guard.ts) is a log that LevelDB may have lost.
 */
const files = /^((torn|guard)-\d+|\d+\.(ldb|sst|log))$/
const fileNumber = (name: string) => (name.startsWith('torn-') ? 0 : Number(/\d+/.exec(name)?.[0]))
const byNumber = (a: string, b: string) => fileNumber(a) - fileNumber(b)

/** Returns the puts of a log; undefined if the log is torn or broken. */
export const pairsOfLog = (log: Buffer): readonly Item[] | undefined => {
  const contents = readLog(log)
  return contents.end === 'whole' ? batchesIn(contents).flatMap(putsIn) : undefined
}

/** Returns the keys that the complete batches of a log set or delete; undefined if the log is broken. */
export const keysOfLog = (log: Buffer): readonly Buffer[] | undefined => {
  const contents = readLog(log)
  if (contents.end === 'broken') return undefined
  return batchesIn(contents).flatMap((batch) => Array.from(readOps(batch), ({ key }) => key))
}

function* blocks(table: Buffer): Generator<readonly Item[]> {
  let previousName: Buffer | undefined
  for (const pairs of pairsOfBlocks(table)) {
    const items: Item[] = []
    for (const [key, value] of pairs) {
      // The last eight bytes of a LevelDB key are its type (0 for a deletion) and a sequence number. The
      // newest version of a key comes first.
      const name = key.subarray(0, -8)
      if (key.at(-8) === 1 && !previousName?.equals(name)) items.push([name, value])
      previousName = name
    }
    yield items
  }
}

const putsIn = (batch: Buffer): readonly Item[] =>
  Array.from(readOps(batch)).flatMap((op) => (op.type === 'put' ? [[op.key, op.value] as const] : []))
