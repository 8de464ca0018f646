/**
 * The tools that a server told last, and how it is spoken with, in one small file: kept so that nothing has
 * to be started to know them, and made anew whenever it is gone.
 */
import { hash } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type PersonaId, Sha256 } from '../../journal/facts/fact-values.ts'
import { toolListingsFolder, writeWhole } from '../../journal/files/places.ts'

/** Format 1 may hold secrets that were not looked for then. */
const format = 2
/** Bytes: what is larger was not written here. */
const mostBytes = 8 * 1024 * 1024

const Era = z.union([
  z.strictObject({ kind: z.literal('legacy') }),
  z.strictObject({ kind: z.literal('sse') }),
  /** As the server introduced itself. */
  z.strictObject({
    kind: z.literal('modern'),
    discover: z.looseObject({ supportedVersions: z.array(z.string()) }),
  }),
])
/** Which of the versions of the protocol it speaks, so that it is not asked at each start. */
export type Era = z.infer<typeof Era>

const Listing = z.strictObject({
  /** Epoch milliseconds of when it was asked; null where it is to be asked. */
  asked: z.number().nullable(),
  era: Era.nullable(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      hash: Sha256,
    }),
  ),
  left: z.array(z.string()),
})
export type Listing = z.infer<typeof Listing>

const File = z.strictObject({ format: z.literal(format), key: Sha256, listing: Listing })

export interface Place {
  readonly home: string
  readonly id: PersonaId
  readonly name: string
}

/** Undefined where there is none, it is of another config, or it cannot be read. */
export const readListing = async (place: Place, key: string): Promise<Listing | undefined> => {
  try {
    if ((await stat(fileOf(place))).size > mostBytes) return undefined
    const file = File.parse(JSON.parse(await readFile(fileOf(place), 'utf8')))
    return file.key === hash('sha256', key) ? file.listing : undefined
  } catch {
    return undefined
  }
}

/** Never rejects: it is only asked for again. */
export const writeListing = async (place: Place, key: string, listing: Listing): Promise<void> => {
  const file: z.infer<typeof File> = { format, key: hash('sha256', key), listing }
  try {
    // Not with what is above it: whoever was deleted meanwhile stays so.
    await mkdir(toolListingsFolder(place.home, place.id), { mode: 0o700 }).catch(unlessThere)
    await writeWhole(fileOf(place), Buffer.from(JSON.stringify(file)))
  } catch {
    await removeListing(place)
  }
}

/** Never rejects. */
export const removeListing = (place: Place): Promise<void> =>
  rm(fileOf(place), { recursive: true, force: true }).catch(() => undefined)

// A name may be anything: its hash is a file's.
const fileOf = ({ home, id, name }: Place): string =>
  join(toolListingsFolder(home, id), `${hash('sha256', name).slice(0, 32)}.json`)

const unlessThere = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
}
