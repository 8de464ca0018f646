/** The valid part of a damaged journal becomes a valid journal. */

import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { type First, type Journals, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import type { Engine } from '../../journal/conformance/conformance.ts'
import { Damaged, Held, Unknown } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import type { Loss } from '../../journal/log/journal.ts'
import { recordKey } from '../../journal/log/keys.ts'
import { chanceFrom } from '../random.ts'
import { levelEngine, memoryEngine, temporary } from './engines.ts'
import { born, createMessageHeard, createMessageSpoken, draft, facts, renamed } from './facts.ts'

const first: First = {
  event: { ...born, name: 'As the list knows her' } as PersonaEvent,
  cause: { by: 'host' },
  at: 1000,
  offset: 60,
}
const lostFact: PersonaEvent = { type: 'Lost' }
const createSalvaged = (loss: Loss) => draft({ type: 'Salvaged', ...loss })

interface Place extends Engine {
  readonly journals: Journals
  head: Head
}

for (const [engine, make] of Object.entries({ memory: memoryEngine, LevelDB: levelEngine })) {
  const test = suite<{ place: Place }>(`salvage in ${engine}`)
  test.before.each(async (context) => {
    const createdHome = await make()
    const place: Place = {
      ...createdHome,
      head: emptyHead,
      journals: openPersonaJournals({ stores: createdHome.stores, witness: async () => place.head }),
    }
    context.place = place
    const journal = await place.journals.create('ada', draft(born))
    for (let n = 0; n < 6; n++)
      await journal.append(
        [draft(createMessageHeard(`word ${n}`, `key ${n}`), createMessageSpoken(`answer ${n}`))],
        journal.head,
      )
    place.head = journal.head
    await journal.close()
  })
  test.after.each(({ place }) => place.end())

  const spoil = async ({ stores }: Place, ...seqs: readonly number[]) => {
    const store = await stores.open('ada')
    await store.batch(
      seqs.map((seq) => ({ type: 'put', key: recordKey(seq), value: Buffer.from('not what it was') })),
      { sync: true },
    )
    await store.close()
  }
  const salvage = async (place: Place) => {
    const result = await place.journals.salvage('ada', first, async (_journal, loss) => createSalvaged(loss))
    place.head = result.head
    const journal = await place.journals.open('ada', 'writer')
    const all = await facts(journal.read({}))
    const talk = await facts(journal.read({ kind: 'talk' }))
    assert.ok((await journal.verify()).intact)
    assert.equal(
      talk,
      all.filter(({ type }) => type === 'MessageHeard' || type === 'MessageSpoken'),
    )
    await journal.append([draft(renamed('Ada lives on'))], journal.head)
    const knownSeq = await journal.findByKey('key 5')
    await journal.close()
    return { ...result, all, known: knownSeq }
  }

  test('keeps every valid fact at its position, also after damage, and marks lost ones', async ({
    place,
  }) => {
    const journal = await place.journals.open('ada', 'reader')
    const factsBefore = await facts(journal.read({}))
    await journal.close()
    await spoil(place, 4, 9, 10)
    const { all, loss, known } = await salvage(place)
    assert.equal(loss, { kept: 10, lost: 3, first: 4 })
    assert.equal(
      all.slice(0, -1),
      factsBefore.map((fact, place) => ([3, 8, 9].includes(place) ? lostFact : fact)),
    )
    assert.equal(all.at(-1), { type: 'Salvaged', ...loss })
    assert.is(known, 12)
  })

  test('reuses no position: records missing at the end are marked as well', async ({ place }) => {
    place.head = { seq: 20, hash: 'ab'.repeat(32) }
    const { all, loss } = await salvage(place)
    assert.equal(loss, { kept: 13, lost: 7, first: 14 })
    assert.is(all.length, 21)
    assert.equal(all.slice(13, 20), Array(7).fill(lostFact))
  })

  test('replaces a lost first fact with the known one', async ({ place }) => {
    await spoil(place, 1)
    const { all, loss } = await salvage(place)
    assert.equal(loss, { kept: 12, lost: 1, first: 1 })
    assert.equal(all[0], first.event)
  })

  // Fails if `isContradicted` is always false: the changed record is kept.
  test('drops a record that its neighbours contradict', async ({ place }) => {
    const store = await place.stores.open('ada')
    const value = (await store.get(recordKey(6))) ?? Buffer.alloc(0)
    // A byte of the commit's id, which only the chain protects.
    value.writeUInt8(value.readUInt8(12) ^ 1, 12)
    await store.batch([{ type: 'put', key: recordKey(6), value }], { sync: true })
    await store.close()
    const { all, loss } = await salvage(place)
    assert.equal(loss, { kept: 12, lost: 1, first: 6 })
    assert.equal(all[5], lostFact)
  })

  test('does not salvage a journal that is open, unknown or has no valid record', async ({ place }) => {
    const mend = async (_: unknown, loss: Loss) => createSalvaged(loss)
    const open = await place.journals.open('ada', 'reader')
    await rejects(place.journals.salvage('ada', first, mend), Held)
    await open.close()
    await rejects(place.journals.salvage('bea', first, mend), Unknown)
    await spoil(place, ...Array.from({ length: 13 }, (_, place) => place + 1))
    await rejects(place.journals.salvage('ada', first, mend), Damaged)
    await rejects(place.journals.open('ada', 'writer'), Damaged)
  })

  test('changes nothing if the last commit cannot be created', async ({ place }) => {
    await spoil(place, 5)
    const mend = async () => {
      throw new TypeError('no words')
    }
    await rejects(place.journals.salvage('ada', first, mend), TypeError)
    await rejects(place.journals.open('ada', 'writer'), Damaged)
    assert.is((await salvage(place)).loss.lost, 1)
  })

  test.run()
}

const disk = suite<{ home: string }>('salvage from files')
disk.before.each(async (context) => {
  context.home = await temporary()
})
disk.after.each(({ home }) => rm(home, { recursive: true, force: true }))

/** Long enough for tables, with a log at the end. */
const createLong = async (home: string) => {
  const stores = await openHomeStores(home)
  let head: Head = emptyHead
  const journals = openPersonaJournals({ stores, witness: async () => head })
  const journal = await journals.create('ada', draft(born))
  const chance = chanceFrom(7)
  for (let n = 0; n < 60; n++) {
    const texts = Array.from({ length: 20 }, (_, m) =>
      createMessageHeard(`${n}.${m} ${'la '.repeat(chance.pickBetween(0, 400))}`),
    )
    await journal.append([draft(...texts)], journal.head)
  }
  head = journal.head
  const factsBefore = await facts(journal.read({}))
  await journal.close()
  return { journals, before: factsBefore, folder: join(home, 'personas', 'ada', 'journal') }
}

// Fails if a table with one bad block is skipped: hundreds of records are lost.
disk(
  'one flipped bit costs the facts of its block, and the damaged files stay beside as they were',
  async ({ home }) => {
    const { journals, before, folder } = await createLong(home)
    const names = (await readdir(folder)).filter((name) => /\.(ldb|log)$/.test(name))
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
    const largest = join(folder, names[sizes.indexOf(Math.max(...sizes))] ?? '')
    const bytes = await readFile(largest)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
    await writeFile(largest, bytes)

    await rejects(journals.open('ada', 'writer'), Damaged)
    const damagedFolders = await Promise.all(
      (await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name))] as const),
    )
    const { loss, copy } = await journals.salvage('ada', first, async (_, loss) => createSalvaged(loss))
    assert.ok(loss.lost > 0 && loss.lost < 60, `${loss.lost} are lost`)
    for (const [name, was] of damagedFolders) assert.ok(was.equals(await readFile(join(copy, name))), name)

    const stores = await openHomeStores(home)
    const reopened = await openPersonaJournals({ stores, witness: async () => undefined }).open(
      'ada',
      'writer',
    )
    const factsAfter = await facts(reopened.read({}))
    assert.is(factsAfter.length, before.length + 1)
    for (const [place, fact] of factsAfter.slice(0, -1).entries())
      if (fact.type !== 'Lost') assert.equal(fact, before[place])
    assert.ok((await reopened.verify()).intact)
    await reopened.close()
  },
)

