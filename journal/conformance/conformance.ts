/**
 * The behaviour that a journal guarantees on every storage engine, as tests for any runner. Run them on
 * each new engine (`Stores`).
 */
import * as assert from 'node:assert/strict'
import {
  Conflict,
  Damaged,
  Exists,
  Held,
  InDoubt,
  Newer,
  TooLarge,
  Unavailable,
  Unknown,
} from '../log/errors.ts'
import { emptyHead, type Head } from '../log/head.ts'
import { openJournals } from '../log/journals.ts'
import {
  dedupeKey,
  indexKey,
  indexMark,
  recordKey,
  wholeDedupe,
  wholeIndex,
  wholeSnapshots,
} from '../log/keys.ts'
import type { Op, Span, Store, Stores } from '../log/store.ts'
import { encodeNewer } from './newer-record.ts'
import {
  type Commit,
  callMade,
  type Draft,
  deliveryPlanned,
  draft,
  type Entry,
  type Journal,
  type Journals,
  orderAnswered,
  orderTaken,
  renamed,
  type ShopFact,
  shopOpened,
  shopVocabulary,
} from './shop-facts.ts'

/** Registers a test, as `test` of node:test and of other runners does. */
export type Test = (name: string, run: () => Promise<void>) => void

/** After `lost` and `kept` the caller does not know whether the batch was written. */
export type BatchFault = 'refused' | 'lost' | 'kept'

/** An engine with empty stores, and a way to make batches fail. */
export interface Engine {
  readonly stores: Stores
  /** Makes only the next batch fail. */
  failNext(fault: BatchFault): void
  /** Opens the stored data, if tests change it in another way than through its stores. */
  readonly beneath?: (id: string) => Promise<Store>
  end(): Promise<void>
}

interface World extends Engine {
  readonly journals: Journals
  /** Sets the head that the witness returns. */
  saw(head: Head | undefined): void
}

export const conformance = (test: Test, engine: () => Promise<Engine>): void => {
  /** Each claim has its own stores. */
  const claim = (name: string, prove: (world: World) => Promise<void>): void =>
    test(name, async () => {
      const engineStore = await engine()
      let witnessed: Head | undefined
      const journals = openJournals({
        vocabulary: shopVocabulary,
        stores: engineStore.stores,
        witness: async () => witnessed,
      })
      try {
        await prove({ ...engineStore, journals, saw: (head) => (witnessed = head) })
      } finally {
        await engineStore.end()
      }
    })

  beginnings(claim)
  appending(claim)
  claimReading(claim)
  claimDerived(claim)
  doubts(claim)
  damages(claim)
}

type Claim = (name: string, prove: (world: World) => Promise<void>) => void

/** Appends 41 facts: mostly messages, every fourth one a plan, and calls at 9 and 33. */
const createFilled = async (journals: Journals, count = 40): Promise<Journal> => {
  const journal = await journals.create('ada', draft(shopOpened))
  for (let n = 0; n < count / 4; n++) {
    await journal.append(
      [
        draft(orderTaken(`word ${n}`, `key ${n}`), orderAnswered(`answer ${n}`)),
        draft(deliveryPlanned(`plan ${n}`), n === 1 || n === 7 ? callMade : renamed(`Ada ${n}`)),
      ],
      journal.head,
    )
  }
  return journal
}

const reopen = async (
  { journals }: World,
  journal: Journal,
  mode: 'reader' | 'writer' = 'writer',
): Promise<Journal> => {
  await journal.close()
  return journals.open('ada', mode)
}

const changeStore = async <T>(world: World, act: (store: Store) => Promise<T>): Promise<T> => {
  const store = await (world.beneath ?? world.stores.open)('ada')
  try {
    return await act(store)
  } finally {
    await store.close()
  }
}

const change = (world: World, ...ops: readonly Op[]): Promise<void> =>
  changeStore(world, (store) => store.batch(ops, { sync: true }))

const keysIn = (world: World, span: Span): Promise<Buffer[]> =>
  changeStore(world, async (store) => (await collect(store.items(span))).flat().map(([key]) => key))

/** Offset of a byte in the commit's id. A decoder accepts any value there. */
const inCommitId = 12

const remove = (keys: readonly Buffer[]): readonly Op[] => keys.map((key) => ({ type: 'del', key }))

