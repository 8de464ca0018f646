/**
 * A past made by trimming copied files equals the same past copied record by record, whichever file contained
 * which record, and contains no later byte.
 */

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { type Draft, type Journal, type Journals, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { journalFolder } from '../../home/places.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { readManifest } from '../../journal/leveldb/manifest-file.ts'
import { pairsOfBlocks } from '../../journal/leveldb-reader/table-file.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { wholeStore } from '../../journal/log/keys.ts'
import type { Store } from '../../journal/log/store.ts'
import { trimPast } from '../../journal/log/trim-past.ts'
import type { Erased } from '../../journal/log/vocabulary.ts'
import { toParts } from '../message-parts.ts'
import { scaleSize } from '../ordeal.ts'
import { type Chance, createChance } from '../random.ts'
import { inHome } from './engines.ts'
import { factsByType } from './facts.ts'

const draft = (...events: readonly PersonaEvent[]): Draft => ({
  events,
  cause: { by: 'person' },
  at: 1_767_000_000_000,
  offset: 0,
})
const channel = { type: 'web', name: 'ada' } as const
const toSha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const filename = (n: number) => `${toSha(Buffer.from(`${n}`)).slice(0, 32)}.png`
/** A text that occurs only at this position; incompressible. */
const createWord = (seq: number) => `<${toSha(Buffer.from(`word ${seq}`))}>`

const fileName = (n: number) =>
  ({ ...factsByType.MessageHeard.media, filename: filename(n) }) as typeof factsByType.MessageHeard.media

const messageAt = (seq: number, n: number, long: number, chance: Chance): PersonaEvent => ({
  type: 'MessageHeard',
  channel,
  parts: toParts(createWord(seq).repeat(long)),
  media: chance.next() < 0.2 ? fileName(n) : null,
  key: chance.next() < 0.5 ? `k${chance.pickBetween(0, n)}` : null,
})

/** Appends many commits and reopens the journal now and then, so that data is in tables and in logs. */
const live = async (journals: Journals, chance: Chance, long: number): Promise<Journal> => {
  const first = { ...factsByType.PersonaCreated, id: 'ada' } as const
  let journal = await journals.create('ada', draft(first))
  for (let commits = chance.pickBetween(5, 80), n = 0; n < commits; n++) {
    const part = Buffer.from(`part ${chance.pickBetween(0, n)}`)
    const partId = await journal.putPart(part)
    const seq = journal.head.seq + 1
    const events: PersonaEvent[] = [messageAt(seq, n, chance.pickBetween(1, long), chance)]
    if (chance.next() < 0.6)
      events.push({
        ...factsByType.ModelAnswered,
        turn: null,
        recipe: { parts: [1, partId], sent: '00'.repeat(32) },
      })
    if (chance.next() < 0.2) events.push({ ...factsByType.EntryPlanned, id: `p${n}` })
    await journal.append([draft(...events)], journal.head)
    if (chance.next() < 0.3)
      await journal.keepSnapshot({
        projector: chance.pick(['persona', 'usage']),
        version: 1,
        head: journal.head,
        state: createWord(seq).repeat(long),
        alone: chance.next() < 0.3,
      })
    if (chance.next() < 0.1) {
      const pruning = journal.pruning()
      if (chance.next() < 0.5) await pruning.drop([toSha(Buffer.from(`part ${chance.pickBetween(0, n)}`))])
      await pruning.done(journal.head.seq)
      pruning.end()
    }
    if (chance.next() < 0.1) journal = await eraseSome(journals, journal, chance)
  }
  return journal
}

const eraseSome = async (journals: Journals, journal: Journal, chance: Chance): Promise<Journal> => {
  await journal.close()
  if (chance.next() < 0.5) {
    const erasure = {
      seqs: new Set([chance.pickBetween(2, journal.head.seq)]),
      parts: new Set<string>(),
      texts: [],
    }
    await journals.erase('ada', erasure, async (_, facts) =>
      facts.length > 0 ? [draft({ type: 'FactsErased', facts: [...facts], withdrawn: [] })] : [],
    )
  }
  return journals.open('ada', 'writer')
}

interface PastState {
  readonly items: readonly string[]
  readonly files: readonly string[]
  readonly erasedFacts: readonly Erased[]
}

const readPastState = async (
  store: Store,
  pages: AsyncGenerator<readonly string[], readonly Erased[]>,
): Promise<PastState> => {
  const files: string[] = []
  let page = await pages.next()
  for (; !page.done; page = await pages.next()) files.push(...page.value)
  const items: string[] = []
  for await (const page of store.items(wholeStore))
    items.push(...page.map(([key, value]) => `${key.toString('latin1')} ${value.toString('hex')}`))
  return { items, files, erasedFacts: page.value }
}

const byRecords = async (home: string, journal: Journal, lastHead: Head): Promise<PastState> => {
  const folder = join(home, 'by-records')
  await mkdir(folder)
  const store = await openLevelStore(folder, 'new')
  try {
    return await readPastState(store, journal.copyPast(store, lastHead))
  } finally {
    await store.close()
  }
}

const copyFiles = async (home: string, journals: Journals): Promise<{ store: Store; folder: string }> => {
  const files = await journals.take('ada', join(home, 'taken'))
  assert.ok(files)
  const folder = join(home, 'by-files')
  await mkdir(folder)
  return { store: await files.lay(folder), folder }
}

/** Returns all uncompressed data in the files, including replaced and removed data. */
const bytesIn = async (folder: string): Promise<string> => {
  const bytes: Buffer[] = []
  for (const name of await readdir(folder)) {
    const file = await readFile(join(folder, name))
    bytes.push(file)
    if (name.endsWith('.ldb')) for (const items of pairsOfBlocks(file)) bytes.push(...items.flat())
  }
  return Buffer.concat(bytes).toString('latin1')
}

const inJournals = (look: (journals: Journals, home: string) => Promise<void>) =>
  inHome(async (home) => {
    const stores = await openHomeStores(home)
    await look(openPersonaJournals({ stores, witness: async () => undefined }), home)
  })

/**
 * Fails without compaction, if unnamed parts stay, if dedupe keys are counted as before, if the index has
 * more entries than the journal, and if the logs are not copied.
 */
test('trimming files gives the same past as copying records, without a later byte', async () => {
  const chance = createChance('a past of files')
  for (let n = 0; n < scaleSize(150, 25); n++)
    await inJournals(async (journals, home) => {
      // Long texts fill a table every few commits.
      const journal = await live(journals, chance, [1, 200, 2000][n % 3] ?? 1)
      const { head } = journal
      const seq = chance.next() < 0.3 ? head.seq : chance.pickBetween(1, head.seq)
      const lastHead = { seq, hash: (await journal.hashAt(seq)) ?? '' }
      const expectedPast = await byRecords(home, journal, lastHead)
      const { store, folder } = await copyFiles(home, journals)
      const pastJournal = await readPastState(store, trimPast(personaVocabulary, store, lastHead))
      await store.close()
      assert.equal(pastJournal, expectedPast)
      const bytes = await bytesIn(folder)
      for (let afterSeq = seq + 1; afterSeq <= head.seq; afterSeq++)
        assert.not(bytes.includes(createWord(afterSeq)))
      assert.ok((await journal.verify()).intact)
      await journal.close()
    })
})

// Fails if the logs are not copied.
test('copies files during appends and compactions without losing a published fact', async () => {
  await inJournals(async (journals, home) => {
    const journal = await journals.create('ada', draft({ ...factsByType.PersonaCreated, id: 'ada' }))
    const chance = createChance('files of a busy journal')
    let publishedHead = journal.head
    let isDone = false
    let copies = 0
    const pendingWrites = (async () => {
      for (let n = 0; !isDone; n++) {
        await journal.append([draft(messageAt(publishedHead.seq + 1, n, 2000, chance))], journal.head)
        publishedHead = journal.head
      }
    })()
    try {
      for (let times = scaleSize(100, 25); times > 0; times--) {
        const { seq } = publishedHead
        await new Promise((resolve) => setTimeout(resolve, chance.pickBetween(0, 50)))
        const lastHead = publishedHead
        const files = await journals.take('ada', join(home, `taken-${times}`))
        if (!files) continue
        const folder = join(home, `by-files-${times}`)
        await mkdir(folder)
        const store = await files.lay(folder)
        const pastJournal = await readPastState(store, trimPast(personaVocabulary, store, lastHead))
        await store.close()
        // A batch in progress would leave its text in the torn end of a log.
        assert.not((await bytesIn(folder)).includes(createWord(lastHead.seq + 1)))
        assert.ok(lastHead.seq >= seq && pastJournal.items.length >= lastHead.seq)
        copies++
      }
    } finally {
      isDone = true
      await pendingWrites
      await journal.close()
    }
    assert.ok(copies > 0)
  })
})

// Fails if tables are hard links in the new store.
test('a damaged byte in one journal is detected and does not affect the other', async () => {
  await inJournals(async (journals, home) => {
    const chance = createChance('a spoiled table')
    let journal = await journals.create('ada', draft({ ...factsByType.PersonaCreated, id: 'ada' }))
    for (let n = 0; n < 20; n++)
      await journal.append([draft(messageAt(journal.head.seq + 1, n, 2000, chance))], journal.head)
    await journal.close()
    journal = await journals.open('ada', 'writer')
    const lastHead = journal.head
    // Closed so that no compaction is running.
    await journal.close()
    const { store, folder } = await copyFiles(home, journals)
    await readPastState(store, trimPast(personaVocabulary, store, lastHead))
    const place = journalFolder(home, 'ada')
    const live = (await readManifest(place))?.tables
    const [table = ''] = (await readdir(place)).filter((name) => live?.has(Number.parseInt(name, 10)))
    const bytes = await readFile(join(place, table))
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
    await writeFile(join(place, table), bytes)
    await store.close()
    const reopened = await openLevelStore(folder, 'existing')
    const pastJournal = await readPastState(reopened, trimPast(personaVocabulary, reopened, lastHead))
    assert.ok(pastJournal.items.length > lastHead.seq)
    await reopened.close()
    const files = await journals.take('ada', join(home, 'taken-spoiled'))
    assert.ok(files)
    await mkdir(join(home, 'spoiled'))
    await files.lay(join(home, 'spoiled')).then(
      () => assert.unreachable(),
      (error) => assert.instance(error, Damaged),
    )
  })
})

test.run()
