/**
 * Makes the databases of the encryption library durable. The library stores its keys in IndexedDB, which
 * fake-indexeddb keeps in memory. Each transaction is written to a DurableMap before its `complete` event, so
 * the library continues only after its changes are on disk.
 *
 * Uses parts of fake-indexeddb that are not public: its version is pinned, and the tests reopen each store.
 */
import type { Change, DurableMap } from './durable-map.ts'

export interface KeyDatabases {
  /** Name by which the library opens the databases. It differs for each folder that is open. */
  readonly name: string
  /** Frees the memory. Close the library's connections before. */
  close(): void
}

interface RawStore {
  readonly name: string
  readonly keyPath: unknown
  readonly autoIncrement: boolean
  readonly records: Records
  readonly rawIndexes: ReadonlyMap<string, Index>
}

interface Records {
  put(row: Row, isNew?: boolean): unknown
  delete(key: unknown): readonly Row[]
  clear(): readonly Row[]
  get(key: unknown): Row | undefined
  values(): Iterable<Row>
}

interface Row {
  readonly key: unknown
  readonly value: unknown
}

interface Index {
  readonly name: string
  readonly keyPath: unknown
  readonly unique: boolean
  readonly multiEntry: boolean
}

interface RawDatabase {
  readonly name: string
  readonly version: number
  readonly rawObjectStores: ReadonlyMap<string, RawStore>
}

interface Transaction {
  readonly mode: 'readonly' | 'readwrite' | 'versionchange'
  readonly _scope: ReadonlySet<string>
  dispatchEvent(event: { readonly type: string }): unknown
  _abort(name: string): void
}

interface ObjectStore {
  put(value: unknown, key: unknown): unknown
  createIndex(name: string, keyPath: unknown, options: { unique: boolean; multiEntry: boolean }): unknown
}

interface Connection {
  readonly _rawDatabase: RawDatabase
  createObjectStore(name: string, options: { keyPath: unknown }): ObjectStore
  close(): void
}

interface OpenRequest {
  readonly result: Connection
  readonly error: unknown
  onupgradeneeded: (() => void) | null
  onsuccess: (() => void) | null
  onerror: (() => void) | null
}

/** The part of fake-indexeddb that is used. */
export interface FakeIndexedDb {
  readonly indexedDB: {
    _databases: Map<string, RawDatabase>
    open(name: string, version: number): OpenRequest
  }
  readonly IDBDatabase: { readonly prototype: { transaction(...input: unknown[]): Transaction } }
}

interface Schema {
  readonly version: number
  readonly stores: readonly {
    readonly name: string
    readonly keyPath: unknown
    readonly indexes: readonly Index[]
  }[]
}

type Recorder = (database: RawDatabase, transaction: Transaction) => void

const recorders = new Map<string, Recorder>()
let openCount = 0
let isPatched = false

/** Fills the databases from the map, and writes their changes to it from now on. */
export const openKeyDatabases = async (map: DurableMap, fake: FakeIndexedDb): Promise<KeyDatabases> => {
  if (!isPatched) watchTransactions(fake)
  isPatched = true
  const name = `keys-${++openCount}`
  await fill(map, fake, name)
  recorders.set(name, createRecorder(map))
  const close = () => {
    recorders.delete(name)
    for (const database of fake.indexedDB._databases.keys())
      if (splitName(database)[0] === name) fake.indexedDB._databases.delete(database)
  }
  return { name, close }
}

/** The library adds its own suffix to the name. */
const splitName = (database: string): [name: string, suffix: string] => {
  const end = database.indexOf('::')
  return [database.slice(0, end), database.slice(end + 2)]
}

const watchTransactions = (fake: FakeIndexedDb) => {
  const prototype = fake.IDBDatabase.prototype
  const create = prototype.transaction
  prototype.transaction = function (this: Connection, ...input: unknown[]) {
    const transaction = create.apply(this, input)
    recorders.get(splitName(this._rawDatabase.name)[0])?.(this._rawDatabase, transaction)
    return transaction
  }
}

