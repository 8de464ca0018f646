/** Where a word still stands under a home: in the bytes of a file, or in what is packed in a journal. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { openLevelStores } from '../journal/leveldb/level-stores.ts'

/** Paths of files that hold it as it is. */
export const filesHolding = async (folder: string, word: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await filesHolding(path, word)))
    else if ((await readFile(path)).includes(word)) found.push(path)
  }
  return found
}

/** Keys of a journal that nobody has open: its tables and its parts are packed. */
export const valuesHolding = async (home: string, id: string, word: string): Promise<readonly string[]> => {
  const store = await (await openLevelStores(home)).open(id)
  const found: string[] = []
  try {
    for await (const page of store.items({ from: Buffer.from('a'), to: Buffer.from('~') }))
      for (const [key, value] of page) {
        const name = key.toString('latin1', 0, 2)
        const bytes = name === 'b/' ? brotliDecompressSync(value.subarray(0, -8)) : value
        if (bytes.includes(word)) found.push(`${name}${key.toString('hex', 2)}`)
      }
  } finally {
    await store.close()
  }
  return found
}
