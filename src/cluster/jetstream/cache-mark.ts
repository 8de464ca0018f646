/** What a cache says of itself: which history it holds, and up to which message. */
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import { sealed, trusted } from '../../../journal/log/seal.ts'
import type { Op, Store } from '../../../journal/log/store.ts'

const Tuple = z.tuple([z.string(), z.int().min(0), z.int().min(0)])

/** `read`: all up to this message of the stream is in it. `seq`: the position of its last record. */
export interface CacheMark {
  readonly token: string
  readonly read: number
  readonly seq: number
}

const key = Buffer.from('j/')

export const cacheMark = ({ token, read, seq }: CacheMark): Op => sealed(key, encode([token, read, seq]))

/** From then on it is no cache. */
export const noCacheMark: Op = { type: 'del', key }

/** Undefined where it cannot be trusted. */
export const readCacheMark = async (store: Store): Promise<CacheMark | undefined> => {
  const bytes = await trusted(store, key)
  const told = bytes && Tuple.safeParse(decode(bytes))
  if (!told?.success) return undefined
  const [token, read, seq] = told.data
  return { token, read, seq }
}
