/** The catalog's entry for a persona, and its encoding on disk. */

import { Decoder, Encoder } from '@msgpack/msgpack'
import * as z from 'zod'
import type { PersonaId } from '../facts/fact-values.ts'
import { checkChecksum, putWithChecksum } from '../journal/log/checksummed-value.ts'
import type { Head } from '../journal/log/head.ts'
import type { Op } from '../journal/log/store.ts'

const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

/**
 * `self` is plain data that the catalog does not interpret. `trouble` says why the journal cannot be opened
 * for writing. `verified` is when the whole chain was last verified, in epoch ms.
 */
export interface Listed {
  readonly head: Head
  readonly self: unknown
  readonly trouble?: string
  readonly verified?: number
}

const Kept = z.strictObject({
  head: z.strictObject({ seq: z.int().min(0), hash: z.string() }),
  self: z.unknown(),
  trouble: z.string().optional(),
  verified: z.number().optional(),
})

/** Marker that exists only while the catalog is closed and contains every put. */
export const inOrder = Buffer.from('closed')
const prefix = 'p/'
const toKey = (id: PersonaId): Buffer => Buffer.from(prefix + id)

export const wholeList = { from: Buffer.from(prefix), to: Buffer.from('p0') }

export const idIn = (key: Buffer): PersonaId => key.toString('utf8', prefix.length)

/** Returns undefined if the entry is damaged. */
export const listedIn = (key: Buffer, bytes: Buffer): Listed | undefined => {
  const value = checkChecksum(key, bytes)
  const parsedEntry = value && Kept.safeParse(decoder.decode(value))
  return parsedEntry?.success ? (parsedEntry.data as Listed) : undefined
}

export const toOp = (id: PersonaId, value: Listed | undefined): Op =>
  value ? putWithChecksum(toKey(id), encoder.encode(value)) : { type: 'del', key: toKey(id) }
