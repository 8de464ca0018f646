/** The in-memory store: a disk for tests that fails on demand and loses unsynced data in a crash. */

import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { Damaged, InDoubt, Unavailable } from '../../journal/log/errors.ts'
import { emptyHead, type Head } from '../../journal/log/head.ts'
import { recordKey } from '../../journal/log/keys.ts'
import { type Fault, memoryStores, type Operation } from '../../journal/log/memory-store.ts'
import { born, createMessageHeard, draft, facts, renamed } from './facts.ts'

const world = () => {
  const faults = new Map<Operation, Fault>()
  let witnessed: Head | undefined
  const stores = memoryStores({ fault: (operation) => faults.get(operation) })
  const journals = openPersonaJournals({ stores, witness: async () => witnessed })
  return { faults, stores, journals, saw: (head: Head) => (witnessed = head) }
}

const failure = async (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    () => undefined,
    (error: unknown) => error,
  )

test('loses unsynced data in a power cut, and no synced data', async () => {
  const { stores, journals } = world()
  const journal = await journals.create('ada', draft(born))
  await journal.append([draft(createMessageHeard('a'))], journal.head)
  await journal.keepSnapshot({ projector: 'state', version: 1, head: journal.head, state: 1 })
  const { head } = journal
  stores.crash('ada')
  assert.instance(await failure(journal.append([draft(createMessageHeard('b'))], head)), Unavailable)
  const reopened = await journals.open('ada', 'writer')
  assert.equal(reopened.head, head)
  assert.is(await reopened.snapshot('state', 1, 2), undefined)
})

// Fails if a second write waits for the first: the journal is reopened under the first one.
test('accepts concurrent writes, as a disk does', async () => {
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
  const stores = memoryStores({ lag: (operation) => (operation === 'batch' ? slow() : undefined) })
  const journals = openPersonaJournals({ stores, witness: async () => undefined })
  const journal = await journals.create('ada', draft(born))
  const pendingPart = journal.putPart(Buffer.from('a part'))
  await journal.append([draft(renamed('b'))], journal.head)
  assert.equal(await journal.part(await pendingPart), Buffer.from('a part'))
  assert.is(journal.head.seq, 2)
})

test('a torn end leaves a valid journal, and the witness detects it', async () => {
  const { stores, journals, saw } = world()
  const journal = await journals.create('ada', draft(born))
  await journal.append([draft(createMessageHeard('a', 'a'), renamed('b'))], journal.head)
  const { head } = journal
  await journal.close()
  stores.tear('ada', 1)
  const tornJournal = await journals.open('ada', 'writer')
  assert.equal(await facts(tornJournal.read({})), [born])
  assert.is(await tornJournal.findByKey('a'), undefined)
  await tornJournal.close()
  saw(head)
  const error = await failure(journals.open('ada', 'writer'))
  assert.instance(error, Damaged)
  assert.is((error as Damaged).seq, 2)
})

test('stays unsettled and readable while it cannot be reopened', async () => {
  const { faults, journals } = world()
  const journal = await journals.create('ada', draft(born))
  faults.set('batch', 'kept').set('reopen', 'refused')
  assert.instance(await failure(journal.append([draft(renamed('b'))], journal.head)), InDoubt)
  assert.instance(await failure(journal.settle()), Unavailable)
  assert.instance(await failure(journal.append([draft(renamed('c'))], journal.head)), Unavailable)
  assert.equal(await facts(journal.read({})), [born])
  faults.clear()
  assert.is((await journal.settle()).seq, 2)
  assert.equal(await facts(journal.read({})), [born, renamed('b')])
})

test('reports unreadable data as damage and a failed read as unavailable', async () => {
  const { faults, journals, stores } = world()
  const journal = await journals.create('ada', draft(born))
  faults.set('read', 'unreadable')
  assert.instance(await failure(facts(journal.read({}))), Damaged)
  faults.set('read', 'refused')
  assert.instance(await failure(facts(journal.read({}))), Unavailable)
  faults.clear()
  await journal.append([draft(renamed('b'))], journal.head)
  stores.spoil('ada', recordKey(1), (value) => value.subarray(1))
  assert.is((await journal.verify()).firstBad, 1)
})

test('a hanging batch blocks the next one, but no reads', async () => {
  const { faults, journals } = world()
  const journal = await journals.create('ada', draft(born))
  faults.set('batch', 'hanging')
  const hanging = journal.append([draft(renamed('b'))], journal.head)
  const next = journal.append([draft(renamed('c'))], journal.head)
  assert.equal(await facts(journal.read({})), [born])
  assert.is(await Promise.race([hanging, next, Promise.resolve('neither')]), 'neither')
  await journal.close()
})

test('creates no journal if the creation fails', async () => {
  const { faults, journals } = world()
  for (const fault of ['refused', 'lost'] as const) {
    faults.set('create', fault)
    await failure(journals.create('ada', draft(born)))
    assert.equal(await journals.ids(), [])
  }
  faults.clear()
  assert.is((await journals.create('ada', draft(born))).head.seq, 1)
  assert.is(emptyHead.seq, 0)
})

test.run()
