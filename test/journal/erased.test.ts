/** Journals with erased payloads: the chain stays intact, and a fact names the erased records. */
import { hash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getTraits } from '../../journal/facts/facts.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { type Draft, type Erased, emptyHead, type Journal, type Journals } from '../../journal/log/journal.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { recordKey, wholeIndex } from '../../journal/log/keys.ts'
import { readMarks, rebuildIndex } from '../../journal/log/kind-index.ts'
import type { Store } from '../../journal/log/store.ts'
import { wipeWords } from '../../journal/log/wiping.ts'
import { createChance } from '../random.ts'
import { type Engine, levelEngine, memoryEngine } from './engines.ts'
import { allOf, born, draft, facts, heard, oneOfEach, positionsOf, renamed, spoken } from './facts.ts'

interface Place extends Engine {
  readonly journals: Journals
}

const telling = (erased: readonly Erased[]): readonly Draft[] => [
  draft({ type: 'FactsErased', facts: [...erased], withdrawn: [] }),
]
const mend = async (_: Journal, erased: readonly Erased[]) => telling(erased)
const readIndex = async (store: Store) =>
  (await allOf(store.items(wholeIndex))).flat().map((item) => item.map((bytes) => bytes.toString('hex')))
const noExtras = { parts: new Set<string>(), texts: [] }

