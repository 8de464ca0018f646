/** Journals as files: permissions, folders, leftovers of a crash, and detection of every flipped bit. */

import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Journal, type Journals, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { Damaged, Unavailable, Unknown } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { bytesIn, inHome } from './engines.ts'
import {
  born,
  collect,
  createEntryPlanned,
  createMessageHeard,
  createMessageSpoken,
  draft,
  facts,
  listPositions,
  readCommits,
  renamed,
} from './facts.ts'

const test = suite('journals as files')

const toJournalPath = (home: string, ...path: readonly string[]): string =>
  join(home, 'personas', 'ada', 'journal', ...path)

const open = async (home: string, witnessed?: Head): Promise<Journals> =>
  openPersonaJournals({ stores: await openHomeStores(home), witness: async () => witnessed })

const failure = async (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    () => undefined,
    (error: unknown) => error,
  )

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

test('makes folders accessible to the owner only', () =>
  inHome(async (home) => {
    const journals = await open(join(home, 'deep', 'home'))
    await (await journals.create('ada', draft(born))).close()
    for (const folder of [
      'deep',
      'deep/home',
      'deep/home/personas',
      'deep/home/personas/ada',
      'deep/home/personas/ada/journal',
    ])
      assert.is(await mode(join(home, folder)), 0o700, folder)
  }))

test('lists only folders that contain a journal', () =>
  inHome(async (home) => {
    const journals = await open(home)
    assert.equal(await journals.ids(), [])
    await (await journals.create('ada', draft(born))).close()
    await mkdir(join(home, 'personas', 'secrets-only'))
    await mkdir(join(home, 'personas', 'Upper', 'journal'), { recursive: true })
    await writeFile(join(home, 'personas', 'afile'), '')
    assert.equal(await journals.ids(), ['ada'])
    assert.instance(await failure(journals.open('secrets-only', 'reader')), Unknown)
    assert.equal(await readdir(join(home, 'personas', 'secrets-only')), [])
  }))

test('removes the leftovers of an interrupted creation', () =>
  inHome(async (home) => {
    const journals = await open(home)
    await (await journals.create('ada', draft(born))).close()
    // State before the last step: a complete journal that is not in place.
    await rename(toJournalPath(home), join(home, 'trash', randomUUID()))
    const reopened = await open(home)
    assert.equal(await reopened.ids(), [])
    assert.equal(await readdir(home), ['personas'])
    assert.is((await reopened.create('ada', draft(born))).head.seq, 1)
  }))

test('completes an interrupted removal at the next start', () =>
  inHome(async (home) => {
    const journals = await open(home)
    await (await journals.create('ada', draft(born))).close()
    await writeFile(join(home, 'personas', 'ada', 'secrets'), 'x')
    await rename(join(home, 'personas', 'ada'), join(home, 'trash', randomUUID()))
    assert.equal(await (await open(home)).ids(), [])
    assert.equal(await readdir(home), ['personas'])
  }))

test('removes all files of a persona', () =>
  inHome(async (home) => {
    const journals = await open(home)
    await (await journals.create('ada', draft(born))).close()
    await mkdir(join(home, 'personas', 'ada', 'media'))
    await journals.remove('ada')
    assert.equal(await readdir(join(home, 'personas')), [])
    assert.equal(await readdir(join(home, 'trash')), [])
  }))

// Fails with LevelDB's defaults, without our own check.
test('a journal without CURRENT is damaged, not empty', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    await rename(toJournalPath(home, 'CURRENT'), toJournalPath(home, 'away'))
    const files = await readdir(toJournalPath(home))
    const journals = await open(home, head)
    assert.instance(await failure(journals.open('ada', 'writer')), Damaged)
    const reader = await journals.open('ada', 'reader')
    assert.equal(await facts(reader.read({})), answers.all)
    assert.is((await reader.verify()).intact, false)
    assert.instance(await failure(reader.append([draft(renamed('x'))], reader.head)), Unavailable)
    await reader.close()
    assert.equal(await readdir(toJournalPath(home)), files)
    assert.equal(await readdir(join(home, 'trash')), [])
    await rename(toJournalPath(home, 'away'), toJournalPath(home, 'CURRENT'))
    assert.equal((await (await open(home, head)).open('ada', 'writer')).head, head)
  }))

