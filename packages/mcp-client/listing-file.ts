/**
 * Caches the tools of a server and its protocol version in a small file, so that no server must start to list
 * its tools. The file is rebuilt if it is missing.
 */
import { hash } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type PersonaId, Sha256 } from '../../facts/fact-values.ts'
import { toolListingsFolder } from '../../home/places.ts'
import { makeInnerFolder, writeWhole } from '../../journal/leveldb/durable-files.ts'

/** Files of format 1 were not checked for secrets. */
const format = 2
/** In bytes. A larger file was not written by the daemon. */
const maxBytes = 8 * 1024 * 1024

const Era = z.union([
  z.strictObject({ kind: z.literal('legacy') }),
  z.strictObject({ kind: z.literal('sse') }),
  /** The server's answer to the discovery request. */
  z.strictObject({
    kind: z.literal('modern'),
    discover: z.looseObject({ supportedVersions: z.array(z.string()) }),
  }),
])
/** The protocol version of the server. Cached, so that it is not negotiated at each start. */
export type Era = z.infer<typeof Era>

const Listing = z.strictObject({
  /** Time of the version negotiation in epoch ms; null if it must be repeated. */
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

/** Returns undefined if the file is missing, unreadable, or belongs to another configuration. */
export const readListing = async (place: Place, key: string): Promise<Listing | undefined> => {
  try {
    if ((await stat(getPath(place))).size > maxBytes) return undefined
    const file = File.parse(JSON.parse(await readFile(getPath(place), 'utf8')))
    return file.key === hash('sha256', key) ? file.listing : undefined
  } catch {
    return undefined
  }
}

/** Never rejects. Without the file, the server is asked again. */
export const writeListing = async (place: Place, key: string, listing: Listing): Promise<void> => {
  const file: z.infer<typeof File> = { format, key: hash('sha256', key), listing }
  try {
    await makeInnerFolder(toolListingsFolder(place.home, place.id))
    await writeWhole(getPath(place), Buffer.from(JSON.stringify(file)))
  } catch {
    await removeListing(place)
  }
}

/** Never rejects. */
export const removeListing = (place: Place): Promise<void> =>
  rm(getPath(place), { recursive: true, force: true }).catch(() => undefined)

// A server's name may contain any character, so the file name is its hash.
const getPath = ({ home, id, name }: Place): string =>
  join(toolListingsFolder(home, id), `${hash('sha256', name).slice(0, 32)}.json`)