const flip = (world: World, key: Buffer, offset = -1): Promise<void> =>
  changeStore(world, async (store) => {
    const value = (await store.get(key)) ?? Buffer.alloc(0)
    const place = offset < 0 ? value.length + offset : offset
    value.writeUInt8(value.readUInt8(place) ^ 1, place)
    await store.batch([{ type: 'put', key, value }], { sync: true })
  })

/** Collects the results of all reads of a journal. */
const answers = async (journal: Journal) => ({
  head: journal.head,
  all: await facts(journal.read({})),
  talk: await listPositions(journal.read({ kind: 'orders' })),
  plans: await listPositions(journal.read({ kind: 'deliveries', last: 3 })),
  calls: await listPositions(journal.read({ kind: 'calls' })),
  some: await listPositions(journal.read({ kind: 'orders', after: 7, upTo: 21, last: 4 })),
  heard: await Promise.all(['key 0', 'key 3', 'key 9', 'never'].map((key) => journal.findByKey(key))),
  commits: readCommits(await collect(journal.commits(emptyHead))),
  verdict: await journal.verify(),
})

const rejects = async (
  operation: Promise<unknown>,
  kind: abstract new (...args: never) => Error,
  seq?: number,
): Promise<void> => {
  const error: unknown = await operation.then(
    () => undefined,
    (error: unknown) => error,
  )
  assertInstance(error, kind)
  if (seq !== undefined) assert.equal((error as Damaged).seq, seq)
}

const beginnings = (claim: Claim): void => {
  claim('creates a journal with its first commit', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened, renamed('Ada L.')))
    assert.equal(journal.head.seq, 2)
    assert.deepEqual(await facts(journal.read({})), [shopOpened, renamed('Ada L.')])
  })

  claim('rejects a second creation of a journal', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    await rejects(journals.create('ada', draft(shopOpened)), Exists)
    await journal.close()
    await rejects(journals.create('ada', draft(shopOpened)), Exists)
  })

  claim('rejects a creation without a fact', async ({ journals }) => {
    await rejects(journals.create('ada', draft()), TypeError)
    assert.deepEqual(await journals.ids(), [])
  })

  claim('knows only existing ids, and rejects ids that are paths', async ({ journals }) => {
    assert.deepEqual(await journals.ids(), [])
    await (await journals.create('ada', draft(shopOpened))).close()
    await (await journals.create('bea', draft(shopOpened))).close()
    assert.deepEqual([...(await journals.ids())].sort(), ['ada', 'bea'])
    for (const id of [
      'eve',
      '',
      '.',
      '..',
      '../ada',
      'ada/journal',
      'ada\\journal',
      'ada\0',
      'ADA',
      '%2e%2e',
      'a'.repeat(200),
    ]) {
      await rejects(journals.open(id, 'reader'), Unknown)
      if (id !== 'eve') await rejects(journals.create(id, draft(shopOpened)), Unknown)
      if (id !== 'eve') await rejects(journals.remove(id), Unknown)
    }
    assert.deepEqual([...(await journals.ids())].sort(), ['ada', 'bea'])
  })

  claim('can be opened only once at a time', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    await rejects(journals.open('ada', 'reader'), Held)
    await rejects(journals.remove('ada'), Held)
    await journal.close()
    const reader = await journals.open('ada', 'reader')
    await rejects(journals.open('ada', 'writer'), Held)
    await reader.close()
  })

  claim('forgets a removed journal; removing it again does nothing', async ({ journals }) => {
    await (await journals.create('ada', draft(shopOpened))).close()
    await journals.remove('ada')
    await journals.remove('ada')
    assert.deepEqual(await journals.ids(), [])
    await rejects(journals.open('ada', 'writer'), Unknown)
    const reopenedJournal = await journals.create('ada', draft(renamed('another')))
    assert.deepEqual(await facts(reopenedJournal.read({})), [renamed('another')])
  })
}

