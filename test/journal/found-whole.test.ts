/**
 * The list of intact tables that one process leaves for the next. A renamed folder is new to this process.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { Damaged } from '../../journal/log/errors.ts'

interface Place {
  homes: string[]
}
const test = suite<Place>('tables found whole', { homes: [] })
test.after.each(async ({ homes }) => {
  for (const home of homes.splice(0)) await rm(home, { recursive: true, force: true })
})

const megabyte = 1024 * 1024

/** Creates a store, opens it again, and moves it to another folder. */
const cameBy = async (world: Place, megabytes: number): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'whole-'))
  world.homes.push(home)
  const firstHome = join(home, 'one')
  const next = join(home, 'next')
  const copyHome = join(home, 'here')
  await mkdir(firstHome)
  const store = await openLevelStore(join(firstHome, 'journal'), 'new')
  // Random bytes, which do not compress.
  for (let n = 0; n < megabytes; n++)
    await store.batch([{ type: 'put', key: Buffer.from([n]), value: randomBytes(megabyte) }], { sync: true })
  await store.flush()
  await store.close()
  // Only whole milliseconds can be restored.
  for (const path of await tablesIn(join(firstHome, 'journal')))
    await utimes(path, 1_780_000_000, 1_780_000_000)
  await rename(firstHome, next)
  assert.is(await tryToOpen(join(next, 'journal')), 'opened')
  await rename(next, copyHome)
  return join(copyHome, 'journal')
}

const tablesIn = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => /\.(ldb|sst)$/.test(name))
  assert.ok(names.length > 0)
  return names.map((name) => join(folder, name))
}

const tryToOpen = async (folder: string): Promise<'opened' | 'damaged'> => {
  try {
    await (await openLevelStore(folder, 'existing')).close()
    return 'opened'
  } catch (error) {
    if (error instanceof Damaged) return 'damaged'
    throw error
  }
}

/** Flips one bit of every table. `seen`: with a new modification time, as any write has. */
const damage = async (folder: string, isSeen: boolean): Promise<void> => {
  for (const path of await tablesIn(folder)) {
    const { atime, mtime } = await stat(path)
    const bytes = await readFile(path)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    await writeFile(path, bytes)
    await utimes(path, atime, isSeen ? new Date(mtime.getTime() + 1) : mtime)
  }
}

// Fails if no list is stored.
test('does not read unchanged tables again', async (world) => {
  const folder = await cameBy(world, 6)
  await damage(folder, false)
  assert.is(await tryToOpen(folder), 'opened')
})

// Fails if tables are identified by name only.
test('reads a changed table again', async (world) => {
  const folder = await cameBy(world, 6)
  await damage(folder, true)
  assert.is(await tryToOpen(folder), 'damaged')
})

// Fails if the list's checksum is not verified.
test('reads all tables again if the list is damaged or missing', async (world) => {
  for (const change of ['flipped', 'gone'] as const) {
    const folder = await cameBy(world, 6)
    await damage(folder, false)
    const list = await readFile(`${folder}.whole`)
    list.writeUInt8(list.readUInt8(list.length - 1) ^ 1, list.length - 1)
    await (change === 'gone' ? rm(`${folder}.whole`) : writeFile(`${folder}.whole`, list))
    assert.is(await tryToOpen(folder), 'damaged')
  }
})

// Fails if the list is not deleted: a damaged table that ends one process would end the next one too.
test('opening deletes the list, so that a crash leaves none', async (world) => {
  const folder = await cameBy(world, 6)
  const store = await openLevelStore(folder, 'existing')
  assert.equal(await readdir(join(folder, '..')), ['journal'])
  await store.close()
  assert.equal((await readdir(join(folder, '..'))).sort(), ['journal', 'journal.whole'])
})

// Fails if the list is stored for any size.
test('stores no list for few bytes', async (world) => {
  const folder = await cameBy(world, 2)
  await damage(folder, false)
  assert.equal(await readdir(join(folder, '..')), ['journal'])
  assert.is(await tryToOpen(folder), 'damaged')
})

test.run()