test('a missing or truncated file is damage; the rest is readable and unchanged', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    const expectedBefore = await readFiles(home)
    for (const harm of ['rm', 'cut'] as const) {
      for (const file of expectedBefore.files.filter((name) => /ldb$|^MANIFEST/.test(name))) {
        await expectedBefore.restore()
        if (harm === 'rm') await rm(toJournalPath(home, file))
        else await truncate(toJournalPath(home, file), 7)
        const files = await readdir(toJournalPath(home))
        const journals = await open(home, head)
        assert.instance(await failure(journals.open('ada', 'writer')), Damaged, `${harm} ${file}`)
        const reader = await journals.open('ada', 'reader')
        const all = await facts(reader.read({}))
        assert.equal(all, answers.all.slice(0, all.length))
        await reader.close()
        assert.equal(await readdir(toJournalPath(home)), files)
      }
    }
  }))

// Fails if the log is left to LevelDB, which reads the valid part and deletes it.
test('reads up to damage in the middle of a log, and does not change the log', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    const log = (await readdir(toJournalPath(home))).find((name) => name.endsWith('.log')) ?? ''
    const bytes = await readFile(toJournalPath(home, log))
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    await writeFile(toJournalPath(home, log), bytes)
    const journals = await open(home, head)
    assert.instance(await failure(journals.open('ada', 'writer')), Damaged)
    const reader = await journals.open('ada', 'reader')
    const all = await facts(reader.read({}))
    assert.ok(all.length >= 11 && all.length < answers.all.length)
    assert.equal(all, answers.all.slice(0, all.length))
    await reader.close()
    assert.equal(await readFile(toJournalPath(home, log)), bytes)
  }))

// Fails if every table is checked: a journal that was closed during a compaction cannot be opened.
test('partial tables of a compaction are not damage', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    const [table = ''] = (await readdir(toJournalPath(home))).filter((name) => name.endsWith('.ldb'))
    const bytes = await readFile(toJournalPath(home, table))
    await writeFile(toJournalPath(home, '000998.ldb'), bytes.subarray(0, 300))
    await writeFile(
      toJournalPath(home, '000999.ldb'),
      Buffer.concat([Buffer.alloc(300), bytes.subarray(300)]),
    )
    const journal = await (await open(home, head)).open('ada', 'writer')
    assert.equal(await ask(journal), answers)
    await journal.close()
  }))

// Fails if flush does nothing: the records stay in the log.
test('flush writes records to a table without changing reads', () =>
  inHome(async (home) => {
    const journal = await (await open(home)).create('ada', draft(born))
    await journal.append([draft(createMessageHeard('I live in Lisbon'))], journal.head)
    const factsBefore = await facts(journal.read({}))
    assert.ok((await bytesIn(toJournalPath(home), '.log')).includes('Lisbon'))
    await journal.flush()
    assert.not((await bytesIn(toJournalPath(home), '.log')).includes('Lisbon'))
    assert.ok((await bytesIn(toJournalPath(home), '.ldb')).includes('Lisbon'))
    await journal.append([draft(createMessageSpoken('Noted'))], journal.head)
    assert.equal((await facts(journal.read({}))).slice(0, factsBefore.length), factsBefore)
    await journal.close()
  }))

