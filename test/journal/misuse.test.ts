/** What a program that uses the journal wrongly gets: an error before anything is written or deleted. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { openLevelStores } from '../../journal/leveldb/level-stores.ts'
import { toCheckedRoot } from '../../journal/leveldb/store-folders.ts'
import { Newer } from '../../journal/log/errors.ts'
import { openJournals } from '../../journal/log/journals.ts'
import { recordKey } from '../../journal/log/keys.ts'
import { memoryStores } from '../../journal/log/memory-store.ts'
import { defineVocabulary, fact } from '../../journal/log/vocabulary.ts'
import { inHome } from './engines.ts'

const test = suite('misuse of the journal')

const Cause = z.strictObject({ by: z.string(), ms: z.number().optional() })
const vocabulary = defineVocabulary({
  facts: {
    Opened: fact({}),
    Noted: fact({ text: z.string() }, { index: 'notes', blank: { text: '' } }),
    Wrong: fact({ text: z.string().min(1) }, { blank: { text: '' } }),
    Kept: fact({ text: z.string() }),
  },
  cause: Cause,
  indexes: { notes: { omitsErased: true } },
})
const now = { cause: { by: 'user' }, at: 1000, offset: 0 }

const createJournal = async () => {
  const stores = memoryStores()
  const journals = openJournals({ vocabulary, stores })
  const journal = await journals.create('a', { events: [{ type: 'Opened' }], ...now })
  return { stores, journals, journal }
}

const failure = (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    () => assert.unreachable(),
    (error: unknown) => error,
  )

test('the trash and the folder of the stores do not contain each other', async () => {
  await inHome(async (home) => {
    for (const [folder, trash] of [
      ['x', 'x'],
      [join('x', randomUUID()), 'x'],
      ['x', join('x', 'trash')],
    ] as const) {
      const root = { folder: join(home, folder), trash: join(home, trash) }
      assert.instance(await failure(openLevelStores(root)), TypeError)
    }
    await openLevelStores({ folder: join(home, 'x'), trash: join(home, 'xtrash') })
  })
  // A relative path would follow a later change of the working directory.
  assert.is(toCheckedRoot({ folder: 'd/lists', trash: 'd/trash' }).folder, join(process.cwd(), 'd/lists'))
})

test('rejects a time or a cause that a record cannot hold, and writes nothing', async () => {
  const { journal } = await createJournal()
  const events = [{ type: 'Noted', text: 'x' } as const]
  for (const wrong of [{ at: 1.5 }, { offset: 0.5 }, { cause: { by: 'user', ms: 1.5 } }])
    assert.instance(await failure(journal.append([{ events, ...now, ...wrong }], journal.head)), TypeError)
  await journal.append([{ events, ...now, cause: { by: 'user', ms: 1 } }], journal.head)
  assert.is((await journal.verify()).events, 2)
})

test('rejects index names that cannot be stored, and indexes that are not declared', () => {
  const define = (index: string, indexes: Record<string, object>) =>
    defineVocabulary({ facts: { Noted: fact({}, { index }) }, cause: Cause, indexes })
  assert.throws(() => define('note', { notes: {} }), /not in "indexes"/)
  for (const name of ['', 'a/b', 'Notes']) assert.throws(() => define(name, { [name]: {} }), TypeError)
  assert.throws(() => define('toString', {}), TypeError)
})

test('an erasure that would leave an unreadable journal changes nothing', async () => {
  const { journals, journal } = await createJournal()
  const texts = (['Noted', 'Wrong', 'Kept'] as const).map((type) => ({ type, text: `secret of ${type}` }))
  await journal.append([{ events: texts, ...now }], journal.head)
  await journal.close()
  const erase = (seq: number, namesFacts: boolean) =>
    journals.erase('a', { seqs: new Set([seq]), parts: new Set(), texts: [] }, async (_, erasedFacts) => [
      { events: namesFacts ? [{ type: 'FactsErased', facts: [...erasedFacts] }] : [], ...now },
    ])
  assert.match(String(await failure(erase(2, false))), /must name each erased fact/)
  assert.instance(await failure(erase(3, true)), z.ZodError)
  assert.match(String(await failure(erase(4, true))), /has no "blank"/)
  const journalAfter = await journals.open('a', 'writer')
  const read: string[] = []
  for await (const { event } of journalAfter.read({ after: 1 })) if ('text' in event) read.push(event.text)
  assert.equal(
    read,
    texts.map(({ text }) => text),
  )
  await journalAfter.close()
  await erase(2, true)
  assert.ok(await (await journals.open('a', 'writer')).verify())
})

test('a snapshot cannot have the name of the own one of the journal', async () => {
  const { journal } = await createJournal()
  const snapshot = { projector: 'checked', version: 1, head: journal.head, state: { sum: 1 } }
  assert.match(String(await failure(journal.keepSnapshot(snapshot))), /reserved/)
})

test('a salvage does not drop records whose cause the program does not know any more', async () => {
  const { stores, journal } = await createJournal()
  await journal.append([{ events: [{ type: 'Noted', text: 'x' }], ...now }], journal.head)
  await journal.close()
  stores.spoil('a', recordKey(1), () => undefined)
  const narrower = defineVocabulary({
    facts: { Opened: fact({}), Noted: fact({ text: z.string() }, { index: 'notes' }) },
    cause: z.strictObject({ by: z.enum(['clock']) }),
    indexes: { notes: {} },
  })
  const first = { event: { type: 'Opened' }, cause: { by: 'clock' }, at: 1, offset: 0 } as const
  const salvage = openJournals({ vocabulary: narrower, stores }).salvage('a', first, async () => ({
    events: [],
    ...now,
    cause: { by: 'clock' },
  }))
  assert.instance(await failure(salvage), Newer)
})

test.run()
