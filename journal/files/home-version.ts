/** Which daemon a home was last opened by: one small file, in a form that every version keeps. */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { present } from './moves.ts'
import { writeWhole } from './places.ts'

/**
 * Of what lies in a home: the number of the newest golden journal. Raised with the first spelling that an
 * older daemon cannot read.
 */
export const homeFormat = 10

export interface HomeVersion {
  readonly format: number
  /** Of the daemon. */
  readonly daemon: string
}

const Kept = z.object({ format: z.int().min(1), daemon: z.string(), sum: z.string() })

export const versionFile = (home: string): string => join(home, 'version')

/** Undefined in a home from before there were versions; what does not fit its sum counts as absent. */
export const readHomeVersion = async (home: string): Promise<HomeVersion | undefined> => {
  const text = await present(readFile(versionFile(home), 'utf8'))
  try {
    const { format, daemon, sum } = Kept.parse(JSON.parse(text ?? ''))
    return sum === sumOf({ format, daemon }) ? { format, daemon } : undefined
  } catch {
    return undefined
  }
}

export const writeHomeVersion = (home: string, { format, daemon }: HomeVersion): Promise<void> =>
  writeWhole(
    versionFile(home),
    Buffer.from(`${JSON.stringify({ format, daemon, sum: sumOf({ format, daemon }) })}\n`),
  )

// So that a flipped bit makes no home of another version.
const sumOf = ({ format, daemon }: HomeVersion): string =>
  hash('sha256', `version ${format} ${daemon}`).slice(0, 16)