for (const [engine, make] of Object.entries({ memory: memoryEngine, LevelDB: levelEngine })) {
  const test = suite<{ place: Place }>(`erased in ${engine}`)
  test.before.each(async (context) => {
    const place = await make()
    const journals = openJournals({ stores: place.stores, witness: async () => undefined })
    context.place = { ...place, journals }
    await (await journals.create('ada', draft(born))).close()
  })
  test.after.each(({ place }) => place.end())

  const open = ({ journals }: Place) => journals.open('ada', 'writer')
  const write = async (place: Place, ...drafts: readonly Draft[]) => {
    const journal = await open(place)
    for (const one of drafts) await journal.append([one], journal.head)
    return journal
  }

  test('erasing a fact keeps the fields that other facts refer to', async ({ place }) => {
    const all = Object.values(oneOfEach).filter(({ type }) => type !== 'PersonaCreated')
    const journal = await write(place, ...all.map((event) => draft(event)))
    const head = journal.head
    const hashes = await Promise.all(all.map((_, n) => journal.hashAt(n + 2)))
    await journal.close()
    const seqs = new Set(all.flatMap(({ type }, n) => (getTraits(type).blank ? [n + 2] : [])))
    await place.journals.erase('ada', { ...noExtras, seqs }, mend)
    const after = await open(place)
    assert.ok((await after.verify()).intact)
    assert.is(await after.hashAt(head.seq), head.hash)
    assert.equal(await Promise.all(all.map((_, n) => after.hashAt(n + 2))), hashes)
    for (const { seq, event, erased } of await allOf(after.read({ upTo: head.seq }))) {
      const before = seq === 1 ? born : all[seq - 2]
      assert.is(erased, seqs.has(seq))
      const blank = getTraits(event.type).blank
      assert.equal(event, seqs.has(seq) ? { ...before, ...blank } : before)
    }
    await after.close()
  })

  test('a payload that is missing without a FactsErased is damage', async ({ place }) => {
    const journal = await write(place, draft(heard('One.')), draft(spoken('Two.')))
    await journal.close()
    await place.journals.erase('ada', { ...noExtras, seqs: new Set([2]) }, async () => [
      draft(renamed('Bea')),
    ])
    try {
      await open(place)
      assert.unreachable()
    } catch (error) {
      assert.ok(error instanceof Damaged)
      assert.is(error.seq, 2)
    }
    const reader = await place.journals.open('ada', 'reader')
    const { intact, firstBad } = await reader.verify()
    assert.equal([intact, firstBad], [false, 2])
    await reader.close()
  })

  // Fails if the salvage does not name them: the salvaged journal is damaged again.
  test('a salvage that lost a FactsErased writes it again', async ({ place }) => {
    const journal = await write(place, draft(heard('One.')), draft(spoken('Two.')))
    await journal.close()
    const head = await place.journals.erase('ada', { ...noExtras, seqs: new Set([2]) }, mend)
    const store = await place.stores.open('ada')
    await store.batch([{ type: 'put', key: recordKey(head.seq), value: Buffer.from('no record') }], {
      sync: true,
    })
    await store.close()
    const first = { event: born, at: 1000, offset: 60 }
    await place.journals.salvage('ada', first, async (_, loss) => draft({ type: 'Salvaged', ...loss }))
    const after = await open(place)
    assert.ok((await after.verify()).intact)
    assert.equal(await positionsOf(after.read({ kind: 'talk' })), [3])
    await after.close()
  })

  test('erasing removes exactly the parts and snapshots that contain the text', async ({ place }) => {
    const journal = await write(place, draft(heard('A quinquireme.')), draft(heard('A tram.')))
    const ship = await journal.putPart(Buffer.from('ship'))
    const tram = await journal.putPart(Buffer.from('tram'))
    const states = { ship: { said: 'A quinquireme.' }, tram: { said: 'A tram.' } }
    for (const [projector, state] of Object.entries(states))
      await journal.keepSnapshot({ projector, version: 1, head: journal.head, state })
    const { head } = journal
    await journal.close()
    const texts = [Buffer.from('A quinquireme.')]
    await place.journals.erase('ada', { seqs: new Set([2]), parts: new Set([ship]), texts }, mend)
    const after = await open(place)
    assert.is(await after.part(ship), undefined)
    assert.is(hash('sha256', (await after.part(tram)) ?? ''), tram)
    assert.is(await after.snapshot('ship', 1, head.seq), undefined)
    assert.equal((await after.snapshot('tram', 1, head.seq))?.state, states.tram)
    assert.equal(await positionsOf(after.read({ kind: 'talk' })), [3])
    await after.close()
  })

  // Fails if the entry after a removed one is not relinked, and if the marks still name a removed entry as
  // the last.
  test('the index after an erasure equals a rebuilt one', async ({ place }) => {
    const chance = createChance(`index in ${engine}`)
    const otherFacts = Object.values(oneOfEach).filter(({ type }) => type !== 'PersonaCreated')
    const facts = Array.from({ length: 150 }, (_, n) =>
      chance.next() < 0.5
        ? heard(`Number ${n}.`, `${n}`)
        : (otherFacts[chance.between(0, otherFacts.length - 1)] ?? born),
    )
    await (await write(place, draft(...facts))).close()
    const seqsWithText = facts.flatMap(({ type }, n) => (getTraits(type).blank ? [n + 2] : []))
    for (let round = 0; round < 6; round++) {
      // Adjacent entries, and the last ones.
      const from = chance.between(0, seqsWithText.length - 1)
      const run = seqsWithText.slice(from, from + chance.between(1, 12))
      const seqs = new Set([...run, ...(round % 2 ? seqsWithText.slice(-chance.between(1, 3)) : [])])
      const { replace } = await place.stores.rewrite('ada', async (store) => {
        const { head } = await wipeWords(store, { ...noExtras, seqs })
        assert.ok(await readMarks(store, head), 'it has to be rebuilt')
        const patchedIndex = await readIndex(store)
        await rebuildIndex(store, head)
        assert.equal(patchedIndex, await readIndex(store))
      })
      await replace()
    }
  })

  test('any sequence of erasures leaves a valid journal with the same chain', async ({ place }) => {
    const chance = createChance(`erased in ${engine}`)
    const texts = Array.from({ length: 60 }, (_, n) => `Number ${n} was said, ${'o'.repeat(n)}.`)
    const journal = await write(
      place,
      ...texts.map((text, n) => draft(n % 2 ? spoken(text) : heard(text, `${n}`))),
    )
    await journal.close()
    const erasedSeqs = new Set<number>()
    for (let round = 0; round < 5; round++) {
      const seqs = new Set(Array.from({ length: chance.between(1, 12) }, () => chance.between(2, 61)))
      for (const seq of seqs) erasedSeqs.add(seq)
      await place.journals.erase('ada', { ...noExtras, seqs }, mend)
      const after = await open(place)
      assert.ok((await after.verify()).intact)
      const left = [...texts.keys()].map((n) => n + 2).filter((seq) => !erasedSeqs.has(seq))
      assert.equal(await positionsOf(after.read({ kind: 'talk' })), left)
      const words = JSON.stringify(await facts(after.read({})))
      for (const [n, text] of texts.entries()) assert.is(words.includes(text), !erasedSeqs.has(n + 2))
      // A repeated message is still recognized.
      assert.is(await after.heard('0'), 2)
      await after.close()
    }
    const after = await place.journals.open('ada', 'reader')
    assert.not.equal(after.head, emptyHead)
    await after.close()
  })

  test.run()
}