for (const missingFile of ['CURRENT', /^MANIFEST/, /\.ldb$/]) {
  disk(`recovers without ${missingFile}`, async ({ home }) => {
    const { journals, before, folder } = await createLong(home)
    const [name = ''] = (await readdir(folder)).filter((name) =>
      typeof missingFile === 'string' ? name === missingFile : missingFile.test(name),
    )
    await rm(join(folder, name))
    const { loss } = await journals.salvage('ada', first, async (_, loss) => createSalvaged(loss))
    assert.is(loss.kept + loss.lost, before.length)
    assert.is(loss.lost === 0, missingFile.toString() !== /\.ldb$/.toString())
  })
}

// Fails if `journal.next` is not checked: the journal is unknown.
disk('completes an interrupted replacement at the next start', async ({ home }) => {
  const { before, folder } = await createLong(home)
  const { rename } = await import('node:fs/promises')
  await rename(folder, `${folder}.next`)
  const stores = await openHomeStores(home)
  const journal = await openPersonaJournals({ stores, witness: async () => undefined }).open('ada', 'reader')
  assert.is((await facts(journal.read({}))).length, before.length)
  await journal.close()
})

disk.run()

async function rejects(promise: Promise<unknown>, kind: new (...words: never[]) => Error) {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.instance(error, kind)
}