const appending = (claim: Claim): void => {
  claim('returns appended facts after reopening', async (world) => {
    const journal = await createFilled(world.journals)
    const answersBefore = await answers(journal)
    assert.deepEqual(await answers(await reopen(world, journal)), answersBefore)
  })

  claim('publishes facts exactly as a replay reads them', async (world) => {
    const journal = await world.journals.create('ada', draft(shopOpened))
    const oddEvent: ShopFact = {
      type: 'NoteWritten',
      note: 'a\ud800',
      count: -0,
      data: {
        absent: undefined,
        list: [undefined, -0],
        'lone \udc00': '\ud83c',
        ['__proto__' as string]: 1,
        ok: '🌱',
      },
    }
    const commits = await journal.append([draft(oddEvent), draft(orderTaken('x'))], journal.head)
    assert.deepEqual(
      readCommits(await collect((await reopen(world, journal)).commits({ seq: 1 }))),
      readCommits(commits),
    )
    const [entry] = commits[0]?.entries ?? []
    assert.deepEqual(entry?.event, {
      type: 'NoteWritten',
      note: 'a\ufffd',
      count: 0,
      data: { list: [null, 0], 'lone \ufffd': '\ufffd', ok: '🌱' },
    })
  })

  claim('appends several drafts as separate commits', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    const cause = { by: 'clerk', shift: 2, order: 1 } as const
    const drafts: Draft[] = [
      draft(orderTaken('a'), orderTaken('b')),
      { ...draft(renamed('c')), cause, at: 5, offset: -60 },
    ]
    const commits = await journal.append(drafts, journal.head)
    assert.deepEqual(
      commits.map(({ head, entries }) => [head.seq, entries.map(({ seq }) => seq)]),
      [
        [3, [2, 3]],
        [4, [4]],
      ],
    )
    const [first, second] = commits
    assert.equal(first?.entries[0]?.commit, first?.entries[1]?.commit)
    assert.notEqual(first?.entries[0]?.commit, second?.entries[0]?.commit)
    const [entry] = second?.entries ?? []
    assert.deepEqual([entry?.cause, entry?.at, entry?.offset], [cause, 5, -60])
    assert.deepEqual(journal.head, second?.head)
    assert.deepEqual(readCommits(await collect(journal.commits({ seq: 1 }))), readCommits(commits))
  })

  claim('returns an empty commit for a draft without facts', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    const { head } = journal
    assert.deepEqual(readCommits(await journal.append([draft()], head)), [{ head, entries: [] }])
    const [empty, full] = await journal.append([draft(), draft(renamed('b'))], head)
    assert.deepEqual([empty?.head.seq, full?.head.seq], [1, 2])
  })

  claim('rejects an append that is not after the head', async ({ journals }) => {
    const journal = await createFilled(journals, 4)
    const { head } = journal
    for (const claimedHead of [
      emptyHead,
      { ...head, seq: head.seq + 1 },
      { ...head, hash: emptyHead.hash },
    ]) {
      const error = await journal.append([draft(renamed('x'))], claimedHead).then(
        () => undefined,
        (error: unknown) => error,
      )
      assertInstance(error, Conflict)
      assert.deepEqual((error as Conflict).head, head)
    }
    assert.deepEqual(journal.head, head)
  })

  claim('accepts only one of two concurrent appends', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    const { head } = journal
    const [first, second] = await Promise.allSettled([
      journal.append([draft(renamed('first'))], head),
      journal.append([draft(renamed('second'))], head),
    ])
    assert.equal(first.status, 'fulfilled')
    assertInstance((second as PromiseRejectedResult).reason, Conflict)
    assert.deepEqual(await facts(journal.read({ after: 1 })), [renamed('first')])
  })

  claim('appends nothing of a batch with a commit over 512 KiB or an invalid fact', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    const { head } = journal
    const large = draft(orderTaken('x'.repeat(300 * 1024)), orderTaken('y'.repeat(300 * 1024)))
    await rejects(journal.append([draft(renamed('b')), large], head), TooLarge)
    for (const oddEvent of [
      { type: 'Nope' },
      { type: 'ShopRenamed' },
      { type: 'ShopRenamed', name: 'b', more: 1 },
      { ...orderTaken('x'), text: new Map() },
    ])
      await rejects(journal.append([draft(renamed('b'), oddEvent as ShopFact)], head), Error)
    assert.deepEqual(journal.head, head)
    await journal.append([draft(orderTaken('x'.repeat(500 * 1024)))], head)
  })

  claim('rejects an append to a reader', async (world) => {
    const reader = await reopen(world, await createFilled(world.journals), 'reader')
    await rejects(reader.append([draft(renamed('b'))], reader.head), Unavailable)
    assert.deepEqual((await reader.verify()).intact, true)
  })

  claim('rejects all calls after closing', async ({ journals }) => {
    const journal = await createFilled(journals)
    await journal.close()
    await journal.close()
    await rejects(journal.append([draft(renamed('b'))], journal.head), Unavailable)
    await rejects(facts(journal.read({})), Unavailable)
    await rejects(journal.settle(), Unavailable)
  })
}

