/**
 * Which tables of a LevelDB were found whole, kept beside its folder for the next process: ⏱ of the 1.1 s in
 * which a life of a million facts wakes, reading every byte of its tables is most.
 */
import { readFile } from 'node:fs/promises'
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

/** Empty where nothing is kept, or it is damaged: every table is looked at then. Never rejects. */
export const readFoundWhole = async (folder: string): Promise<FoundWhole> => {
  try {
    const bytes = unseal(keyOf(folder), await present(readFile(fileOf(folder))))
    return new Map(Object.entries(bytes ? Kept.parse(decode(bytes)) : {}))
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
