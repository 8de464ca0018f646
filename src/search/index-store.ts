/**
 * Where an index lies: a LevelDB, and the mark that says how far it goes. What is wrong with it is told from
 * what is wrong with a journal.
 */
import { mkdir } from 'node:fs/promises'
import { Decoder, Encoder } from '@msgpack/msgpack'
import * as z from 'zod'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { type Head, nowhere } from '../../journal/log/journal.ts'
import { sealed, unseal } from '../../journal/log/seal.ts'
import type { Op, Store } from '../../journal/log/store.ts'

/** The index cannot be used: it is to be made anew. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

/** Raised whenever other words are found in a text, or they are kept in another way. */
const version = 3
const markKey = Buffer.from('mark')
const Mark = z.strictObject({ version: z.literal(version), seq: z.int().min(0), hash: z.string() })

const encoder = new Encoder()
const decoder = new Decoder()

/** Not with its parents: nothing may bring back the folder of one who is gone. Unusable. */
export const openStore = async (folder: string): Promise<Store> => {
  try {
    await mkdir(folder, { mode: 0o700 }).catch((error: { code?: unknown }) => {
      if (error.code !== 'EEXIST') throw error
    })
    return honest(await openLevelStore(folder, 'either'))
  } catch (cause) {
    throw new Unusable('the index cannot be opened', { cause })
  }
}

/** Holds nothing: all of an index is in memory then. */
export const noStore: Store = {
  get: async () => undefined,
  getMany: async (keys) => keys.map(() => undefined),
  values: async function* () {},
  items: async function* () {},
  batch: async () => undefined,
  close: async () => undefined,
}

/** What it throws is told from what a journal throws. */
const honest = (store: Store): Store => {
  const or = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked
    } catch (cause) {
      throw new Unusable('the index cannot be read or written', { cause })
    }
  }
  return {
    ...store,
    get: (key) => or(store.get(key)),
    batch: (ops, options) => or(store.batch(ops, options)),
    items: async function* (span) {
      const pages = store.items(span)[Symbol.asyncIterator]()
      try {
        for (let page = await or(pages.next()); !page.done; page = await or(pages.next())) yield page.value
      } finally {
        await pages.return?.()
      }
    },
  }
}

/** All facts up to here are in it. */
export const marked = (upTo: Head): Op => sealed(markKey, encoder.encode({ version, ...upTo }))

/** Nowhere in a new one. Unusable. */
export const readMark = async (store: Store): Promise<Head> => {
  const bytes = await store.get(markKey)
  if (bytes) {
    const value = unseal(markKey, bytes)
    const mark = value && Mark.safeParse(decodedOr(value))
    if (!mark?.success) throw new Unusable('the index is of another version')
    return { seq: mark.data.seq, hash: mark.data.hash }
  }
  for await (const page of store.items({ from: Buffer.from([0]), to: Buffer.from([0xff]), limit: 1 }))
    if (page.length > 0) throw new Unusable('the index does not say how far it goes')
  return nowhere
}

const decodedOr = (value: Uint8Array): unknown => {
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}
