/**
 * What a damaged LevelDB still holds, read from its files without it: every pair that a checksum vouches for,
 * whatever else is broken. A log is a run of batches (doc/log_format.md, db/write_batch.cc).
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Item } from '../log/store.ts'
import { endOf, fragments } from './log-file.ts'
import { pairsOfBlocks } from './table-file.ts'
import { varintsIn } from './varints.ts'

/**
 * Pairs in the order of the files, so that a later one of a key is the newer; deletions are left out. A file
 * that the disk does not give back has none; what may pass (too many open files, no rights) is thrown, since
 * facts that are there would count as lost.
 */
export async function* gather(folder: string): AsyncGenerator<readonly Item[]> {
  for (const name of (await readdir(folder)).filter((name) => files.test(name)).sort(byNumber)) {
    const read = () => readFile(join(folder, name))
    // Twice: a disk may refuse once.
    const bytes = await read().catch(read).catch(noneIfBroken)
    for (const items of /^torn-|\.log$/.test(name) ? batches(bytes) : blocks(bytes)) {
      yield items
      await setImmediate()
    }
  }
}

const noneIfBroken = (error: NodeJS.ErrnoException): Buffer => {
  if (!['EIO', 'EISDIR', 'ENOENT'].includes(error.code ?? '')) throw error
  return Buffer.alloc(0)
}

/**
 * Logs that LevelDB has dropped with their torn ends are kept as `torn-…`: nothing that is in them is newer
 * than what stands elsewhere.
 */
const files = /^(torn-\d+|\d+\.(ldb|sst|log))$/
const numberOf = (name: string) => (name.startsWith('torn-') ? 0 : Number.parseInt(name, 10))
const byNumber = (a: string, b: string) => numberOf(a) - numberOf(b)

/** What a log that is whole holds; undefined where it is not. */
export const pairsOfLog = (log: Buffer): readonly Item[] | undefined =>
  endOf(log) === 'whole' ? [...batches(log)].flat() : undefined

/** Every key that a log sets or deletes, as far as its batches are whole; undefined where it is broken. */
export const keysOfLog = (log: Buffer): readonly Buffer[] | undefined =>
  endOf(log) === 'broken' ? undefined : [...wholeBatches(log)].flatMap(keysIn)

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

function* batches(log: Buffer): Generator<readonly Item[]> {
  for (const batch of wholeBatches(log)) yield puts(batch)
}

function* wholeBatches(log: Buffer): Generator<Buffer> {
  let parts: Buffer[] = []
  let whole = false
  for (const piece of fragments(log)) {
    if (piece.kind === 1 || piece.kind === 2) [parts, whole] = [[], true]
    whole &&= piece.whole
    parts.push(piece.data)
    if (whole && (piece.kind === 1 || piece.kind === 4)) yield Buffer.concat(parts)
    // A last piece without its first is none of a batch.
    whole &&= piece.kind === 2 || piece.kind === 3
  }
}

/**
 * A batch: a running number (8), how many there are (4), then each as its kind (1 a pair, 0 a deletion) and
 * its words.
 */
const puts = (batch: Buffer): readonly Item[] => {
  const items: Item[] = []
  const words = varintsIn(batch, 12)
  while (words.at() < batch.length) {
    const kind = words.number()
    const key = words.bytes(words.number())
    if (kind === 1) items.push([key, words.bytes(words.number())])
  }
  return items
}

const keysIn = (batch: Buffer): readonly Buffer[] => {
  const keys: Buffer[] = []
  const words = varintsIn(batch, 12)
  while (words.at() < batch.length) {
    const kind = words.number()
    keys.push(words.bytes(words.number()))
    if (kind === 1) words.skip(words.number())
  }
  return keys
}
