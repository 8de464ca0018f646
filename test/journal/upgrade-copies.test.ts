/** The copy of a home before a daemon of another version opens it for the first time. */
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { homeFormat, readHomeVersion, versionFile, writeHomeVersion } from '../../home/home-version.ts'
import { version } from '../../packages/kit/version.ts'
import { openHome } from '../../src/home-lock.ts'
import { temporary } from './engines.ts'
import { createMessageHeard, draft } from './facts.ts'
import { golden } from './make-golden.ts'

const folder = join(import.meta.dirname, 'golden')

/** Returns the contents of a folder by name. */
const readFiles = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const names = (await readdir(path)).filter((name) => !/^LOCK$|^LOG/.test(name)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), 'hex')] as const)),
  )
}

const journalIn = (home: string) => join(home, 'personas', 'ada', 'journal')
const copiesIn = (home: string) => readdir(join(home, 'upgrades'))

const golden1 = async (): Promise<string> => {
  const home = await temporary()
  await cp(join(folder, 'v1', 'journal'), journalIn(home), { recursive: true })
  return home
}

/** Opens and closes a home like a start and a stop. */
const openAll = async (home: string): Promise<string> => {
  const { upgraded = 'nothing', close } = await openHome(home, 'a test')
  await close()
  return upgraded
}

const readJournals = async (home: string) =>
  openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })

/** Checks the data of a golden journal, and appends to it. */
const checkContinues = async (home: string) => {
  const journal = await (await readJournals(home)).open('ada', 'writer')
  const goldenNow: unknown = JSON.parse(JSON.stringify(await golden(journal)))
  await journal.append([draft(createMessageHeard('and on', 'on'))], journal.head)
  await journal.close()
  return goldenNow
}

test('opens a home of each format, and later facts do not change its copy', async () => {
  for (const format of await readdir(folder)) {
    const home = await temporary()
    const goldenPath = join(folder, format, 'journal')
    await cp(goldenPath, journalIn(home), { recursive: true })
    const filesBefore = await readFiles(goldenPath)
    const expectedValue: unknown = JSON.parse(await readFile(join(folder, format, 'expected.json'), 'utf8'))

    assert.match(await openAll(home), /a copy of the journals and files of 1 persona as they were is kept in/)
    const [name = '', ...others] = await copiesIn(home)
    assert.equal(others, [])
    const copy = join(home, 'upgrades', name)
    for (const file of await readdir(goldenPath))
      assert.is((await stat(join(journalIn(copy), file))).nlink, file.endsWith('.ldb') ? 2 : 1, file)

    assert.equal(await checkContinues(home), expectedValue, format)
    assert.equal(await readFiles(journalIn(copy)), filesBefore, format)
    assert.is(await openAll(home), 'nothing', 'it is the same daemon')

    // A downgrade restores the old data.
    const copyFolder = await temporary()
    await cp(join(copy, 'personas'), join(copyFolder, 'personas'), { recursive: true })
    assert.equal(await checkContinues(copyFolder), expectedValue, format)
    for (const path of [home, copyFolder]) await rm(path, { recursive: true })
  }
})

test('the format of homes is that of the newest golden journal', async () => {
  const numbers = (await readdir(folder)).map((name) => Number(name.slice(1)))
  assert.is(Math.max(...numbers), homeFormat)
})

test('a home without personas has a version and no copy', async () => {
  const home = await temporary()
  assert.is(await openAll(home), 'nothing')
  assert.equal(await readHomeVersion(home), { format: homeFormat, daemon: version })
  assert.is((await stat(versionFile(home))).mode & 0o077, 0)
  assert.not.ok((await readdir(home)).includes('upgrades'))
  await rm(home, { recursive: true })
})

// Fails if copies are sorted by name only: the new one is deleted if the clock was ahead earlier.
test('keeps the last two copies and always the new one, and deletes partial ones', async () => {
  const home = await golden1()
  const upgrades = join(home, 'upgrades')
  for (const name of [
    '20240101T000000000Z-0.0.1',
    '20990101T000000000Z-0.0.2',
    '20260101T000000000Z-0.0.3.tmp',
  ])
    await mkdir(join(upgrades, name, 'personas', 'ada'), { recursive: true })
  await writeHomeVersion(home, { format: 5, daemon: '0.0.3' })
  assert.match(await openAll(home), /last opened by daimon 0\.0\.3:/)
  const names = await copiesIn(home)
  assert.is(names.length, 2)
  assert.match(names[0] ?? '', /^\d{8}T\d{9}Z-0\.0\.3$/)
  assert.is(names[1], '20990101T000000000Z-0.0.2')
  await rm(home, { recursive: true })
})

test('refuses a home of a newer format without changing it', async () => {
  const home = await golden1()
  await writeHomeVersion(home, { format: homeFormat + 1, daemon: '9.0.0' })
  const filesBefore = [await readFiles(journalIn(home)), await readdir(home)]
  const error = await openAll(home).catch((reason: unknown) => reason)
  assert.match(String(error), /HomeNewer: the home .* was last opened by daimon 9\.0\.0/)
  assert.equal(
    [await readFiles(journalIn(home)), (await readdir(home)).filter((name) => name !== 'lock')],
    filesBefore,
  )
  await rm(home, { recursive: true })
})

// Fails without the checksum: a flipped bit makes it the home of a newer daemon, which no one can start.
test('a damaged version counts as missing, and a copy is made', async () => {
  const home = await golden1()
  assert.match(await openAll(home), /from before homes had a version/)
  const validFile = await readFile(versionFile(home))
  const digit = validFile.indexOf(String(homeFormat))
  validFile.writeUInt8(validFile.readUInt8(digit) ^ 1, digit)
  for (const content of [validFile, Buffer.alloc(0), Buffer.from('{}'), Buffer.alloc(60)]) {
    await writeFile(versionFile(home), content)
    assert.match(await openAll(home), /from before homes had a version/)
  }
  assert.is((await copiesIn(home)).length, 2)
  await rm(home, { recursive: true })
})

test('opens nothing if the copy fails, and retries at the next start', async () => {
  const home = await golden1()
  await writeFile(join(home, 'upgrades'), 'in the way')
  const filesBefore = await readFiles(journalIn(home))
  const error = await openAll(home).catch((reason: unknown) => reason)
  assert.match(String(error), /HomeError: the home .* cannot be used: /)
  assert.equal(await readFiles(journalIn(home)), filesBefore)
  assert.not.ok((await readdir(home)).includes('version'))
  await rm(join(home, 'upgrades'))
  assert.match(await openAll(home), /a copy of/)
  await rm(home, { recursive: true })
})

test.run()
