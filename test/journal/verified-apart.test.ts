/** Verification in a worker thread gives the same result as on the main thread. */

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { personaVocabulary } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import type { Engine } from '../../journal/conformance/conformance.ts'
import { headIn } from '../../journal/log/chain.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { recordKey } from '../../journal/log/keys.ts'
import type { Store } from '../../journal/log/store.ts'
import { verifyRecords } from '../../journal/log/verifying.ts'
import { createChance } from '../random.ts'
import { levelEngine } from './engines.ts'
import { born, createMessageHeard, draft, factsByType, renamed } from './facts.ts'

const test = suite<{ engine: Engine; store: Store }>('verified apart')
const chance = createChance('verified apart')

test.before.each(async (context) => {
  const engine = await levelEngine()
  const journals = openPersonaJournals({ stores: engine.stores, witness: async () => undefined })
  const journal = await journals.create('ada', draft(born))
  const facts = Object.values(factsByType).filter(({ type }) => type !== 'PersonaCreated')
  await journal.append([draft(...facts)], journal.head)
  for (let n = 0; n < 3; n++)
    await journal.append([draft(...Array.from({ length: 50 }, () => renamed('Bea')))], journal.head)
  const commits = await journal.append([draft(createMessageHeard('One.'))], journal.head)
  await journal.close()
  const erasedSeq = commits[0]?.head.seq ?? 0
  await journals.erase(
    'ada',
    { seqs: new Set([erasedSeq]), parts: new Set(), texts: [] },
    async (_, erasedFacts) => [draft({ type: 'FactsErased', facts: [...erasedFacts], withdrawn: [] })],
  )
  Object.assign(context, { engine, store: await engine.stores.open('ada') })
})
test.after.each(async ({ engine, store }) => {
  await store.close()
  await engine.end()
})

/** Verifies both ways. Returns the results and the positions of the reported records. */
const verifyBoth = async (store: Store, target: Head, witness = emptyHead) => {
  const results = [1, Number.POSITIVE_INFINITY].map(async (yieldEvery) => {
    const seqs: number[] = []
    const options = { to: target, witness, onRecord: ({ seq }: { seq: number }) => void seqs.push(seq) }
    const { head, damage } = await verifyRecords(personaVocabulary, store, options, yieldEvery)
    return { head, seq: damage?.seq, reason: damage?.message, seqs }
  })
  const [inThread, inPlace] = await Promise.all(results)
  assert.equal(inThread, inPlace)
  return inThread
}

// Fails if the thread's `telling` records are dropped: an erased and named record is then damage.
test('intact, with every fact and one erased: same head and same records with files', async ({ store }) => {
  const head = await headIn(store)
  const result = await verifyBoth(store, head, head)
  assert.equal([result?.head, result?.reason], [head, undefined])
  assert.ok(result && result.seqs.length > 0)
})

// Fails if the thread does not hash payloads, and if it does not compare `prev`.
test('flipped bits, missing and swapped records: same error at the same position', async ({ store }) => {
  const head = await headIn(store)
  for (let n = 0; n < 6; n++) {
    const key = recordKey(chance.pickBetween(1, head.seq))
    const value = (await store.get(key)) ?? Buffer.alloc(0)
    const flipped = Buffer.from(value)
    // The payload comes last. A changed header looks like a record of another position.
    const offset = value.length - chance.pickBetween(1, 4)
    flipped[offset] = (flipped[offset] ?? 0) ^ (1 << chance.pickBetween(0, 7))
    const otherRecord = await store.get(recordKey(1 + (n % head.seq)))
    const chosenRecord = n % 3 === 0 ? undefined : n % 3 === 1 ? flipped : otherRecord
    if (chosenRecord?.equals(value)) continue
    await store.batch([chosenRecord ? { type: 'put', key, value: chosenRecord } : { type: 'del', key }], {
      sync: false,
    })
    assert.ok((await verifyBoth(store, head))?.reason, `${n}`)
    await store.batch([{ type: 'put', key, value }], { sync: false })
  }
  assert.is((await verifyBoth(store, head))?.reason, undefined)
})

test('another head than expected, or than the witness recorded, is damage', async ({ store }) => {
  const head = await headIn(store)
  const otherHead = { seq: head.seq, hash: 'ab'.repeat(32) }
  assert.ok((await verifyBoth(store, otherHead))?.reason)
  assert.ok((await verifyBoth(store, head, otherHead))?.reason)
  assert.ok((await verifyBoth(store, head, { ...otherHead, seq: 3 }))?.reason)
})

test.run()
