/** Stores which version of the daemon last opened a home, in a small file that every version can read. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { unlessAbsent, writeWhole } from '../journal/leveldb/durable-files.ts'

/**
 * Format of the home: the number of the newest golden journal. Increase it with the first change that an
 * older daemon cannot read.
 */
export const homeFormat = 16

export interface HomeVersion {
  readonly format: number
  /** Version of the daemon. */
  readonly daemon: string
}

const Kept = z.object({ format: z.int().min(1), daemon: z.string(), sum: z.string() })

export const versionFile = (home: string): string => join(home, 'version')

/** Returns undefined if the file is missing (homes of old daemons) or its checksum is wrong. */
export const readHomeVersion = async (home: string): Promise<HomeVersion | undefined> => {
  const text = await unlessAbsent(readFile(versionFile(home), 'utf8'))
  try {
    const { format, daemon, sum } = Kept.parse(JSON.parse(text ?? ''))
    return sum === checksum({ format, daemon }) ? { format, daemon } : undefined
  } catch {
    return undefined
  }
}

export const writeHomeVersion = (home: string, { format, daemon }: HomeVersion): Promise<void> =>
  writeWhole(
    versionFile(home),
    Buffer.from(`${JSON.stringify({ format, daemon, sum: checksum({ format, daemon }) })}\n`),
  )

// Detects bit flips, which would otherwise look like another version.
const checksum = ({ format, daemon }: HomeVersion): string =>
  hash('sha256', `version ${format} ${daemon}`).slice(0, 16)
