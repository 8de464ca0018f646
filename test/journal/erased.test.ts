/** Journals with erased payloads: the chain stays intact, and a fact names the erased records. */

import { hash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getTraits, personaVocabulary } from '../../facts/facts.ts'
import { type Draft, type Journal, type Journals, openPersonaJournals } from '../../facts/persona-journal.ts'
import type { Engine } from '../../journal/conformance/conformance.ts'
import { Damaged } from '../../journal/log/errors.ts'
import { readMarks, rebuildIndex } from '../../journal/log/fact-index.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { recordKey, wholeIndex } from '../../journal/log/keys.ts'
import type { Store } from '../../journal/log/store.ts'
import type { Erased } from '../../journal/log/vocabulary.ts'
import { wipeWords } from '../../journal/log/wiping.ts'
import { createChance } from '../random.ts'
import { levelEngine, memoryEngine } from './engines.ts'
import {
  born,
  collect,
  createMessageHeard,
  createMessageSpoken,
  draft,
  facts,
  factsByType,
  listPositions,
} from './facts.ts'

interface Place extends Engine {
  readonly journals: Journals
}

const createErasedDrafts = (erasedFacts: readonly Erased[]): readonly Draft[] => [
  draft({ type: 'FactsErased', facts: [...erasedFacts], withdrawn: [] }),
]
const mend = async (_: Journal, erasedFacts: readonly Erased[]) => createErasedDrafts(erasedFacts)
const readIndex = async (store: Store) =>
  (await collect(store.items(wholeIndex))).flat().map((item) => item.map((bytes) => bytes.toString('hex')))
const noExtras = { parts: new Set<string>(), texts: [] }