// Fails without a witness: a truncated log just ends earlier, and LevelDB reports nothing.
test('detects a log that is truncated at any byte', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    const log = (await readdir(toJournalPath(home))).find((name) => name.endsWith('.log')) ?? ''
    const bytes = await readFile(toJournalPath(home, log))
    assert.ok(bytes.length > 500)
    const expectedBefore = await readFiles(home)
    for (let cutLength = 1; cutLength < bytes.length; cutLength += 97) {
      await expectedBefore.restore()
      await truncate(toJournalPath(home, log), bytes.length - cutLength)
      const journals = await open(home, head)
      assert.instance(await failure(journals.open('ada', 'writer')), Damaged)
      const reader = await journals.open('ada', 'reader')
      const all = await facts(reader.read({}))
      assert.equal(all, answers.all.slice(0, all.length))
      await reader.close()
    }
  }))

// Fails without the check of tables, without the chain check, and without a witness.
test('after any flipped bit, reads are correct or the journal is damaged', () =>
  inHome(async (home) => {
    const { head, answers } = await prepare(home)
    const expectedBefore = await readFiles(home)
    let detectedCount = 0
    for (const file of expectedBefore.files.filter((name) => /ldb$|log$|^MANIFEST|^CURRENT/.test(name))) {
      const bytes = await readFile(join(expectedBefore.copy, file))
      const step = Math.max(1, Math.floor(bytes.length / 24))
      for (let place = 3 % bytes.length; place < bytes.length; place += step) {
        await expectedBefore.restore()
        const flipped = Buffer.from(bytes)
        flipped.writeUInt8(flipped.readUInt8(place) ^ (1 << (place % 8)), place)
        await writeFile(toJournalPath(home, file), flipped)
        const journals = await open(home, head)
        try {
          const journal = await journals.open('ada', 'writer')
          try {
            assert.equal(await ask(journal), answers, `${file} ${place}`)
          } finally {
            await journal.close()
          }
        } catch (error) {
          assert.instance(error, Damaged, `${file} ${place}: ${error}`)
          detectedCount++
          const reader = await journals.open('ada', 'reader')
          const all = await facts(reader.read({}))
          assert.equal(all, answers.all.slice(0, all.length), `${file} ${place}`)
          await reader.close()
        }
      }
    }
    assert.ok(detectedCount > 20, `${detectedCount}`)
  }))

/** Creates a journal with records in a table and in the log. */
const prepare = async (home: string) => {
  const journals = await open(home)
  const newJournal = await journals.create('ada', draft(born))
  for (let n = 0; n < 5; n++)
    await newJournal.append(
      [draft(createMessageHeard(`word ${n}`, `key ${n}`), createMessageSpoken(`answer ${n}`))],
      newJournal.head,
    )
  await newJournal.keepSnapshot({ projector: 'state', version: 1, head: newJournal.head, state: { n: 5 } })
  await newJournal.close()
  const journal = await journals.open('ada', 'writer')
  for (let n = 5; n < 10; n++)
    await journal.append(
      [
        draft(createMessageHeard(`word ${n}`, `key ${n}`)),
        draft(createEntryPlanned(`plan ${n}`), renamed(`Ada ${n}`)),
      ],
      journal.head,
    )
  const result = { head: journal.head, answers: await ask(journal) }
  await journal.close()
  return result
}

const readFiles = async (home: string) => {
  const copy = join(home, 'copy')
  await cp(toJournalPath(home), copy, { recursive: true })
  const restore = async () => {
    await rm(toJournalPath(home), { recursive: true })
    await cp(copy, toJournalPath(home), { recursive: true })
  }
  return { copy, files: await readdir(copy), restore }
}

/** Collects the results of all reads of a journal. */
const ask = async (journal: Journal) => ({
  all: await facts(journal.read({})),
  talk: await facts(journal.read({ kind: 'talk' })),
  plans: await listPositions(journal.read({ kind: 'plans', last: 3 })),
  heard: await Promise.all(['key 0', 'key 7', 'never'].map((key) => journal.findByKey(key))),
  commits: readCommits(await collect(journal.commits(emptyHead))),
})

test.run()
