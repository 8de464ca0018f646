/**
 * Where an index lies: a LevelDB, and the mark that says how far it goes. What is wrong with it is told from
 * what is wrong with a journal.
 */
import { mkdir } from 'node:fs/promises'
import { Decoder, Encoder } from '@msgpack/msgpack'
import type * as z from 'zod'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { sealed, unseal } from '../../journal/log/seal.ts'
import type { Op, Store } from '../../journal/log/store.ts'

/** The index cannot be used: it is to be made anew. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

const markKey = Buffer.from('mark')

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
  compact: async () => undefined,
  flush: async () => undefined,
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

/** What an index says of itself: how far it goes, and what it is of. */
export const keptMark = <T extends z.ZodType>(shape: T) => ({
  op: (value: z.input<T>): Op => sealed(markKey, encoder.encode(value)),
  /** Undefined in a new one. Unusable. */
  read: async (store: Store): Promise<z.output<T> | undefined> => {
    const bytes = await store.get(markKey)
    if (bytes) {
      const value = unseal(markKey, bytes)
      const mark = value && shape.safeParse(decodedOr(value))
      if (!mark?.success) throw new Unusable('the index is of another version')
      return mark.data
    }
    for await (const page of store.items({ from: Buffer.from([0]), to: Buffer.from([0xff]), limit: 1 }))
      if (page.length > 0) throw new Unusable('the index does not say how far it goes')
    return undefined
  },
})

const decodedOr = (value: Uint8Array): unknown => {
  try {
    return decoder.decode(value)
  } catch {
    return undefined
  }
}