const claimReading = (claim: Claim): void => {
  claim('reads any range, oldest first, with or without a kind', async ({ journals }) => {
    const journal = await createFilled(journals)
    const all = await collect(journal.read({}))
    const bounds = [undefined, 0, 1, 2, 13, 40, 41, 100]
    for (const afterSeq of bounds) {
      for (const lastHead of bounds.filter((head) => head !== 0)) {
        for (const last of [undefined, 0, 1, 5, 1000]) {
          for (const kind of [undefined, 'orders', 'deliveries', 'calls'] as const) {
            const range = {
              ...(afterSeq !== undefined && { after: afterSeq }),
              ...(lastHead !== undefined && { upTo: lastHead }),
              ...(last !== undefined && { last }),
              ...(kind && { kind }),
            }
            const expectedEntries = all
              .filter(
                ({ seq, type }) =>
                  seq > (afterSeq ?? 0) && seq <= (lastHead ?? 41) && (!kind || kinds[kind]?.includes(type)),
              )
              .slice(last === undefined ? 0 : last === 0 ? Number.POSITIVE_INFINITY : -last)
              .map(({ seq }) => seq)
            assert.deepEqual(await listPositions(journal.read(range)), expectedEntries, JSON.stringify(range))
          }
        }
      }
    }
  })

  claim('reads many pages, and may be stopped early', async ({ journals }) => {
    const journal = await journals.create('ada', draft(shopOpened))
    const drafts = Array.from({ length: 13 }, (_, n) =>
      draft(...Array.from({ length: 200 }, (_, m) => orderTaken(`word ${n} ${m}`))),
    )
    await journal.append(drafts, journal.head)
    assert.deepEqual((await facts(journal.read({ after: 1 }))).length, 2600)
    assert.deepEqual((await facts(journal.read({ kind: 'orders' }))).length, 2600)
    for (const kind of [undefined, 'orders'] as const) {
      let readCount = 0
      for await (const _ of journal.read({ ...(kind && { kind }) })) if (++readCount === 1500) break
      assert.equal(readCount, 1500)
    }
    await journal.append([draft(renamed('b'))], journal.head)
  })

  claim('reads up to the head at the time of the call', async ({ journals }) => {
    const journal = await createFilled(journals, 4)
    const entries = journal.read({})
    const commits = journal.commits(emptyHead)
    const talk = journal.read({ kind: 'orders' })
    await journal.append([draft(orderTaken('later'))], journal.head)
    assert.equal((await listPositions(entries)).at(-1), 5)
    assert.equal((await collect(commits)).at(-1)?.head.seq, 5)
    assert.equal((await listPositions(talk)).at(-1), 3)
  })

  claim('yields whole commits after a head, each once', async ({ journals }) => {
    const journal = await createFilled(journals)
    const all = await collect(journal.commits(emptyHead))
    assert.equal(all.length, 21)
    for (const [place, { head }] of all.entries()) {
      assert.deepEqual(readCommits(await collect(journal.commits(head))), readCommits(all.slice(place + 1)))
      assert.deepEqual(
        readCommits(await collect(journal.commits({ seq: head.seq }))),
        readCommits(all.slice(place + 1)),
      )
    }
  })

  claim('rejects commits after a head of another journal', async ({ journals }) => {
    const journal = await createFilled(journals, 4)
    const { head } = journal
    await rejects(collect(journal.commits({ seq: 3, hash: head.hash })), Damaged, 3)
    await rejects(collect(journal.commits({ seq: 6, hash: head.hash })), Damaged, 6)
    await rejects(collect(journal.commits({ seq: 6 })), Damaged, 6)
    await rejects(collect(journal.commits({ seq: 0, hash: head.hash })), Damaged, 0)
  })

  claim('finds the first message with a dedupe key', async (world) => {
    const journal = await createFilled(world.journals)
    const strangeKeys = ['', 'x'.repeat(100_000), '\u0000/../', 'key 0 ', '🌱']
    await journal.append(
      strangeKeys.map((key) => draft(orderTaken('odd', key))),
      journal.head,
    )
    await journal.append(
      [draft(orderTaken('again', 'key 3'), orderTaken('twice', 'new')), draft(orderTaken('twice', 'new'))],
      journal.head,
    )
    const check = async (journal: Journal) => {
      assert.equal(await journal.findByKey('key 3'), 14)
      assert.equal(await journal.findByKey('new'), 48)
      assert.equal(await journal.findByKey('key'), undefined)
      assert.deepEqual(
        await Promise.all(strangeKeys.map((key) => journal.findByKey(key))),
        [42, 43, 44, 45, 46],
      )
    }
    await check(journal)
    const reopenedJournal = await reopen(world, journal)
    await check(reopenedJournal)
    await reopenedJournal.close()
    await change(world, ...remove(await keysIn(world, wholeDedupe)))
    await check(await world.journals.open('ada', 'writer'))
  })
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  orders: ['OrderTaken', 'OrderAnswered'],
  deliveries: ['DeliveryPlanned'],
  calls: ['CallMade'],
}

