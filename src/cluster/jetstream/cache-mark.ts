/** The mark of a cache: the history that the cache holds, and the last message that was read into it. */
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import { getVerified, putWithChecksum } from '../../../journal/log/checksummed-value.ts'
import type { Op, Store } from '../../../journal/log/store.ts'

const Tuple = z.tuple([z.string(), z.int().min(0), z.int().min(0)])

/** `read`: sequence of the last stream message in the cache. `seq`: position of the last record. */
export interface CacheMark {
  readonly token: string
  readonly readUpTo: number
  readonly seq: number
}

const key = Buffer.from('j/')

export const cacheMark = ({ token, readUpTo, seq }: CacheMark): Op =>
  putWithChecksum(key, encode([token, readUpTo, seq]))

/** Removes the mark, which turns the cache into an ordinary store. */
export const noCacheMark: Op = { type: 'del', key }

/** Returns undefined if there is no mark or its checksum is wrong. */
export const readCacheMark = async (store: Store): Promise<CacheMark | undefined> => {
  const bytes = await getVerified(store, key)
  const tuple = bytes && Tuple.safeParse(decode(bytes))
  if (!tuple?.success) return undefined
  const [token, readUpTo, seq] = tuple.data
  return { token, readUpTo, seq }
}
