/**
 * The LevelDB of an index, with a mark of its progress. Its errors are `Unusable`, unlike those of a journal.
 */
import { Decoder, Encoder } from '@msgpack/msgpack'
import type * as z from 'zod'
import type { Journal } from '../../facts/persona-journal.ts'
import { makeInnerFolder } from '../../journal/leveldb/durable-files.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { checkChecksum, putWithChecksum } from '../../journal/log/checksummed-value.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Op, Store } from '../../journal/log/store.ts'

/** The index cannot be used and must be rebuilt. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

const markKey = Buffer.from('mark')

const encoder = new Encoder()
const decoder = new Decoder()

/**
 * Does not create parent folders, so that the folder of a removed persona does not return. Throws Unusable.
 */
export const openStore = async (folder: string): Promise<Store> => {
  try {
    await makeInnerFolder(folder)
    return mapErrors(await openLevelStore(folder, 'either'))
  } catch (cause) {
    throw new Unusable('the index cannot be opened', { cause })
  }
}

/** Stores nothing, for an index in memory. */
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

/** Turns all errors into Unusable. */
const mapErrors = (store: Store): Store => {
  const orUnusable = async <T>(request: Promise<T>): Promise<T> => {
    try {
      return await request
    } catch (cause) {
      throw new Unusable('the index cannot be read or written', { cause })
    }
  }
  return {
    ...store,
    get: (key) => orUnusable(store.get(key)),
    batch: (ops, options) => orUnusable(store.batch(ops, options)),
    items: async function* (span) {
      const pages = store.items(span)[Symbol.asyncIterator]()
      try {
        for (let page = await orUnusable(pages.next()); !page.done; page = await orUnusable(pages.next()))
          yield page.value
      } finally {
        await pages.return?.()
      }
    },
  }
}

/** The stored progress of an index, with its version. */
export const keptMark = <T extends z.ZodType>(shape: T) => ({
  op: (value: z.input<T>): Op => putWithChecksum(markKey, encoder.encode(value)),
  /** Undefined in a new index. Throws Unusable. */
  read: async (store: Store): Promise<z.output<T> | undefined> => {
    const bytes = await store.get(markKey)
    if (bytes) {
      const value = checkChecksum(markKey, bytes)
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

/** Yields commits after a head, up to damage. */
export async function* readCommits(journal: Journal, afterHead: Head) {
  try {
    yield* journal.commits(afterHead)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
  }
}
