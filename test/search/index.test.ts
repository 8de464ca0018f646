/** The search index of a persona: its answers equal those of a full scan, even if the index is damaged. */
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SearchKinds } from '../../facts/fact.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import {
  addStretch,
  newestFirst,
  noPositions,
  partOfLife,
  stretches,
  wordSpan,
} from '../../src/search/positions.ts'
import { parseQuery } from '../../src/search/query.ts'
import { waitFor } from '../calls.ts'
import { tempHome } from '../daemon.ts'
import { createMessageHeard, draft } from '../journal/facts.ts'
import { createChance } from '../random.ts'
import { createQuestion, drawLife, type Life, type Question } from './chance.ts'
import { ada, createLife, firstLived, type Library, openLibrary, worthWriting } from './library.ts'

const chance = createChance('search')
const getFolder = (home: string) => join(home, 'personas', ada, 'search')

/** More texts than one batch on disk, and a rest that is in memory only. */
const life = drawLife(chance, 340)
const questions: readonly Question[] = Array.from({ length: 60 }, () => createQuestion(chance))
let lifeHome: string

test.before(async () => {
  lifeHome = await createLife(life.events)
})
test.after(() => rm(lifeHome, { recursive: true, force: true }))

const inCopy = async (act: (home: string) => Promise<void>) => {
  const home = await tempHome()
  try {
    await cp(lifeHome, home, { recursive: true })
    await act(home)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const withLibrary = async <T>(home: string, act: (library: Library) => Promise<T>): Promise<T> => {
  const library = await openLibrary(home)
  try {
    return await act(library)
  } finally {
    await library.close()
  }
}

const findExpected = ({ texts }: Life, { answers }: Question) =>
  [...texts]
    .filter(([, text]) => answers(text))
    .map(([seq]) => seq)
    .sort((left, right) => right - left)

/** Checks a few questions, for tests that check often. */
const answersAll = async (library: Library, sampleQuestions = questions.slice(0, 6)) => {
  for (const question of sampleQuestions)
    assert.equal(
      await library.find(question.text),
      findExpected(life, question),
      JSON.stringify(question.text),
    )
}

test('answers equal those of a full scan, in every language', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      const counts = []
      for (const question of questions) {
        const positions = await library.find(question.text)
        assert.equal(positions, findExpected(life, question), JSON.stringify(question.text))
        counts.push(positions.length)
      }
      assert.ok(counts.filter((count) => count > 0).length > questions.length / 3)
      assert.ok(existsSync(getFolder(home)))
    }),
  ))

test('pages cover all results without gaps or duplicates, and each kind can be searched alone', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      const all = await library.find('garden ')
      const paged: number[] = []
      for (let oldestSeq: number | undefined; ; oldestSeq = paged.at(-1)) {
        const page = await library.page({
          query: parseQuery('garden ', 'last'),
          limit: 7,
          ...(oldestSeq && { before: oldestSeq }),
        })
        paged.push(...page.hits.map(({ entry }) => entry.seq))
        assert.is(page.hasMore, paged.length < all.length)
        if (!page.hasMore) break
      }
      assert.equal(paged, all)
      const ofKinds = await Promise.all(SearchKinds.map((kind) => library.find('garden ', { kind })))
      assert.equal(
        ofKinds.flat().sort((left, right) => right - left),
        all,
      )
      assert.ok(ofKinds.filter(({ length }) => length > 0).length >= 2)
    }),
  ))

// Fails if the newest texts, which are only in memory, are left out.
test('finds new texts immediately while open, and concurrent searches agree', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      const first = life.events.length + firstLived
      for (let n = 0; n < 20; n++) {
        const [, ...found] = await Promise.all([
          library.hear(`a heron no${n}`),
          library.find('heron'),
          library.find('heron'),
        ])
        for (const seqs of found) assert.ok(seqs.length >= n && seqs.length <= n + 1)
      }
      assert.equal(
        await library.find('heron'),
        Array.from({ length: 20 }, (_, n) => first + 19 - n),
      )
      await answersAll(library)
    }),
  ))

