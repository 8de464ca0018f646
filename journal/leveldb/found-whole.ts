/**
 * Which tables of a LevelDB were found whole, kept beside its folder from its closing to its next opening: ⏱
 * of the 1.4 s in which a life of a million facts wakes, reading every byte of its tables is 1.1.
 *
 * Whoever opens takes it away: a process that ended in another way, which a table may have done to it, leaves
 * nothing, and the next one looks at all.
 */
import { readFile, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import { present } from '../files/moves.ts'
import { writeWhole } from '../files/places.ts'
import { seal, unseal } from '../log/seal.ts'

/** By the name of a table, what tells it from any other: inode, size, time of its last change. */
export type FoundWhole = ReadonlyMap<string, string>

const Kept = z.record(z.string(), z.string())

const fileOf = (folder: string): string => `${folder}.whole`

/** Not that of another folder, should one come in its place. */
const keyOf = (folder: string): Buffer => Buffer.from(basename(folder))

/** Empty where nothing is kept, it is damaged, or it cannot be taken away. Never rejects. */
export const takeFoundWhole = async (folder: string): Promise<FoundWhole> => {
  try {
    const bytes = await present(readFile(fileOf(folder)))
    if (!bytes) return new Map()
    await rm(fileOf(folder))
    const kept = unseal(keyOf(folder), bytes)
    return new Map(Object.entries(kept ? Kept.parse(decode(kept)) : {}))
  } catch {
    return new Map()
  }
}

/** Never rejects: where it cannot be written, the next process looks at every table. */
export const keepFoundWhole = async (folder: string, whole: FoundWhole): Promise<void> => {
  await writeWhole(fileOf(folder), seal(keyOf(folder), encode(Object.fromEntries(whole)))).catch(
    () => undefined,
  )
}
