/**
 * Missing files, and folders in place of files. They are reported before LevelDB changes anything, or no data
 * is lost.
 */

import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openCatalog } from '../../home/catalog.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { splitLog } from '../ordeal/two-logs.ts'
import { inHome } from './engines.ts'
import { born, createMessageHeard, createMessageSpoken, draft, facts, renamed } from './facts.ts'

const test = suite('journals with damaged files')

const journalPath = (home: string): string => join(home, 'personas', 'ada', 'journal')

const open = async (home: string, witnessed: Head) =>
  openPersonaJournals({ stores: await openHomeStores(home), witness: async () => witnessed })

/** Writes records to a table and to the log. */
const prepare = async (home: string): Promise<Head> => {
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const newJournal = await journals.create('ada', draft(born))
  await newJournal.append(
    [draft(createMessageHeard('in a table', 'k1'), createMessageSpoken('yes'))],
    newJournal.head,
  )
  await newJournal.close()
  const journal = await journals.open('ada', 'writer')
  for (let n = 0; n < 6; n++)
    await journal.append([draft(renamed(`Ada ${n}`), createMessageSpoken(`I am ${n}`))], journal.head)
  const { head } = journal
  await journal.close()
  return head
}

const listLogs = async (home: string): Promise<readonly string[]> =>
  (await readdir(journalPath(home))).filter((name) => name.endsWith('.log')).sort()

/** Returns the bytes of all files except LevelDB's own notes. */
const contents = async (home: string): Promise<readonly (readonly [string, string])[]> => {
  const names = (await readdir(journalPath(home), { withFileTypes: true })).filter(
    (entry) => entry.isFile() && !/^LO/.test(entry.name),
  )
  return Promise.all(
    names.map(
      async ({ name }) => [name, (await readFile(join(journalPath(home), name))).toString('base64')] as const,
    ),
  )
}

const isDamaged = async (home: string, head: Head): Promise<boolean> => {
  const journals = await open(home, head)
  try {
    await (await journals.open('ada', 'writer')).close()
    return false
  } catch (error) {
    assert.instance(error, Damaged)
    return true
  }
}

/** Checks that the journal is damaged and readable up to the damage, and that no byte changes. */
const staysAsItIs = async (home: string, head: Head, label: string): Promise<void> => {
  const filesBefore = await contents(home)
  assert.ok(await isDamaged(home, head), `${label} is not noticed`)
  const reader = await (await open(home, head)).open('ada', 'reader')
  const storedFacts = await facts(reader.read({}))
  assert.is((await reader.verify()).firstBad, storedFacts.length + 1, label)
  await reader.close()
  assert.equal(await contents(home), filesBefore, label)
}

test('the witness detects a missing log, unless the log was empty', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    await (await (await open(home, head)).open('ada', 'writer')).close()
    for (const log of await listLogs(home)) await rm(join(journalPath(home), log))
    assert.not(await isDamaged(home, head), 'a log without records')
    const journals = await open(home, head)
    const journal = await journals.open('ada', 'writer')
    await journal.append([draft(renamed('in the log'))], journal.head)
    const witnessed = journal.head
    await journal.close()
    for (const log of await listLogs(home)) await rm(join(journalPath(home), log))
    assert.ok(await isDamaged(home, witnessed), 'a log with a record')
  }))

// Fails if only the newest log may end badly: a crash during recovery then makes the persona sick.
test('a torn end of an older log without records does no harm', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    const [log = ''] = await listLogs(home)
    await appendFile(join(journalPath(home), log), Buffer.alloc(40, 7))
    await writeFile(join(journalPath(home), '000099.log'), '')
    assert.not(await isDamaged(home, head))
  }))