const claimDerived = (claim: Claim): void => {
  const spoil = {
    'wiped index': async (world) => change(world, ...remove(await keysIn(world, wholeIndex))),
    'index without its marks': (world) => change(world, ...remove([indexMark])),
    'missing index entry': (world) => change(world, ...remove([indexKey('orders', 18)])),
    'missing last index entry': (world) => change(world, ...remove([indexKey('orders', 39)])),
    'missing first index entry': (world) => change(world, ...remove([indexKey('orders', 2)])),
    'flipped index entry': (world) => flip(world, indexKey('orders', 18), 0),
    'missing index entry of a rare kind': (world) => change(world, ...remove([indexKey('calls', 9)])),
    'flipped index entry of a rare kind': (world) => flip(world, indexKey('calls', 33), 7),
    'flipped hash in an index entry': (world) => flip(world, indexKey('calls', 33)),
    'cut index entry': (world) =>
      change(world, { type: 'put', key: indexKey('deliveries', 12), value: Buffer.alloc(3) }),
    'flipped index marks': (world) => flip(world, indexMark, 2),
    'wiped dedupe keys': async (world) => change(world, ...remove(await keysIn(world, wholeDedupe))),
    'missing dedupe key': (world) => change(world, ...remove([dedupeKey('key 3')])),
    'flipped dedupe key': (world) => flip(world, dedupeKey('key 3'), 3),
    'dedupe key of another journal': async (world) =>
      changeStore(world, async (store) => {
        const value = (await store.get(dedupeKey('key 3'))) ?? Buffer.alloc(0)
        await store.batch([{ type: 'put', key: dedupeKey('never'), value }], { sync: true })
      }),
    'wiped snapshots': async (world) => change(world, ...remove(await keysIn(world, wholeSnapshots))),
    'flipped snapshot': async (world) => {
      for (const key of await keysIn(world, wholeSnapshots)) await flip(world, key, 5)
    },
  } satisfies Record<string, (world: World) => Promise<void>>

  // Fails if the index does not compare an entry's predecessor, and if keys are not counted.
  for (const [what, harm] of Object.entries(spoil)) {
    for (const mode of ['writer', 'reader'] as const) {
      claim(`returns the same to a ${mode} with a ${what}, also after reopening`, async (world) => {
        const journal = await createFilled(world.journals)
        await journal.keepSnapshot({ projector: 'state', version: 1, head: journal.head, state: { a: 1 } })
        const answersBefore = await answers(journal)
        await journal.close()
        await harm(world)
        const damagedJournal = await world.journals.open('ada', mode)
        assert.deepEqual(await answers(damagedJournal), answersBefore)
        const reopenedJournal = await reopen(world, damagedJournal)
        assert.deepEqual(await answers(reopenedJournal), answersBefore)
        await reopenedJournal.append(
          [draft(orderTaken('later', 'key 3'), orderTaken('new', 'new'))],
          reopenedJournal.head,
        )
        assert.deepEqual(
          await Promise.all(['key 3', 'new'].map((key) => reopenedJournal.findByKey(key))),
          [14, 43],
        )
        assert.deepEqual(await listPositions(reopenedJournal.read({ kind: 'orders', last: 3 })), [39, 42, 43])
      })
    }
  }

  claim('detects a lost index while it is open', async (world) => {
    const journal = await createFilled(world.journals)
    const positionsBefore = await listPositions(journal.read({ kind: 'orders' }))
    await journal.close()
    await change(world, ...remove([indexKey('orders', 18)]))
    const reopenedJournal = await world.journals.open('ada', 'writer')
    const [, appended, read] = await Promise.all([
      listPositions(reopenedJournal.read({ kind: 'orders' })),
      reopenedJournal.append([draft(orderTaken('meanwhile'))], reopenedJournal.head),
      listPositions(reopenedJournal.read({ kind: 'orders' })),
    ])
    assert.equal(appended.length, 1)
    assert.deepEqual(read, positionsBefore)
    assert.deepEqual(await listPositions(reopenedJournal.read({ kind: 'orders' })), [...positionsBefore, 42])
    assert.deepEqual(await listPositions((await reopen(world, reopenedJournal)).read({ kind: 'orders' })), [
      ...positionsBefore,
      42,
    ])
  })

  claim('returns the newest snapshot of a version at or before a position', async (world) => {
    const journal = await createFilled(world.journals)
    const heads = (await collect(journal.commits(emptyHead))).map(({ head }) => head)
    const earlyHead = heads[2] ?? emptyHead
    const middle = heads[8] ?? emptyHead
    const lateHead = heads[16] ?? emptyHead
    const keep = (version: number, head: Head, state: unknown) =>
      journal.keepSnapshot({ projector: 'state', version, head, state })
    const state = { list: [1, 'two', null], big: 'x'.repeat(10_000), at: 1_780_000_000_000 }
    await keep(1, earlyHead, state)
    await keep(1, middle, { middle: true })
    await keep(2, lateHead, { late: true })
    const look = async (version: number, atOrBefore: number) =>
      (await journal.snapshot('state', version, atOrBefore))?.head.seq
    assert.deepEqual((await journal.snapshot('state', 1, earlyHead.seq))?.state, state)
    assert.equal(await look(1, earlyHead.seq - 1), undefined)
    assert.equal(await look(1, middle.seq - 1), earlyHead.seq)
    assert.equal(await look(1, 1000), middle.seq)
    assert.equal(await look(2, 1000), lateHead.seq)
    assert.equal(await look(3, 1000), undefined)
    assert.equal(await journal.snapshot('stat', 1, 1000), undefined)
    await rejects(journal.keepSnapshot({ projector: 'a/b', version: 1, head: lateHead, state }), TypeError)
    await rejects(keep(1, lateHead, new Map()), TypeError)
  })

  claim('returns no snapshot of another history', async ({ journals }) => {
    const journal = await createFilled(journals)
    const head = { seq: 9, hash: 'ab'.repeat(32) }
    await journal.keepSnapshot({ projector: 'state', version: 1, head, state: 1 })
    assert.equal(await journal.snapshot('state', 1, 1000), undefined)
  })

  claim('stores a part once under its hash, and returns none that does not match its hash', async (world) => {
    const journal = await createFilled(world.journals, 4)
    const bytes = Buffer.from('the frame of the prompt '.repeat(1000))
    const sha = await journal.putPart(bytes)
    assert.equal(await journal.putPart(new Uint8Array(bytes)), sha)
    assert.equal((await journal.putPart(Buffer.alloc(0))).length, 64)
    const reopenedJournal = await reopen(world, journal)
    assert.deepEqual(Buffer.from((await reopenedJournal.part(sha)) ?? []).toString(), bytes.toString())
    assert.equal(await reopenedJournal.part('ab'.repeat(32)), undefined)
    await reopenedJournal.close()
    await flip(world, Buffer.concat([Buffer.from('b/'), Buffer.from(sha, 'hex')]), 4)
    const spoiled = await world.journals.open('ada', 'writer')
    assert.equal(await spoiled.part(sha), undefined)
    assert.equal(await spoiled.putPart(bytes), sha)
    assert.equal((await spoiled.part(sha))?.length, bytes.length)
  })
}