const createRecorder = (map: DurableMap): Recorder => {
  /** Keys of the rows that changed since the last write, as JSON. */
  const touchedKeys = new WeakMap<RawStore, Set<string>>()

  const watch = (store: RawStore) => {
    if (touchedKeys.has(store)) return
    const touched = new Set<string>()
    touchedKeys.set(store, touched)
    const { records } = store
    const putRow = records.put.bind(records)
    const remove = records.delete.bind(records)
    const clear = records.clear.bind(records)
    records.put = (row, isNew) => {
      touched.add(toJson(row.key))
      return putRow(row, isNew)
    }
    const touchAll = (rows: readonly Row[]) => {
      for (const { key } of rows) touched.add(toJson(key))
      return rows
    }
    records.delete = (key) => touchAll(remove(key))
    records.clear = () => touchAll(clear())
  }
  const takeChanges = (database: RawDatabase, transaction: Transaction): readonly Change[] =>
    transaction.mode === 'versionchange'
      ? compareAll(map, database)
      : [...transaction._scope].flatMap((name) => {
          const store = database.rawObjectStores.get(name)
          const keys = store && touchedKeys.get(store)
          if (!keys) return []
          const changes = [...keys].map((key): Change => {
            const row = store.records.get(JSON.parse(key))
            return [rowKey(database, store, key), row ? toJson(row.value) : null]
          })
          keys.clear()
          return changes
        })

  return (database, transaction) => {
    if (transaction.mode === 'readonly') return
    for (const name of transaction._scope) {
      const store = database.rawObjectStores.get(name)
      if (store) watch(store)
    }
    const dispatch = transaction.dispatchEvent.bind(transaction)
    const writeBeforeComplete = async (event: { readonly type: string }) => {
      try {
        await map.write(takeChanges(database, transaction))
      } catch {
        // The map refuses all later writes, so the state in memory is not used again.
        return transaction._abort('AbortError')
      }
      dispatch(event)
    }
    transaction.dispatchEvent = (event) =>
      event.type === 'complete' ? void writeBeforeComplete(event) : dispatch(event)
  }
}

const schemaKey = (suffix: string) => `schema/${suffix}`
const rowPrefix = (suffix: string) => `row/${suffix}/`
const rowKey = (database: RawDatabase, store: RawStore, key: string) =>
  `${rowPrefix(splitName(database.name)[1])}${store.name}/${key}`

/** Returns the differences between the map and the whole database, after its schema changed. */
const compareAll = (map: DurableMap, database: RawDatabase): readonly Change[] => {
  const suffix = splitName(database.name)[1]
  const current = new Map<string, string>([[schemaKey(suffix), toJson(getSchema(database))]])
  for (const store of database.rawObjectStores.values())
    for (const { key, value } of store.records.values())
      current.set(rowKey(database, store, toJson(key)), toJson(value))
  const removals = [...map.entries()]
    .filter(([key]) => key.startsWith(rowPrefix(suffix)) && !current.has(key))
    .map(([key]): Change => [key, null])
  return [...removals, ...[...current].filter(([key, value]) => map.get(key) !== value)]
}

const getSchema = (database: RawDatabase): Schema => ({
  version: database.version,
  stores: [...database.rawObjectStores.values()].map((store) => {
    if (store.autoIncrement) throw new Error('Tables with counters are not supported')
    const indexes = [...store.rawIndexes.values()].map(({ name, keyPath, unique, multiEntry }) => ({
      ...{ name, keyPath, unique, multiEntry },
    }))
    return { name: store.name, keyPath: store.keyPath, indexes }
  }),
})

const fill = async (map: DurableMap, fake: FakeIndexedDb, name: string) => {
  const prefix = schemaKey('')
  for (const [key, text] of map.entries()) {
    if (!key.startsWith(prefix)) continue
    const suffix = key.slice(prefix.length)
    await fillDatabase(fake, `${name}::${suffix}`, JSON.parse(text) as Schema, rowsByStore(map, suffix))
  }
}

type Rows = ReadonlyMap<string, readonly Row[]>

const rowsByStore = (map: DurableMap, suffix: string): Rows => {
  const rows = new Map<string, Row[]>()
  const prefix = rowPrefix(suffix)
  for (const [key, value] of map.entries()) {
    if (!key.startsWith(prefix)) continue
    const end = key.indexOf('/', prefix.length)
    const store = key.slice(prefix.length, end)
    const row = { key: JSON.parse(key.slice(end + 1)) as unknown, value: JSON.parse(value) as unknown }
    const others = rows.get(store)
    if (others) others.push(row)
    else rows.set(store, [row])
  }
  return rows
}

const fillDatabase = async ({ indexedDB }: FakeIndexedDb, name: string, schema: Schema, rows: Rows) => {
  const request = indexedDB.open(name, schema.version)
  await new Promise<void>((resolve, reject) => {
    request.onupgradeneeded = () => {
      for (const { name, keyPath, indexes } of schema.stores) {
        const store = request.result.createObjectStore(name, { keyPath })
        for (const { name, keyPath, unique, multiEntry } of indexes)
          store.createIndex(name, keyPath, { unique, multiEntry })
        for (const { key, value } of rows.get(name) ?? []) store.put(value, key)
      }
    }
    request.onsuccess = () => resolve()
    request.onerror = () =>
      reject(new Error('a request to the key database failed', { cause: request.error }))
  })
  request.result.close()
}

/** Throws if JSON would change the value: another version of the library may store bytes or dates. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, key, replacement: unknown) {
    if (!isJson(this[key])) throw new Error('The encryption stored a value that JSON cannot hold')
    return replacement
  })

const isJson = (value: unknown): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
