/**
 * Measures how long items have been stored that expire. The wall clock alone is not reliable: if it were a
 * year ahead for an hour, everything would expire. So each check adds the time since the last one, at most
 * one day more than the monotonic clock shows.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { unlessAbsent, writeWhole } from '../journal/leveldb/durable-files.ts'

const day = 24 * 60 * 60 * 1000
/** Retention in ms. */
const keptFor = 30 * day

const Ages = z.object({
  /** Wall-clock time of the last check. */
  looked: z.iso.datetime(),
  /** Age in ms, by name. */
  kept: z.record(z.string(), z.number().min(0)),
})

export interface Look {
  /** Names of the items that exist now. Names must not be reused for another item. */
  readonly names: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
  /** Monotonic ms since the previous check; 0 for the first check of a process. */
  readonly elapsed: number
}

/**
 * Updates the ages and returns the names of the expired items. New items start at age 0. Missing items are
 * removed.
 */
export const ripe = async (home: string, { names, now, elapsed }: Look): Promise<ReadonlySet<string>> => {
  const previousRecord = await read(home)
  const passedMs = previousRecord
    ? Math.min(Math.max(0, now - Date.parse(previousRecord.looked)), elapsed + day)
    : 0
  const ageMs = new Map(
    names.map((name) => [
      name,
      previousRecord && Object.hasOwn(previousRecord.kept, name)
        ? (previousRecord.kept[name] ?? 0) + passedMs
        : 0,
    ]),
  )
  if (previousRecord || names.length > 0) {
    const ages = { looked: new Date(now).toISOString(), kept: Object.fromEntries(ageMs) }
    await writeWhole(agesFile(home), Buffer.from(`${JSON.stringify(ages, null, 2)}\n`))
  }
  return new Set(names.filter((name) => (ageMs.get(name) ?? 0) >= keptFor))
}

const agesFile = (home: string): string => join(home, 'ages')

/** Returns undefined if the file cannot be read. All ages then start again at 0, so items are kept longer. */
const read = async (home: string): Promise<z.infer<typeof Ages> | undefined> => {
  const text = await unlessAbsent(readFile(agesFile(home), 'utf8'))
  try {
    return Ages.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}