const doubts = (claim: Claim): void => {
  for (const [fault, kind, isWritten] of [
    ['refused', Unavailable, false],
    ['lost', InDoubt, false],
    ['kept', InDoubt, true],
  ] as const) {
    // Fails if `settle` keeps the head in memory: the next append then overwrites a record that is on disk.
    claim(`rejects appends after a batch that was ${fault} until it is settled`, async (world) => {
      const { journals, failNext } = world
      const journal = await createFilled(journals, 4)
      const { head } = journal
      const factsBefore = await facts(journal.read({}))
      failNext(fault)
      await rejects(journal.append([draft(orderTaken('a', 'a')), draft(renamed('b'))], head), kind)
      assert.deepEqual(journal.head, head)
      assert.deepEqual(await facts(journal.read({})), factsBefore)
      await rejects(journal.append([draft(orderTaken('c'))], head), Unavailable)
      await rejects(journal.putPart(Buffer.from('part')), Unavailable)

      const settledHead = await journal.settle()
      assert.equal(settledHead.seq, isWritten ? 7 : 5)
      assert.deepEqual(journal.head, settledHead)
      assert.equal((await collect(journal.commits(head))).length, isWritten ? 2 : 0)
      assert.equal(await journal.findByKey('a'), isWritten ? 6 : undefined)
      await journal.append([draft(orderTaken('d', 'd'))], settledHead)
      const talk = await facts(journal.read({ kind: 'orders', after: 5 }))
      assert.deepEqual(
        talk,
        isWritten ? [orderTaken('a', 'a'), orderTaken('d', 'd')] : [orderTaken('d', 'd')],
      )
      const stateAfter = await answers(journal)
      assert.ok(stateAfter.verdict.intact)
      assert.deepEqual(await answers(await reopen(world, journal)), stateAfter)
    })
  }

  claim('still reads while a write is in doubt', async ({ journals, failNext }) => {
    const journal = await createFilled(journals)
    const answersBefore = await answers(journal)
    failNext('lost')
    await rejects(journal.append([draft(orderTaken('a'))], journal.head), InDoubt)
    assert.deepEqual(await answers(journal), answersBefore)
  })

  claim('settles without a write in doubt', async ({ journals }) => {
    const journal = await createFilled(journals)
    const answersBefore = await answers(journal)
    assert.deepEqual(await journal.settle(), answersBefore.head)
    assert.deepEqual(await answers(journal), answersBefore)
  })

  claim('is unchanged after a snapshot or part could not be stored', async ({ journals, failNext }) => {
    const journal = await createFilled(journals)
    const answersBefore = await answers(journal)
    failNext('lost')
    await rejects(
      journal.keepSnapshot({ projector: 'state', version: 1, head: journal.head, state: 1 }),
      InDoubt,
    )
    await rejects(journal.append([draft(orderTaken('a'))], journal.head), Unavailable)
    await journal.settle()
    assert.deepEqual(await answers(journal), answersBefore)
  })
}