/** Damage to the folder while the index is closed. */
const harms: Readonly<Record<string, (folder: string, files: readonly string[]) => Promise<unknown>>> = {
  'is gone': (folder) => rm(folder, { recursive: true }),
  'is empty': (folder, files) => Promise.all(files.map((file) => rm(join(folder, file)))),
  'is a file': async (folder) => {
    await rm(folder, { recursive: true })
    await writeFile(folder, 'no folder')
  },
  'holds garbage in place of each file': (folder, files) =>
    Promise.all(files.map((file) => writeFile(join(folder, file), 'garbage'))),
  'holds folders in place of its files': async (folder, files) => {
    for (const file of files) {
      await rm(join(folder, file))
      await mkdir(join(folder, file))
    }
  },
  'has lost its tables': (folder, files) =>
    Promise.all(files.filter((file) => file.endsWith('.ldb')).map((file) => rm(join(folder, file)))),
  'has a cut log': (folder, files) =>
    eachLog(folder, files, (path, bytes) => truncate(path, Math.floor(bytes.length * 0.6))),
  'has a log with a hole': (folder, files) =>
    eachLog(folder, files, (path, bytes) =>
      writeFile(path, bytes.fill(0, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2))),
    ),
  'has garbage behind its log': (folder, files) =>
    eachLog(folder, files, (path) => appendFile(path, Buffer.alloc(5000, 7))),
  'has flipped bits in its tables': (folder, files) =>
    Promise.all(files.map((file) => flip(join(folder, file), /\.ldb$/))),
}

const eachLog = async (
  folder: string,
  files: readonly string[],
  act: (path: string, bytes: Buffer) => Promise<unknown>,
) => {
  const logs = files.filter((file) => file.endsWith('.log')).map((file) => join(folder, file))
  for (const path of logs) await act(path, await readFile(path))
}

const flip = async (path: string, names: RegExp) => {
  if (!names.test(path)) return
  const bytes = await readFile(path)
  const place = chance.pickBetween(0, bytes.length - 60)
  await writeFile(path, bytes.fill((bytes[place] ?? 0) ^ 4, place, place + 1))
}

for (const [what, harm] of Object.entries(harms))
  test(`answers as before when its folder ${what}`, () =>
    inCopy(async (home) => {
      await withLibrary(home, (library) => library.find('garden'))
      await harm(getFolder(home), await readdir(getFolder(home)))
      await withLibrary(home, (library) => answersAll(library))
      await withLibrary(home, (library) => answersAll(library))
    }))

for (const [what, harm] of Object.entries({
  removed: (folder: string) => rm(folder, { recursive: true }),
  'replaced by a file': async (folder: string) => {
    await rm(folder, { recursive: true })
    await writeFile(folder, 'no folder')
  },
}))
  test(`keeps answering when its folder is ${what} while it is open`, () =>
    inCopy((home) =>
      withLibrary(home, async (library) => {
        await library.find('garden')
        await harm(getFolder(home))
        await answersAll(library)
        await Promise.all(Array.from({ length: 150 }, (_, n) => library.hear(`an egret n${n}`)))
        assert.is((await library.find('egret')).length, 150)
        await answersAll(library)
      }),
    ))

// Fails if the folder is created together with its parents: it would exist again.
test('scans all facts without an index', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      // Nothing can be created in a missing folder, not even by root.
      const personas = join(home, 'personas')
      await cp(join(personas, ada), join(personas, 'elsewhere'), { recursive: true })
      const question = questions.find((left) => findExpected(life, left).length > 3) as Question
      const foundSeqs = await library.personas.read(ada, async (reading) => {
        await rm(join(personas, ada), { recursive: true })
        const ask = { query: parseQuery(question.text, 'last'), before: 1e9, limit: 10_000 }
        return library.search.find(ada, reading, ask)
      })
      assert.equal(
        foundSeqs.hits.map(({ entry }) => entry.seq),
        findExpected(life, question),
      )
      assert.not.ok(existsSync(join(personas, ada)))
      assert.ok(library.logLines.some((line) => line.includes('reading the whole life instead')))
    }),
  ))

test('a copy of the home while the index is behind answers as the home does', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      await library.find('garden')
      for (let n = 0; n < 180; n += 60) {
        await Promise.all(Array.from({ length: 60 }, (_, m) => library.hear(`a stork no${n + m}`)))
        const copy = await tempHome()
        // The state after a kill, with writes pending.
        await cp(home, copy, { recursive: true })
        await rm(join(copy, 'lock'), { recursive: true, force: true })
        await withLibrary(copy, async (otherLibrary) => {
          const positions = await otherLibrary.find('stork')
          assert.is(positions.length, n + 60)
          await answersAll(otherLibrary, questions.slice(0, 4))
          await rm(getFolder(copy), { recursive: true })
        })
        const storkPositions = await withLibrary(copy, (otherLibrary) => otherLibrary.find('stork'))
        assert.is(storkPositions.length, n + 60)
        await rm(copy, { recursive: true, force: true })
      }
    }),
  ))

