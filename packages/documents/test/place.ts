/** Locates the test files and writes temporary ones. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const file = (name: string): string => fileURLToPath(new URL(`files/${name}`, import.meta.url))

/** Writes the bytes to a file that is deleted afterwards. */
export const withFile = async <T>(
  bytes: Uint8Array | string,
  work: (path: string) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'document-'))
  try {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