// Fails if torn logs are not read: the records that LevelDB dropped from the older log are lost.
test('a salvage reads records before the torn end of a log that LevelDB dropped', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    await splitLog(journalPath(home))
    const [older = '', newest = ''] = await listLogs(home)
    const bytes = await readFile(join(journalPath(home), older))
    assert.ok(newest)
    await truncate(join(journalPath(home), older), bytes.length - 5)
    assert.ok(await isDamaged(home, head))
    assert.equal(
      await readFile(join(journalPath(home), `torn-${older.replace('.log', '')}`)),
      bytes.subarray(0, -5),
    )
    const first = { event: born, cause: { by: 'host' }, at: 1, offset: 0 } as const
    const { loss } = await (await open(home, head)).salvage('ada', first, async (_, loss) =>
      draft({ type: 'Salvaged', ...loss }),
    )
    assert.ok(loss.lost > 0 && loss.lost <= 2, `${loss.lost} are lost`)
    assert.is(loss.kept + loss.lost, head.seq)
  }))

test('reads two logs in order', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    await splitLog(journalPath(home))
    assert.not(await isDamaged(home, head))
  }))

// Fails if the end is left to LevelDB, which drops it together with its log.
test('keeps a copy of a torn log with records', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    const [log = ''] = await listLogs(home)
    const bytes = await readFile(join(journalPath(home), log))
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20)
    await writeFile(join(journalPath(home), log), bytes)
    assert.ok(await isDamaged(home, head))
    assert.equal(await readFile(join(journalPath(home), `torn-${log.replace('.log', '')}`)), bytes)
    assert.ok(await isDamaged(home, head), 'it is forgotten at the next opening')
    assert.equal(await readFile(join(journalPath(home), `torn-${log.replace('.log', '')}`)), bytes)
  }))

// Fails with a raw EISDIR, and if LevelDB's own message is not recognized as damage.
test('a folder in place of a file is damage', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    const names = (await readdir(journalPath(home))).filter((name) => !name.startsWith('LOG'))
    for (const name of names) {
      const path = join(journalPath(home), name)
      const bytes = await readFile(path)
      await rm(path)
      await mkdir(path)
      await staysAsItIs(home, head, name)
      await rm(path, { recursive: true })
      await writeFile(path, bytes)
    }
    assert.not(await isDamaged(home, head))
  }))

// LevelDB itself refuses most of these. The test makes sure that it continues to.
test('a manifest truncated at any byte loses no table', () =>
  inHome(async (home) => {
    const head = await prepare(home)
    const [name = ''] = (await readdir(journalPath(home))).filter((file) => file.startsWith('MANIFEST'))
    const filesBefore = await contents(home)
    const { length } = await readFile(join(journalPath(home), name))
    for (let size = 0; size < length; size += 5) {
      for (const file of await readdir(journalPath(home)))
        await rm(join(journalPath(home), file), { recursive: true })
      for (const [file, bytes] of filesBefore)
        await writeFile(join(journalPath(home), file), Buffer.from(bytes, 'base64'))
      await truncate(join(journalPath(home), name), size)
      if (await isDamaged(home, head)) await staysAsItIs(home, head, `a manifest of ${size} bytes`)
    }
  }))

// Fails if LevelDB's own message is not recognized as damage: the home is then unusable.
test('rebuilds a catalog with a folder in place of one of its files', () =>
  inHome(async (home) => {
    const folders = ['catalog', 'lock']
    for (const folder of folders)
      for (const pattern of [/^CURRENT$/, /^MANIFEST/, /\.log$/, /^LOCK$/]) {
        await (await openCatalog(home)).close()
        const [name = ''] = (await readdir(join(home, folder))).filter((file) => pattern.test(file))
        await rm(join(home, folder, name))
        await mkdir(join(home, folder, name))
        const catalog = await openCatalog(home)
        catalog.put('ada', { head: { seq: 1, hash: 'ab' }, self: {} })
        await catalog.close()
        const reopened = await openCatalog(home)
        assert.is(reopened.get('ada')?.head.seq, 1, `${folder}/${name}`)
        await reopened.close()
      }
  }))

test.run()
