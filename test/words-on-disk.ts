/** Finds a word under a home: in the bytes of files, and in compressed journals. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { openHomeStores } from '../home/home-stores.ts'
import { pairsOfBlocks } from '../journal/leveldb-reader/table-file.ts'
import type { Item } from '../journal/log/store.ts'

/** Returns paths of files that contain the word uncompressed. */
export const filesHolding = async (folder: string, word: string): Promise<readonly string[]> => {
  const paths: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) paths.push(...(await filesHolding(path, word)))
    else if ((await readFile(path)).includes(word)) paths.push(path)
  }
  return paths
}

/**
 * Returns keys in the tables of a closed journal whose values contain the word, including replaced and
 * deleted values.
 */
export const tablesHolding = async (folder: string, word: string): Promise<readonly string[]> => {
  const keys: string[] = []
  for (const name of (await readdir(folder)).filter((name) => /\.(ldb|sst)$/.test(name)))
    for (const pairs of pairsOfBlocks(await readFile(join(folder, name))))
      for (const [key, value] of pairs) if (holds([key, value], word)) keys.push(key.toString('latin1'))
  return keys
}

/** Returns keys of a closed journal. Its tables and parts are compressed, so they are decoded. */
export const valuesHolding = async (home: string, id: string, word: string): Promise<readonly string[]> => {
  const store = await (await openHomeStores(home)).open(id)
  const keys: string[] = []
  try {
    for await (const page of store.items({ from: Buffer.from('a'), to: Buffer.from('~') }))
      for (const item of page)
        if (holds(item, word)) keys.push(`${item[0].toString('latin1', 0, 2)}${item[0].toString('hex', 2)}`)
  } finally {
    await store.close()
  }
  return keys
}

/** Decompresses parts. Deleted entries have no value. */
const holds = ([key, value]: Item, word: string): boolean => {
  const isPart = key.toString('latin1', 0, 2) === 'b/' && value.length > 8
  return (isPart ? brotliDecompressSync(value.subarray(0, -8)) : value).includes(word)
}
