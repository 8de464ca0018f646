/** Released facts stay readable, and the check notices every kind of change that would prevent it. */
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { keepPayload } from '../../journal/log/vocabulary.ts'
import { temporary } from './engines.ts'
import {
  currentVocabulary,
  findContradictions,
  type Row,
  type Rows,
  readReleased,
  recordRelease,
  type StoredFact,
  type Vocabulary,
} from './fact-schemas.ts'

const folder = join(import.meta.dirname, 'golden')
const released = readReleased()
const lastReleased = Math.max(...released.releases.map(({ golden }) => Number(golden.slice(1))))

/** Reads the facts of all released golden journals in the form in which they are storedFacts. */
const readStored = async (): Promise<readonly StoredFact[]> => {
  const storedFacts: StoredFact[] = []
  for (const golden of await readdir(folder)) {
    if (Number(golden.slice(1)) > lastReleased) continue
    const home = await temporary()
    await cp(join(folder, golden, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async () => undefined,
    })
    const journal = await journals.open('ada', 'reader')
    for await (const page of journal.audit({ seq: 0 }, journal.head.seq))
      for (const { type, version, words } of page) {
        const payload = words()
        if (payload) storedFacts.push({ golden, type, version, payload })
      }
    await journal.close()
    await rm(home, { recursive: true })
  }
  return storedFacts
}
const storedFacts = await readStored()

const check = (vocabulary: Vocabulary) => findContradictions(vocabulary, released, storedFacts)
const withRow = (type: string, change: (row: Row) => Row): Vocabulary => {
  const row = currentVocabulary.rows[type]
  assert.ok(row)
  return { ...currentVocabulary, rows: { ...currentVocabulary.rows, [type]: change(row) } }
}
const without = (rows: Rows, type: string): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => name !== type))

test('the facts of this build read every released golden journal', () => {
  assert.ok(storedFacts.some(({ golden, type }) => golden === 'v1' && type === 'MessageHeard'))
  assert.ok(storedFacts.some(({ golden }) => golden === `v${lastReleased}`))
  assert.equal(check(currentVocabulary), [])
})

test('refuses a new field without a new version', () => {
  const [problem, ...others] = check(
    withRow('Renamed', ({ shape, traits }) => ({ shape: { ...shape, why: z.string().optional() }, traits })),
  )
  assert.match(problem ?? '', 'The fields of Renamed differ from the released version 1')
  assert.equal(others, [])
})

test('refuses a widened and a narrowed field without a new version', () => {
  for (const seconds of [z.number(), z.int().max(10)])
    assert.match(
      check(withRow('IdleTimeoutSet', ({ traits }) => ({ shape: { seconds }, traits })))[0] ?? '',
      'The fields of IdleTimeoutSet differ from the released version 1',
    )
})

test('accepts a new field with a new version and an upcaster', () => {
  const next = withRow('Renamed', ({ shape, traits }) => ({
    shape: { ...shape, why: z.string().nullable() },
    traits: { ...traits, older: [(payload) => ({ ...payload, why: null })] },
  }))
  assert.equal(check(next), [])
})

test('refuses a new version whose upcaster leaves golden journals unreadable', () => {
  const older = [keepPayload]
  const withField = withRow('Renamed', ({ shape, traits }) => ({
    shape: { ...shape, why: z.string() },
    traits: { ...traits, older },
  }))
  assert.match(check(withField)[0] ?? '', /Renamed@1 of the golden journal v\d+ cannot be read: why/)
  const withoutField = withRow('Renamed', ({ traits }) => ({ shape: {}, traits: { ...traits, older } }))
  assert.match(check(withoutField)[0] ?? '', /Renamed@1 of the golden journal v\d+ cannot be read: fields/)
  const narrowed = withRow('IdleTimeoutSet', ({ traits }) => ({
    shape: { seconds: z.int().max(10) },
    traits: { ...traits, older },
  }))
  assert.match(
    check(narrowed)[0] ?? '',
    /IdleTimeoutSet@1 of the golden journal v\d+ cannot be read: seconds/,
  )
  const failing = withRow('Renamed', ({ shape, traits }) => ({
    shape,
    traits: { ...traits, older: [({ card }) => ({ name: (card as { name: string }).name })] },
  }))
  assert.match(check(failing)[0] ?? '', 'its upcaster fails')
})

test('refuses a fact, an index kind, a search kind or an upcaster that disappears', () => {
  const gone = { ...currentVocabulary, rows: without(currentVocabulary.rows, 'Renamed') }
  assert.equal(check(gone), ['Renamed was released and is gone.'])
  const { kinds, searchKinds } = currentVocabulary
  assert.equal(check({ ...currentVocabulary, kinds: kinds.filter((kind) => kind !== 'talk') }), [
    'The index kind talk was released and is gone.',
  ])
  assert.equal(check({ ...currentVocabulary, searchKinds: searchKinds.filter((kind) => kind !== 'day') }), [
    'The search kind day was released and is gone.',
  ])
  const shortened = withRow('MessageHeard', ({ shape, traits }) => ({
    shape,
    traits: { ...traits, older: (traits.older ?? []).slice(2) },
  }))
  assert.match(
    check(shortened)[0] ?? '',
    /^MessageHeard was released as version \d, and now has upcasters to 2 only/,
  )
})

test('recording a release adds new schemas and keeps the released ones', () => {
  const changed = withRow('Renamed', ({ traits }) => ({ shape: { title: z.string() }, traits }))
  const next = recordRelease(changed, 'v99', released)
  assert.equal(next.schemas['Renamed@1'], released.schemas['Renamed@1'])
  assert.equal(next.releases.at(-1)?.facts.Renamed, 1)
  // The record does not legitimate the change.
  assert.match(findContradictions(changed, next, [])[0] ?? '', 'The fields of Renamed differ')
  const withVersion = withRow('Renamed', ({ shape, traits }) => ({
    shape,
    traits: { ...traits, older: [(payload) => payload] },
  }))
  const { schemas, releases } = recordRelease(withVersion, 'v99', released)
  assert.ok(schemas['Renamed@2'])
  assert.is(releases.at(-1)?.facts.Renamed, 2)
})

test.run()