test('indexes new texts in the background before a search', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      assert.not.ok(existsSync(getFolder(home)))
      await Promise.all(Array.from({ length: worthWriting }, (_, n) => library.hear(`a crane ${n}`)))
      await waitFor('an index', () => existsSync(join(getFolder(home), 'CURRENT')))
      assert.is((await library.find('crane')).length, worthWriting)
    }),
  ))

// Fails if the mark is trusted without a check.
test('ignores an index of another journal', () =>
  inCopy(async (home) => {
    await withLibrary(home, (library) => library.find('garden'))
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async () => undefined,
    })
    await journals.remove('bea')
    const otherLibrary = await journals.create(
      'bea',
      draft({
        type: 'PersonaCreated',
        id: ada,
        name: 'Ada',
        birthday: '2026-01-31',
        idleTimeout: 1,
        recipient: 'age1',
      }),
    )
    await otherLibrary.append(
      Array.from({ length: 400 }, () => draft(createMessageHeard('a bittern'))),
      otherLibrary.head,
    )
    await otherLibrary.close()
    const place = (id: string) => join(home, 'personas', id)
    await rm(join(place(ada), 'journal'), { recursive: true })
    await cp(join(place('bea'), 'journal'), join(place(ada), 'journal'), { recursive: true })
    await rm(place('bea'), { recursive: true })
    await rm(join(home, 'catalog'), { recursive: true, force: true })
    await withLibrary(home, async (library) => {
      assert.is((await library.find('bittern')).length, 400)
      assert.equal(await library.find('garden'), [])
    })
  }))

test('releases a deleted persona immediately, even during a search, and recreates none of its files', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      await library.find('garden')
      const requests = Array.from({ length: 8 }, () =>
        library.find('garden').then(String, (error: Error) => error.message),
      )
      await library.personas.execute(ada, { type: 'DeletePersona', purge: false }, 'person')
      await library.personas.remove(ada, false)
      await Promise.all(requests)
      await library.find('garden').then(
        () => assert.unreachable(),
        (error: Error) => assert.match(error.message, 'persona_unknown'),
      )
      await library.clock.advance(200_000)
      assert.not.ok(existsSync(join(home, 'personas', ada)))
    }),
  ))

// Fails if ranges continue across the parts of a journal.
test('returns positions as they were stored, also across the parts of a journal', () => {
  const seqs = new Set<number>()
  for (let n = 0; n < 3000; n++)
    seqs.add(
      chance.pickBetween(1, 3) === 1
        ? partOfLife + chance.pickBetween(-200, 200)
        : chance.pickBetween(1, 3 * partOfLife - 1),
    )
  const sortedSeqs = [...seqs].sort((left, right) => left - right)
  const entries = [...stretches('word', sortedSeqs)]
  assert.is(entries.length, 3)
  for (const [from, to] of [
    [1, 3 * partOfLife + 1],
    [partOfLife, 2 * partOfLife],
    [partOfLife - 50, partOfLife + 50],
  ] as const) {
    const positions = noPositions(from, to)
    for (const op of entries) if (op.type === 'put') addStretch(positions, op.key, op.value)
    assert.equal(
      [...newestFirst(positions)].reverse(),
      sortedSeqs.filter((seq) => seq >= from && seq < to),
    )
  }
  const { from, to } = wordSpan('word', partOfLife, 2 * partOfLife)
  const keysInRange = entries.filter(
    ({ key }) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0,
  )
  assert.equal(keysInRange, entries.slice(1, 2))
})

test('a rebuild yields to other work', () =>
  inCopy((home) =>
    withLibrary(home, async (library) => {
      let turns = 0
      let isFollowing = true
      const rewrites = (async () => {
        for (; isFollowing; turns++) await new Promise((resolve) => setImmediate(resolve))
      })()
      await library.find('garden')
      isFollowing = false
      await rewrites
      assert.ok(turns > 10, `${turns}`)
    }),
  ))

test.run()
