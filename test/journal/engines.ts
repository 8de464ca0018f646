/** The engines on which journals are tested, each with a way to make batches fail. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHomeStores } from '../../home/home-stores.ts'
import type { BatchFault, Engine } from '../../journal/conformance/conformance.ts'
import { InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import type { Store, Stores } from '../../journal/log/store.ts'

export const memoryEngine = async (): Promise<Engine> => {
  let next: BatchFault | undefined
  const stores = memoryStores({
    fault: (operation) => {
      if (operation !== 'batch') return undefined
      const fault = next
      next = undefined
      return fault
    },
  })
  return { stores, failNext: (fault) => (next = fault), end: async () => {} }
}

export const levelEngine = async (): Promise<Engine> => {
  const home = await temporary()
  const { stores, failNext, close } = failingStores(await openHomeStores(home))
  return {
    stores,
    failNext,
    end: async () => {
      await close()
      await rm(home, { recursive: true })
    },
  }
}

/** Wraps stores so that the next batch can fail. `close` closes all opened stores. */
export const failingStores = (stores: Stores) => {
  let next: BatchFault | undefined
  const openStores: Store[] = []
  const createFailingStore = (store: Store): Store => {
    let writable = true
    openStores.push(store)
    return {
      ...store,
      batch: async (ops, options) => {
        if (!writable) throw new Unavailable('an earlier write failed')
        const fault = next
        next = undefined
        writable = fault === undefined
        if (fault === 'refused') throw new Unavailable(fault)
        if (fault !== 'lost') await store.batch(ops, options)
        if (fault) throw new InDoubt(fault)
      },
    }
  }
  return {
    stores: {
      ...stores,
      create: async (id, first) => createFailingStore(await stores.create(id, first)),
      open: async (id) => createFailingStore(await stores.open(id)),
      reopen: async (id, store) => createFailingStore(await stores.reopen(id, store)),
    } satisfies Stores,
    failNext: (fault: BatchFault): void => {
      next = fault
    },
    close: async (): Promise<void> => {
      await Promise.all(openStores.map((store) => store.close()))
    },
  }
}

export const temporary = (): Promise<string> => mkdtemp(join(tmpdir(), 'daimon-'))

/** Creates a folder and removes it afterwards. */
export const inHome = async (prove: (home: string) => Promise<void>): Promise<void> => {
  const home = await temporary()
  try {
    await prove(home)
  } finally {
    await rm(home, { recursive: true })
  }
}

/** Returns the concatenated content of the files with this ending. */
export const bytesIn = async (folder: string, ending: string): Promise<Buffer> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))))
}
