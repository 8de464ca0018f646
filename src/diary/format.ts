/** The format of a diary: a tar of manifest, records and media. Documented in `docs/reference/files.md`. */
import { z } from 'zod'
import { StoredHeadLog } from '../../journal/heads/stored-head-log.ts'
import { isJournalId } from '../../journal/log/journal-id.ts'

export const format = 1

/** The first line of every age file of this version. */
export const ageLine = 'age-encryption.org/v1\n'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** The file name of stored media. */
const MediaFile = z.object({
  filename: z.string().regex(/^[0-9a-f]{32}\.[a-z0-9]{1,8}$/),
  bytes: z.int().nonnegative(),
  sha256: Hash,
})
export type MediaFile = z.infer<typeof MediaFile>

const Persona = z.object({
  id: z.string().refine(isJournalId),
  name: z.string().max(1000),
  birthday: z.string().max(10),
  /** The age X25519 recipient that it is encrypted for. */
  recipient: z.string().max(200),
})

/** The first file of a diary. `media` are sorted by name and unique, and follow in this order. */
export const Manifest = z.object({
  format: z.literal(format),
  /** ISO 8601, in UTC. */
  made: z.iso.datetime(),
  product: z.literal('daimon'),
  persona: Persona,
  head: z.object({ seq: z.int().positive(), hash: Hash }),
  records: z.int().positive(),
  /** The log of its signed heads. Older versions ignore it. */
  heads: StoredHeadLog.optional(),
  media: z
    .array(MediaFile)
    .refine((files) =>
      files.every(({ filename }, n) => n === 0 || (files[n - 1]?.filename ?? '') < filename),
    ),
})
export type Manifest = z.infer<typeof Manifest>

/** The fields that can be read of later formats. */
export const AnyManifest = z.object({ format: z.int(), product: z.literal('daimon') })

export const manifestName = 'manifest.json'

/** Name of a file with the records from `first` on, framed and in order. */
export const chunkName = (first: number): string => `journal/${String(first).padStart(12, '0')}.records`

export const mediaName = (filename: string): string => `media/${filename}`

/** Max bytes of a file of records. A commit has at most half of it, so each record fits. */
export const chunkSize = 1024 * 1024

/** Max bytes of a manifest: measured, enough for 200 000 media. */
export const manifestSize = 32 * 1024 * 1024

/** Prefixes a record with its length: 4 bytes, big-endian. */
export const addLengthPrefix = (value: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(4 + value.length)
  frame.writeUInt32BE(value.length)
  frame.set(value, 4)
  return frame
}

/** Reverses `framed`. Returns undefined if a length is wrong. */
export const removeLengthPrefix = (bytes: Buffer): readonly Buffer[] | undefined => {
  const values: Buffer[] = []
  for (let position = 0; position < bytes.length; ) {
    if (position + 4 > bytes.length) return undefined
    const end = position + 4 + bytes.readUInt32BE(position)
    if (end > bytes.length) return undefined
    values.push(bytes.subarray(position + 4, end))
    position = end
  }
  return values
}
