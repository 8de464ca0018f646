/** The catalog, which lists personas without opening journals, and the lock of a home. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Catalog, openCatalog } from '../../home/catalog.ts'
import { Held } from '../../journal/log/errors.ts'
import { inHome } from './engines.ts'

const hash = 'ab'.repeat(32)
const self = (name: string) => ({
  name,
  organs: { thinking: { model: 'qwen3', key: null } },
  born: 1_780_000_000_000,
})

const listAll = (catalog: Catalog) => Object.fromEntries(catalog.all())

test('returns the latest put immediately and after reopening', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    catalog.put('ada', { head: { seq: 1, hash }, self: self('Ada') })
    catalog.put('ada', { head: { seq: 2, hash }, self: self('Ada L.') })
    catalog.put('bea', { head: { seq: 7, hash }, self: null, trouble: 'her journal is damaged' })
    const expectedFacts = {
      ada: { head: { seq: 2, hash }, self: self('Ada L.') },
      bea: { head: { seq: 7, hash }, self: null, trouble: 'her journal is damaged' },
    }
    assert.equal(listAll(catalog), expectedFacts)
    await catalog.close()
    const reopened = await openCatalog(home)
    assert.equal(listAll(reopened), expectedFacts)
    assert.equal(reopened.get('ada'), expectedFacts.ada)
    assert.is(reopened.get('eve'), undefined)
    reopened.put('bea', { head: { seq: 8, hash }, self: null })
    reopened.remove('ada')
    reopened.remove('eve')
    await reopened.close()
    const last = await openCatalog(home)
    assert.equal(listAll(last), { bea: { head: { seq: 8, hash }, self: null } })
    await last.close()
  }))

test('is complete only after an orderly close', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    assert.is(catalog.complete, false)
    catalog.put('ada', { head: { seq: 1, hash }, self: 1 })
    await catalog.close()
    const reopened = await openCatalog(home)
    assert.is(reopened.complete, true)
    reopened.put('ada', { head: { seq: 2, hash }, self: 2 })
    await reopened.settled()
    const crashedHome = `${home}-crashed`
    await cp(home, crashedHome, { recursive: true })
    await reopened.close()
    const catalogAfter = await openCatalog(crashedHome)
    assert.is(catalogAfter.complete, false)
    assert.equal(listAll(catalogAfter), { ada: { head: { seq: 2, hash }, self: 2 } })
    await catalogAfter.close()
    await rm(crashedHome, { recursive: true })
  }))

// Fails if each put is written: 4000 puts were 4000 batches.
test('writes only the latest of many puts', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    for (let seq = 1; seq <= 4000; seq++)
      catalog.put('ada', { head: { seq, hash }, self: self('x'.repeat(1000)) })
    await catalog.settled()
    const folder = join(home, 'catalog')
    const files = await Promise.all(
      (await readdir(folder, { withFileTypes: true }))
        .filter((file) => file.isFile())
        .map(({ name }) => readFile(join(folder, name))),
    )
    assert.ok(files.reduce((sum, { length }) => sum + length, 0) < 20_000)
    assert.is(catalog.get('ada')?.head.seq, 4000)
    await catalog.close()
  }))

// Fails if each tick is written: 50 batches.
test('writes puts of an interval as one batch, and trouble immediately', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home, 3_600_000)
    const getCatalogSize = async () => (await readFile(join(home, 'catalog', await readLogs(home)))).length
    const bytesBefore = await getCatalogSize()
    for (let seq = 1; seq <= 50; seq++) {
      catalog.put('ada', { head: { seq, hash }, self: 1 })
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.is(await getCatalogSize(), bytesBefore)
    catalog.put('bea', { head: { seq: 1, hash }, self: 1, trouble: 'its journal is damaged' })
    while ((await getCatalogSize()) === bytesBefore) await new Promise((resolve) => setTimeout(resolve, 1))
    assert.ok((await getCatalogSize()) - bytesBefore < 600)
    catalog.put('ada', { head: { seq: 51, hash }, self: 1 })
    await catalog.close()
    const reopened = await openCatalog(home)
    assert.is(reopened.get('ada')?.head.seq, 51)
    await reopened.close()
  }))

const readLogs = async (home: string): Promise<string> =>
  (await readdir(join(home, 'catalog'))).find((name) => name.endsWith('.log')) ?? ''

test('rejects a value that is not plain data and keeps the old one', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    catalog.put('ada', { head: { seq: 1, hash }, self: 1 })
    assert.throws(() => catalog.put('ada', { head: { seq: 2, hash }, self: new Map() }), TypeError)
    assert.is(catalog.get('ada')?.head.seq, 1)
    await catalog.close()
  }))

test('can be opened by one daemon at a time', () =>
  inHome(async (home) => {
    const catalog = await openCatalog(home)
    catalog.put('ada', { head: { seq: 1, hash }, self: 1 })
    const error = await openCatalog(home).then(
      () => undefined,
      (error: unknown) => error,
    )
    assert.instance(error, Held)
    assert.is(catalog.get('ada')?.head.seq, 1)
    await catalog.close()
    const reopened = await openCatalog(home)
    assert.is(reopened.get('ada')?.head.seq, 1)
    await reopened.close()
  }))

test('is rebuilt if it is damaged, and then is not complete', () =>
  inHome(async (home) => {
    const folder = join(home, 'catalog')
    for (const harm of ['CURRENT', 'MANIFEST', 'ldb', 'file in its place'] as const) {
      const catalog = await openCatalog(home)
      for (let n = 0; n < 40; n++)
        catalog.put(`p${n}`, { head: { seq: 1, hash }, self: self('x'.repeat(500)) })
      await catalog.close()
      // Opening a second time writes the content of the log to a table.
      await (await openCatalog(home)).close()
      const names = (await readdir(folder)).filter((name) => name.includes(harm))
      if (harm === 'file in its place') {
        await rm(folder, { recursive: true })
        await writeFile(folder, 'x')
      }
      for (const name of names) {
        const bytes = await readFile(join(folder, name))
        bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 8, bytes.length >> 1)
        await writeFile(join(folder, name), bytes)
      }
      const rebuiltCatalog = await openCatalog(home)
      assert.is(rebuiltCatalog.complete, false, harm)
      rebuiltCatalog.put('ada', { head: { seq: 1, hash }, self: 1 })
      await rebuiltCatalog.close()
      const reopened = await openCatalog(home)
      assert.is(reopened.get('ada')?.head.seq, 1)
      assert.is(reopened.complete, true)
      await reopened.close()
    }
  }))

test.run()
