/**
 * What a damaged LevelDB still holds, read from its files without it: every pair that a checksum vouches for,
 * whatever else is broken.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { batchesIn, opsOf, readLog } from '../../packages/leveldb-reader/log-file.ts'
import { pairsOfBlocks } from '../../packages/leveldb-reader/table-file.ts'
import { Unavailable } from '../log/errors.ts'
import type { Item } from '../log/store.ts'

/**
 * Pairs in the order of the files, so that a later one of a key is the newer; deletions are left out. A file
 * that the disk cannot read has none. Unavailable for an error that may pass.
 */
export async function* gather(folder: string): AsyncGenerator<readonly Item[]> {
  for (const name of (await readdir(folder)).filter((name) => files.test(name)).sort(byNumber)) {
    const bytes = await readable(join(folder, name))
    const isLog = !/\.(ldb|sst)$/.test(name)
    for (const items of isLog ? batchesIn(readLog(bytes)).map(putsIn) : blocks(bytes)) {
      yield items
      await setImmediate()
    }
  }
}

/** Empty if a sector is bad, which two attempts must show, or if it is no file. */
const readable = async (path: string, attempts = 2): Promise<Buffer> => {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as { code?: string }
    if (code === 'EIO' && attempts > 1) return readable(path, attempts - 1)
    if (code === 'EIO' || code === 'EISDIR' || code === 'ENOENT') return Buffer.alloc(0)
    throw new Unavailable('a file of the journal cannot be read', { cause })
  }
}

/**
 * Logs that LevelDB has dropped with their torn ends are kept as `torn-…`: nothing that is in them is newer
 * than what stands elsewhere. A guard (log-guard.ts) is a log that LevelDB may have lost.
 */
const files = /^((torn|guard)-\d+|\d+\.(ldb|sst|log))$/
const numberOf = (name: string) => (name.startsWith('torn-') ? 0 : Number(/\d+/.exec(name)?.[0]))
const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b)

/** What a log that is whole holds; undefined where it is not. */
export const pairsOfLog = (log: Buffer): readonly Item[] | undefined => {
  const contents = readLog(log)
  return contents.end === 'whole' ? batchesIn(contents).flatMap(putsIn) : undefined
}

/** Every key that a log sets or deletes, as far as its batches are whole; undefined where it is broken. */
export const keysOfLog = (log: Buffer): readonly Buffer[] | undefined => {
  const contents = readLog(log)
  if (contents.end === 'broken') return undefined
  return batchesIn(contents).flatMap((batch) => Array.from(opsOf(batch), ({ key }) => key))
}

function* blocks(table: Buffer): Generator<readonly Item[]> {
  let before: Buffer | undefined
  for (const pairs of pairsOfBlocks(table)) {
    const items: Item[] = []
    for (const [key, value] of pairs) {
      // The last eight bytes of a key are LevelDB's own: whether it was a deletion (0), and a running number.
      // The newest of a key comes first.
      const name = key.subarray(0, -8)
      if (key.at(-8) === 1 && !before?.equals(name)) items.push([name, value])
      before = name
    }
    yield items
  }
}

const putsIn = (batch: Buffer): readonly Item[] =>
  Array.from(opsOf(batch)).flatMap((op) => (op.type === 'put' ? [[op.key, op.value] as const] : []))
