/** Stores a skill as one tar. The same files always give the same bytes. */
import { hash } from 'node:crypto'
import { constants, open } from 'node:fs/promises'
import { packTar, unpackTar } from 'modern-tar'
import type { StoredMedia } from '../../facts/fact-values.ts'
import { unlessAbsent } from '../../journal/leveldb/durable-files.ts'
import type { Skill } from '../../projections/skills.ts'
import type { FileOfSkill } from './skill-files.ts'

/** Max bytes of all files and their tar headers. */
const largest = 8 * 1024 * 1024

export const packSkill = async (files: readonly FileOfSkill[]): Promise<Buffer> => {
  const entries = files.map(({ path, bytes }) => ({
    header: { name: path, size: bytes.length, mtime: new Date(0), mode: 0o600, type: 'file' } as const,
    body: bytes,
  }))
  return Buffer.from(await packTar(entries))
}

/** Returns the fields of a pack in a fact, without its location. */
export const packNamed = (skill: string): Omit<StoredMedia, 'filename' | 'bytes' | 'sha256'> => ({
  name: `${skill}.tar`,
  mime: 'application/x-tar',
  caption: '',
  voice: false,
})

/**
 * Returns the files if the bytes still match the fact, otherwise null. A path from a diary may point anywhere
 * and to a file of any size, so no more is read than a skill can have.
 */
export const openPack = async (
  file: string,
  { pack, files }: Pick<Skill, 'pack' | 'files'>,
): Promise<readonly FileOfSkill[] | null> => {
  if (pack.bytes > largest) return null
  const bytes = await unlessAbsent(bytesAt(file, pack.bytes))
  if (!bytes || hash('sha256', bytes) !== pack.sha256) return null
  const unpackedFiles = await unpack(bytes)
  const isAll =
    unpackedFiles?.length === files.length &&
    files.every(
      ({ path, bytes: size }, n) =>
        unpackedFiles[n]?.path === path && unpackedFiles[n]?.bytes.length === size,
    )
  return isAll ? unpackedFiles : null
}

const bytesAt = async (path: string, size: number): Promise<Buffer | null> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stats = await file.stat()
    return stats.isFile() && stats.size === size ? await file.readFile() : null
  } finally {
    await file.close()
  }
}

const unpack = async (bytes: Buffer): Promise<readonly FileOfSkill[] | null> => {
  try {
    const entries = await unpackTar(bytes, { strict: true })
    return entries.map(({ header, data = new Uint8Array() }) => ({
      path: header.name,
      bytes: Buffer.from(data),
    }))
  } catch {
    return null
  }
}
