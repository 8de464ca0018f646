/**
 * How long things have been kept that go one day. A clock alone does not say: one that is a year ahead for an
 * hour would throw everything away. So what passes is counted at each look, and one look counts a day at most
 * beyond what the process has seen pass by itself.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { present } from './moves.ts'
import { writeWhole } from './places.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds after which what was kept for a while goes. */
const keptFor = 30 * day

const Ages = z.object({
  /** What the clock showed at the last look. */
  looked: z.iso.datetime(),
  /** Milliseconds by name. */
  kept: z.record(z.string(), z.number().min(0)),
})

export interface Look {
  /** Names of what is kept now; another thing under the same name is another name. */
  readonly things: readonly string[]
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * Milliseconds since the look before, by a clock that nobody sets; 0 in a process that has not looked yet.
   */
  readonly elapsed: number
}

/**
 * Those that have been kept for long enough. What is seen for the first time is new; what is not there any
 * more is forgotten.
 */
export const ripe = async (home: string, { things, now, elapsed }: Look): Promise<ReadonlySet<string>> => {
  const before = await read(home)
  const passed = before ? Math.min(Math.max(0, now - Date.parse(before.looked)), elapsed + day) : 0
  const kept = new Map(
    things.map((thing) => [
      thing,
      before && Object.hasOwn(before.kept, thing) ? (before.kept[thing] ?? 0) + passed : 0,
    ]),
  )
  if (before || things.length > 0) {
    const ages = { looked: new Date(now).toISOString(), kept: Object.fromEntries(kept) }
    await writeWhole(agesFile(home), Buffer.from(`${JSON.stringify(ages, null, 2)}\n`))
  }
  return new Set(things.filter((thing) => (kept.get(thing) ?? 0) >= keptFor))
}

const agesFile = (home: string): string => join(home, 'ages')

/** What cannot be read counts as absent: everything is new then, and stays the longer. */
const read = async (home: string): Promise<z.infer<typeof Ages> | undefined> => {
  const text = await present(readFile(agesFile(home), 'utf8'))
  try {
    return Ages.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}