for (const [engine, make] of Object.entries({ memory: memoryEngine, LevelDB: levelEngine })) {
  const test = suite<{ place: Place }>(`erased in ${engine}`)
  test.before.each(async (context) => {
    const place = await make()
    const journals = openPersonaJournals({ stores: place.stores, witness: async () => undefined })
    context.place = { ...place, journals }
    await (await journals.create('ada', draft(born))).close()
  })
  test.after.each(({ place }) => place.end())

  const open = ({ journals }: Place) => journals.open('ada', 'writer')
  const write = async (place: Place, ...drafts: readonly Draft[]) => {
    const journal = await open(place)
    for (const event of drafts) await journal.append([event], journal.head)
    return journal
  }

  test('erasing a fact keeps the fields that other facts refer to', async ({ place }) => {
    const all = Object.values(factsByType).filter(({ type }) => type !== 'PersonaCreated')
    const journal = await write(place, ...all.map((event) => draft(event)))
    const head = journal.head
    const hashes = await Promise.all(all.map((_, n) => journal.hashAt(n + 2)))
    await journal.close()
    const seqs = new Set(all.flatMap(({ type }, n) => (getTraits(type).blank ? [n + 2] : [])))
    await place.journals.erase('ada', { ...noExtras, seqs }, mend)
    const journalAfter = await open(place)
    assert.ok((await journalAfter.verify()).intact)
    assert.is(await journalAfter.hashAt(head.seq), head.hash)
    assert.equal(await Promise.all(all.map((_, n) => journalAfter.hashAt(n + 2))), hashes)
    for (const { seq, event, erased } of await collect(journalAfter.read({ upTo: head.seq }))) {
      const previousEntry = seq === 1 ? born : all[seq - 2]
      assert.is(erased, seqs.has(seq))
      const blank = getTraits(event.type).blank
      assert.equal(event, seqs.has(seq) ? { ...previousEntry, ...blank } : previousEntry)
    }
    await journalAfter.close()
  })

  test('a payload that is missing without a FactsErased is damage', async ({ place }) => {
    const journal = await write(place, draft(createMessageHeard('One.')), draft(createMessageSpoken('Two.')))
    await journal.close()
    const erasure = { ...noExtras, seqs: new Set([2]) }
    const rewritten = await place.stores.rewrite('ada', async (store) => {
      await wipeWords(personaVocabulary, store, erasure)
    })
    await rewritten.replace()
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
    const journal = await write(place, draft(createMessageHeard('One.')), draft(createMessageSpoken('Two.')))
    await journal.close()
    const head = await place.journals.erase('ada', { ...noExtras, seqs: new Set([2]) }, mend)
    const store = await place.stores.open('ada')
    await store.batch([{ type: 'put', key: recordKey(head.seq), value: Buffer.from('no record') }], {
      sync: true,
    })
    await store.close()
    const first = { event: born, cause: { by: 'host' }, at: 1000, offset: 60 } as const
    await place.journals.salvage('ada', first, async (_, loss) => draft({ type: 'Salvaged', ...loss }))
    const journalAfter = await open(place)
    assert.ok((await journalAfter.verify()).intact)
    assert.equal(await listPositions(journalAfter.read({ kind: 'talk' })), [3])
    await journalAfter.close()
  })

  test('erasing removes exactly the parts and snapshots that contain the text', async ({ place }) => {
    const journal = await write(
      place,
      draft(createMessageHeard('A quinquireme.')),
      draft(createMessageHeard('A tram.')),
    )
    const ship = await journal.putPart(Buffer.from('ship'))
    const tram = await journal.putPart(Buffer.from('tram'))
    const states = { ship: { said: 'A quinquireme.' }, tram: { said: 'A tram.' } }
    for (const [projector, state] of Object.entries(states))
      await journal.keepSnapshot({ projector, version: 1, head: journal.head, state })
    const { head } = journal
    await journal.close()
    const texts = [Buffer.from('A quinquireme.')]
    await place.journals.erase('ada', { seqs: new Set([2]), parts: new Set([ship]), texts }, mend)
    const journalAfter = await open(place)
    assert.is(await journalAfter.part(ship), undefined)
    assert.is(hash('sha256', (await journalAfter.part(tram)) ?? ''), tram)
    assert.is(await journalAfter.snapshot('ship', 1, head.seq), undefined)
    assert.equal((await journalAfter.snapshot('tram', 1, head.seq))?.state, states.tram)
    assert.equal(await listPositions(journalAfter.read({ kind: 'talk' })), [3])
    await journalAfter.close()
  })

  // Fails if the entry after a removed one is not relinked, and if the marks still name a removed entry as
  // the last.
  test('the index after an erasure equals a rebuilt one', async ({ place }) => {
    const chance = createChance(`index in ${engine}`)
    const otherFacts = Object.values(factsByType).filter(({ type }) => type !== 'PersonaCreated')
    const facts = Array.from({ length: 150 }, (_, n) =>
      chance.next() < 0.5
        ? createMessageHeard(`Number ${n}.`, `${n}`)
        : (otherFacts[chance.pickBetween(0, otherFacts.length - 1)] ?? born),
    )
    await (await write(place, draft(...facts))).close()
    const seqsWithText = facts.flatMap(({ type }, n) => (getTraits(type).blank ? [n + 2] : []))
    for (let round = 0; round < 6; round++) {
      // Adjacent entries, and the last ones.
      const first = chance.pickBetween(0, seqsWithText.length - 1)
      const erasedSeqs = seqsWithText.slice(first, first + chance.pickBetween(1, 12))
      const seqs = new Set([
        ...erasedSeqs,
        ...(round % 2 ? seqsWithText.slice(-chance.pickBetween(1, 3)) : []),
      ])
      const { replace } = await place.stores.rewrite('ada', async (store) => {
        const { head } = await wipeWords(personaVocabulary, store, { ...noExtras, seqs })
        assert.ok(await readMarks(personaVocabulary, store, head), 'it has to be rebuilt')
        const patchedIndex = await readIndex(store)
        await rebuildIndex(personaVocabulary, store, head)
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
      ...texts.map((text, n) => draft(n % 2 ? createMessageSpoken(text) : createMessageHeard(text, `${n}`))),
    )
    await journal.close()
    const erasedSeqs = new Set<number>()
    for (let round = 0; round < 5; round++) {
      const seqs = new Set(Array.from({ length: chance.pickBetween(1, 12) }, () => chance.pickBetween(2, 61)))
      for (const seq of seqs) erasedSeqs.add(seq)
      await place.journals.erase('ada', { ...noExtras, seqs }, mend)
      const journalAfter = await open(place)
      assert.ok((await journalAfter.verify()).intact)
      const remainingSeqs = [...texts.keys()].map((n) => n + 2).filter((seq) => !erasedSeqs.has(seq))
      assert.equal(await listPositions(journalAfter.read({ kind: 'talk' })), remainingSeqs)
      const message = JSON.stringify(await facts(journalAfter.read({})))
      for (const [n, text] of texts.entries()) assert.is(message.includes(text), !erasedSeqs.has(n + 2))
      // A repeated message is still recognized.
      assert.is(await journalAfter.findByKey('0'), 2)
      await journalAfter.close()
    }
    const journalAfter = await place.journals.open('ada', 'reader')
    assert.not.equal(journalAfter.head, emptyHead)
    await journalAfter.close()
  })

  test.run()
}
