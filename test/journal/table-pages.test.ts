/**
 * Records read from LevelDB's own files equal those of the open store, also after overwriting, deleting,
 * merging or damage.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type LevelStore, openLevelStore } from '../../journal/leveldb/level-store.ts'
import { tablePages } from '../../journal/leveldb/table-pages.ts'
import { recordsInTables } from '../../journal/leveldb/table-records.ts'
import { Unavailable } from '../../journal/log/errors.ts'
import { recordKey, recordSpan, wholeStore } from '../../journal/log/keys.ts'
import { type Op, type RecordPage, type Store, Unreadable } from '../../journal/log/store.ts'
import { createChance } from '../random.ts'

const test = suite<{ folder: string; store: LevelStore }>('table pages')
const chance = createChance('table pages')

test.before.each(async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  Object.assign(context, { folder, store: await openLevelStore(folder, 'new') })
})
test.after.each(async ({ folder, store }) => {
  await store.close()
  await rm(folder, { recursive: true })
})

/** Any length; some are much longer than a block, and some are incompressible. */
const createWords = (): Buffer => {
  const length = chance.pickBetween(0, 19) === 0 ? chance.pickBetween(0, 60_000) : chance.pickBetween(0, 400)
  const bytes = Buffer.alloc(length, 'a word that is said again ')
  for (let n = 0; n < length; n += 1 + (n % 11)) bytes[n] = chance.pickBetween(0, 255)
  return bytes
}

const createPut = (seq: number): Op => ({ type: 'put', key: recordKey(seq), value: createWords() })
const indexPut = (n: number): Op => ({ type: 'put', key: Buffer.from(`t/talk/${n}`), value: createWords() })
const write = (store: Store, ops: readonly Op[]) => store.batch(ops, { sync: false })

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

const fill = async (store: Store, first: number, last: number): Promise<void> => {
  for (let seq = first; seq <= last; seq += 100)
    await write(
      store,
      range(seq, Math.min(last, seq + 99)).flatMap((recordSeq) => [
        createPut(recordSeq),
        indexPut(recordSeq),
      ]),
    )
}

const splitPage = ({ bytes, ends }: RecordPage): readonly Buffer[] => {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return Array.from(ends, (end, n) => page.subarray(ends[n - 1] ?? 0, end))
}

/** Reads in a thread from the first record on, and from the store. */
const readTwoWays = async (folder: string, store: Store, afterSeq: number, lastSeq: number) => {
  const inThread: Buffer[] = []
  const plainValues: Buffer[] = []
  for await (const page of tablePages(folder, store, afterSeq, lastSeq, 1)) {
    assert.is(page.after, afterSeq + inThread.length)
    inThread.push(...splitPage(page))
  }
  for await (const values of store.values(recordSpan(afterSeq, lastSeq))) plainValues.push(...values)
  return { inThread, plain: plainValues }
}

const assertSame = async (
  folder: string,
  store: Store,
  afterSeq: number,
  lastSeq: number,
): Promise<number> => {
  const { inThread, plain } = await readTwoWays(folder, store, afterSeq, lastSeq)
  assert.is(inThread.length, plain.length)
  for (const [n, value] of plain.entries()) assert.ok(inThread[n]?.equals(value), `${afterSeq + n + 1}`)
  return plain.length
}

const inTables = (folder: string, lastSeq: number): number => [...recordsInTables(folder, 0, lastSeq)].length

test('returns the latest version of overwritten records, before and after each merge', async ({
  folder,
  store,
}) => {
  await fill(store, 1, 600)
  for (let round = 0; round < 4; round++) {
    for (let n = 0; n < 30; n++) await write(store, [createPut(chance.pickBetween(1, 600))])
    assert.is(await assertSame(folder, store, 0, 600), 600)
    const afterSeq = chance.pickBetween(0, 500)
    await assertSame(folder, store, afterSeq, chance.pickBetween(afterSeq + 1, 600))
    if (round % 2 === 0) await store.compact(wholeStore)
  }
  await store.compact(wholeStore)
  assert.is(inTables(folder, 600), 600)
})

test('omits deleted records that an older table still contains', async ({ folder, store }) => {
  await fill(store, 1, 400)
  await store.compact(wholeStore)
  await write(
    store,
    range(301, 400).map((seq) => ({ type: 'del', key: recordKey(seq) })),
  )
  assert.is(inTables(folder, 400), 300)
  assert.is(await assertSame(folder, store, 0, 400), 300)
  // Enough to move the deletions out of the log, but not enough to merge them with the deleted records.
  for (let n = 0; n < 40; n++)
    await write(store, [{ type: 'put', key: Buffer.from(`x/${n}`), value: createWords() }])
  await fill(store, 301, 330)
  assert.is(await assertSame(folder, store, 0, 400), 330)
})

test('reads an unchanged range completely during writes and merges', async ({ folder, store }) => {
  await fill(store, 1, 800)
  let isDone = false
  const pendingWrites = (async () => {
    for (let seq = 801; !isDone && seq < 6000; seq += 50) await fill(store, seq, seq + 49)
  })()
  for (let n = 0; n < 6; n++) assert.is(await assertSame(folder, store, 0, 800), 800)
  isDone = true
  await pendingWrites
})

test('stops at a table with a flipped bit, and the store reads the rest', async ({ folder, store }) => {
  await fill(store, 1, 400)
  await store.compact(wholeStore)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ldb'))
  for (const name of names) {
    const table = await readFile(join(folder, name))
    const spoilt = Buffer.from(table)
    const offset = chance.pickBetween(0, table.length - 60)
    spoilt[offset] = (spoilt[offset] ?? 0) ^ 4
    await writeFile(join(folder, name), spoilt)
    const values: Buffer[] = []
    const failure = await (async () => {
      for await (const page of tablePages(folder, unreadable, 0, 400, 1)) values.push(...splitPage(page))
    })().catch((error: unknown) => error)
    assert.ok(failure instanceof Unreadable || values.length === 400, name)
    await writeFile(join(folder, name), table)
    for (const [n, value] of values.entries())
      assert.ok((await store.get(recordKey(n + 1)))?.equals(value), `${name} ${n + 1}`)
  }
})

/** A store that cannot be read. */
const createFailingStore = (error: Error): Pick<Store, 'values'> => ({
  values: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
})
const unreadable = createFailingStore(new Unreadable('the engine cannot read it'))

test('leaves a missing folder or manifest to the store', async ({ folder }) => {
  const closedStore = createFailingStore(new Unavailable('the journal is closed'))
  for (const path of [join(folder, 'nowhere'), tmpdir()]) {
    const failure = await tablePages(path, closedStore, 0, 10, 1)
      .next()
      .catch((error: unknown) => error)
    assert.instance(failure, Unavailable)
  }
})

test.run()
