/** The cached conversation equals the data on disk. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Journal, openPersonaJournals, type Range } from '../../facts/persona-journal.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { createChance } from '../random.ts'
import { born, collect, createMessageHeard, createMessageSpoken, draft, renamed } from './facts.ts'

const readTexts = async (journal: Journal, range: Range) =>
  (await collect(journal.read(range))).map(({ seq, event }) => [seq, event])

/** Fails if the cache adds records that were read, but not those that were appended meanwhile. */
test('ranges from the cache equal those from disk', async () => {
  const chance = createChance('latest talk')
  for (let story = 0; story < 3; story++) {
    const stores = memoryStores({})
    const journals = openPersonaJournals({ stores, witness: async () => undefined })
    const journal = await journals.create('ada', draft(born))
    for (let step = 0; step < 60; step++) {
      const [length, count] = chance.pick<readonly [number, number]>([
        [3, 1],
        [3, 2],
        [3, 90],
        [90_000, 3],
      ])
      const message = 'x'.repeat(length)
      const texts = Array.from({ length: count }, (_, n) => `${message} ${n}`)
      const events = texts.map((text) =>
        chance.pick([createMessageHeard(text), createMessageSpoken(text), renamed(text)] as const),
      )
      const range: Range = {
        kind: 'talk',
        after: chance.pickBetween(0, journal.head.seq),
        ...(chance.next() < 0.5 && { upTo: chance.pickBetween(1, journal.head.seq) }),
        ...(chance.next() < 0.5 && { last: chance.pickBetween(0, 600) }),
      }
      const pendingTexts = readTexts(journal, range)
      const headThen = journal.head.seq
      if (chance.next() < 0.7) await journal.append([draft(...events)], journal.head)
      const fromDisk = await readTexts(journal, { after: range.after ?? 0, upTo: range.upTo ?? headThen })
      const talk = fromDisk.filter(([, event]) =>
        /^Message(Heard|Spoken)$/.test((event as { type: string }).type),
      )
      const expectedEntries =
        range.last === undefined ? talk : talk.slice(Math.max(0, talk.length - range.last))
      assert.equal(await pendingTexts, expectedEntries, JSON.stringify(range))
      if (chance.next() < 0.05) await journal.settle()
    }
    await journal.close()
  }
})

/** Fails if the journal reads from its store each time. */
test('reads from the disk once', async () => {
  const stores = memoryStores({})
  let reads = 0
  const countingCreate = async (...args: Parameters<typeof stores.create>) => {
    const store = await stores.create(...args)
    const values: typeof store.values = (span) => {
      reads++
      return store.values(span)
    }
    const getMany: typeof store.getMany = (keys) => {
      reads++
      return store.getMany(keys)
    }
    return { ...store, values, getMany }
  }
  const journals = openPersonaJournals({
    stores: { ...stores, create: countingCreate },
    witness: async () => undefined,
  })
  const journal = await journals.create(
    'ada',
    draft(born, createMessageHeard('Hello'), createMessageSpoken('Hi')),
  )
  assert.is((await readTexts(journal, { kind: 'talk', last: 400 })).length, 2)
  const readsOnce = reads
  await journal.append([draft(createMessageHeard('And?'), createMessageSpoken('So.'))], journal.head)
  assert.is((await readTexts(journal, { kind: 'talk', last: 400 })).length, 4)
  assert.is((await readTexts(journal, { kind: 'talk', after: 3 })).length, 2)
  assert.is(reads, readsOnce)
  await journal.close()
})

test.run()
