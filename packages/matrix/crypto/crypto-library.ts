/**
 * Loads the encryption library (matrix-sdk-crypto, compiled to WebAssembly) and the IndexedDB it stores its
 * keys in. Both are loaded with the first encrypted room: they need 50 MB of memory and half a second.
 */

import type * as Library from '@matrix-org/matrix-sdk-crypto-wasm'
import type * as FakeDatabases from 'fake-indexeddb'
import { createLoader } from '../../kit/flow/loader.ts'

export type CryptoLibrary = typeof Library
export type Databases = typeof FakeDatabases

export const loadCryptoLibrary = createLoader(
  async (): Promise<{ readonly library: CryptoLibrary; readonly databases: Databases }> => {
    const databases = await import('fake-indexeddb')
    addGlobals(databases)
    const library = await import('@matrix-org/matrix-sdk-crypto-wasm')
    await library.initAsync()
    return { library, databases }
  },
)

/**
 * The library finds IndexedDB by these global names at any time, so they stay. They are not enumerable, and
 * no other package of the daemon asks for them.
 */
const addGlobals = (databases: Databases) => {
  const { IDBCursor, IDBCursorWithValue, IDBDatabase, IDBKeyRange, IDBOpenDBRequest, IDBRequest } = databases
  const values = {
    ...{ IDBCursor, IDBCursorWithValue, IDBDatabase, IDBKeyRange, IDBOpenDBRequest, IDBRequest },
    indexedDB: databases.indexedDB,
  }
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}