const damages = (claim: Claim): void => {
  const damagedSeqs = [1, 20, 33, 41]
  for (const seq of damagedSeqs) {
    for (const [what, harm] of Object.entries({
      missing: (world: World) => change(world, ...remove([recordKey(seq)])),
      'cut short': (world: World) =>
        changeStore(world, async (store) => {
          const value = (await store.get(recordKey(seq))) ?? Buffer.alloc(0)
          await store.batch([{ type: 'put', key: recordKey(seq), value: value.subarray(0, -1) }], {
            sync: true,
          })
        }),
      'with other words': (world: World) => flip(world, recordKey(seq)),
      'with another header': (world: World) => flip(world, recordKey(seq), inCommitId),
    })) {
      // Fails if `prev` is not compared, if commitments are not checked, and if the witness is not consulted.
      claim(`detects that record ${seq} is ${what}, and reads up to it`, async (world) => {
        const journal = await createFilled(world.journals)
        const { head } = journal
        const factsBefore = await facts(journal.read({}))
        await journal.close()
        await harm(world)
        world.saw(head)
        await rejects(world.journals.open('ada', 'writer'), Damaged, seq)
        const reader = await world.journals.open('ada', 'reader')
        assert.equal(reader.head.seq, seq - 1)
        assert.deepEqual(await facts(reader.read({})), factsBefore.slice(0, seq - 1))
        const talk = await facts(reader.read({ kind: 'orders' }))
        assert.deepEqual(
          talk,
          factsBefore
            .slice(0, seq - 1)
            .filter(({ type }) => type === 'OrderTaken' || type === 'OrderAnswered'),
        )
        assert.deepEqual(await reader.findByKey('key 0'), seq > 2 ? 2 : undefined)
        const { reason, ...verdict } = await reader.verify()
        assert.deepEqual(verdict, { events: seq - 1, head: reader.head, intact: false, firstBad: seq })
        assert.ok(reason?.includes(`record ${seq}`))
        await rejects(reader.append([draft(renamed('x'))], reader.head), Unavailable)
        await reader.keepSnapshot({ projector: 'state', version: 1, head: reader.head, state: 1 })
        assert.equal(await reader.snapshot('state', 1, 1000), undefined)
        await reader.close()
        await rejects(world.journals.open('ada', 'writer'), Damaged, seq)
      })
    }
  }

  claim(
    'checks records after the last snapshot when it is opened, and all of them on verify',
    async (world) => {
      const journal = await createFilled(world.journals)
      const [, , , , first, second] = (await collect(journal.commits(emptyHead))).map(({ head }) => head)
      for (const [projector, head] of Object.entries({
        knowledge: second ?? emptyHead,
        state: first ?? emptyHead,
      }))
        await journal.keepSnapshot({ projector, version: 1, head, state: {} })
      await journal.close()
      await flip(world, recordKey(5))
      await flip(world, recordKey(9), inCommitId)
      const reopenedJournal = await world.journals.open('ada', 'writer')
      const { events, intact, firstBad } = await reopenedJournal.verify()
      assert.deepEqual([events, intact, firstBad], [4, false, 5])
      await rejects(facts(reopenedJournal.read({})), Damaged, 5)
      await rejects(listPositions(reopenedJournal.read({ after: 6 })), Damaged, 9)
      await rejects(listPositions(reopenedJournal.read({ kind: 'calls' })), Damaged, 9)
      await rejects(listPositions(reopenedJournal.read({ kind: 'orders' })), Damaged, 9)
      await rejects(collect(reopenedJournal.commits({ seq: 6 })), Damaged, 9)
      await reopenedJournal.close()
      await flip(world, recordKey((second?.seq ?? 0) + 1))
      await rejects(world.journals.open('ada', 'writer'), Damaged, 5)
    },
  )

  claim('detects a record at the position of another', async (world) => {
    await (await createFilled(world.journals)).close()
    await changeStore(world, async (store) => {
      const value = (await store.get(recordKey(7))) ?? Buffer.alloc(0)
      await store.batch([{ type: 'put', key: recordKey(8), value }], { sync: true })
    })
    await rejects(world.journals.open('ada', 'writer'), Damaged, 8)
  })

  claim('detects with the witness that it ends too early or is another journal', async (world) => {
    const journal = await createFilled(world.journals)
    const { head } = journal
    await journal.close()
    world.saw({ seq: 43, hash: 'ab'.repeat(32) })
    await rejects(world.journals.open('ada', 'writer'), Damaged, 42)
    const reader = await world.journals.open('ada', 'reader')
    assert.deepEqual(await reader.verify(), {
      events: 41,
      head,
      intact: false,
      firstBad: 42,
      reason: 'record 42: is missing; the last known position is 43',
    })
    assert.equal((await facts(reader.read({}))).length, 41)
    await reader.close()
    for (const seq of [1, 20, 41]) {
      world.saw({ seq, hash: 'ab'.repeat(32) })
      await rejects(world.journals.open('ada', 'writer'), Damaged, seq)
      const reader = await world.journals.open('ada', 'reader')
      assert.equal(reader.head.seq, seq - 1)
      await reader.close()
    }
    world.saw({ seq: 0, hash: emptyHead.hash })
    await (await world.journals.open('ada', 'writer')).close()
    world.saw(head)
    await (await world.journals.open('ada', 'writer')).close()
  })

  claim('compares the witness before the last snapshot as well', async (world) => {
    const journal = await createFilled(world.journals)
    await journal.keepSnapshot({ projector: 'state', version: 1, head: journal.head, state: {} })
    await journal.close()
    world.saw({ seq: 20, hash: 'ab'.repeat(32) })
    await rejects(world.journals.open('ada', 'writer'), Damaged, 20)
    const reader = await world.journals.open('ada', 'reader')
    assert.equal(reader.head.seq, 19)
  })

  claim('does not open a journal with facts of a newer version', async (world) => {
    const journal = await createFilled(world.journals, 4)
    await journal.close()
    await changeStore(world, async (store) => {
      await store.batch([{ type: 'put', key: recordKey(6), value: encodeNewer(6, journal.head.hash) }], {
        sync: true,
      })
    })
    await rejects(world.journals.open('ada', 'writer'), Newer)
    await rejects(world.journals.open('ada', 'reader'), Newer)
  })
}

const assertInstance = (value: unknown, type: abstract new (...args: never) => unknown): void =>
  assert.ok(value instanceof type, `${value} is no ${type.name}`)

/** Reads each payload before the next entry, as most readers do. */
const facts = async (entries: AsyncIterable<Entry>): Promise<ShopFact[]> => {
  const all: ShopFact[] = []
  for await (const { event } of entries) all.push(event)
  return all
}

const listPositions = async (entries: AsyncIterable<Entry>): Promise<number[]> =>
  (await collect(entries)).map(({ seq }) => seq)

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Returns the contents of commits without storage details. */
const readCommits = (commits: readonly Commit[]) =>
  commits.map(({ entries, head }) => ({
    head,
    entries: entries.map(({ erased, ...entry }) => (erased ? { ...entry, erased } : entry)),
  }))
