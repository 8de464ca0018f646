/** A log that LevelDB loses while opening a store is written again, also after a crash in between. */
import { copyFile, link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Level } from 'level'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore, writeLevelStore } from '../../journal/leveldb/level-store.ts'
import { readLog } from '../../journal/leveldb-reader/log-file.ts'
import type { Op, Store } from '../../journal/log/store.ts'
import { splitLog } from '../ordeal/two-logs.ts'
import { temporary } from './engines.ts'

interface Context {
  folder: string
}

const test = suite<Context>('log guard')

const createPut = (key: string, value: string): Op => ({
  type: 'put',
  key: Buffer.from(key),
  value: Buffer.from(value),
})
const del = (key: string): Op => ({ type: 'del', key: Buffer.from(key) })

const valuesIn = async (store: Store): Promise<string> => {
  const values = await store.getMany(['a', 'b', 'c', 'd'].map((key) => Buffer.from(key)))
  return values.map((value) => value?.toString() ?? '-').join(' ')
}

/** Opens the store like the product. Checks that no guard is left. */
const openStore = async (folder: string, act: (store: Store) => Promise<void> = async () => {}) => {
  const store = await openLevelStore(folder, 'existing')
  try {
    assert.equal(await listNames(folder, /^guard/), [])
    await act(store)
    return await valuesIn(store)
  } finally {
    await store.close()
  }
}

const listNames = async (folder: string, pattern: RegExp): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => pattern.test(name)).sort()

const listLogs = (folder: string) => listNames(folder, /\.log$/)
const guardName = (log: string) => `guard-${log.replace('.log', '')}`

const guard = async (folder: string, logs: readonly string[]): Promise<void> => {
  for (const log of logs) await link(join(folder, log), join(folder, guardName(log)))
}

/** Opens LevelDB without these logs, as if it could not read them. Their numbers then count as recovered. */
const createWithoutLogs = async (folder: string, logs: readonly string[]): Promise<void> => {
  for (const log of logs) await rm(join(folder, log))
  const level = new Level(folder)
  await level.open()
  await level.close()
}

const complete = '2 - 3 4'

/** `a` is in a table, later writes are in a log. */
test.before.each(async (context) => {
  context.folder = await temporary()
  await writeLevelStore(context.folder, [createPut('a', '1'), createPut('b', '1')])
  await openStore(context.folder, async (store) => {
    await store.batch([createPut('a', '2')], { sync: true })
    await store.batch([del('b'), createPut('c', '3')], { sync: true })
    await store.batch([createPut('d', '4')], { sync: true })
  })
})

test.after.each(async ({ folder }) => {
  await rm(folder, { recursive: true, force: true })
})

test('an opened store contains its log, and nothing is written again', async ({ folder }) => {
  assert.is(await openStore(folder), complete)
  const [log = ''] = await listLogs(folder)
  assert.is((await stat(join(folder, log))).size, 0)
})

test('a guard becomes the log if the log is gone and the manifest needs it', async ({ folder }) => {
  const [log = ''] = await listLogs(folder)
  await rename(join(folder, log), join(folder, guardName(log)))
  assert.is(await openStore(folder), complete)
})

test('a guard is written again if LevelDB continued without its log', async ({ folder }) => {
  const logs = await listLogs(folder)
  await guard(folder, logs)
  await createWithoutLogs(folder, logs)
  assert.is(await openStore(folder), complete)
  assert.is(await openStore(folder), complete)
})

test('a guard is written again if LevelDB had not yet deleted the log that it did not read', async ({
  folder,
}) => {
  const logs = await listLogs(folder)
  await guard(folder, logs)
  await createWithoutLogs(folder, logs)
  for (const log of logs) await copyFile(join(folder, guardName(log)), join(folder, log))
  assert.is(await openStore(folder), complete)
})

test('a guard that a power cut restores does not roll anything back', async ({ folder }) => {
  const [log = ''] = await listLogs(folder)
  const bytes = await readFile(join(folder, log))
  await openStore(folder, (store) => store.batch([createPut('a', '5'), del('d')], { sync: true }))
  await writeFile(join(folder, guardName(log)), bytes)
  assert.is(await openStore(folder), '5 - 3 -')
})

test('several lost logs are all written again, in order', async ({ folder }) => {
  await splitLog(folder)
  const logs = await listLogs(folder)
  assert.is(logs.length, 2)
  await guard(folder, logs)
  await createWithoutLogs(folder, logs.slice(0, 1))
  assert.is(await openStore(folder), complete)
})

test('an older log of several is written again if LevelDB could not read it', async ({ folder }) => {
  await splitLog(folder)
  assert.is(await openStore(folder), complete)
  assert.is(await openStore(folder), complete)
})

test('an empty guard is removed', async ({ folder }) => {
  await writeFile(join(folder, 'guard-000001'), '')
  assert.is(await openStore(folder), complete)
})

test('zeros in the middle of a record end it, as they do for LevelDB', async ({ folder }) => {
  const blockSize = 32 * 1024
  await openStore(folder, async (store) => {
    await store.batch([createPut('d', 'x'.repeat(3 * blockSize))], { sync: true })
    await store.batch([createPut('d', '4')], { sync: true })
  })
  const [log = ''] = await listLogs(folder)
  const bytes = await readFile(join(folder, log))
  assert.is(readLog(bytes).records.length, 2)
  bytes.fill(0, blockSize, 2 * blockSize)
  const { records } = readLog(bytes)
  assert.is(records.length, 1)
  assert.ok((records[0]?.length ?? 0) < 100)
})

test.run()
