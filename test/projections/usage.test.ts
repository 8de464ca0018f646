/** Model usage and cost, summed over facts of all versions. */
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isIn, type PersonaEvent } from '../../facts/facts.ts'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { iterateValues } from '../../journal/log/latest-entries.ts'
import { callsWithin, sumUp, toUsageRow, type Window } from '../../projections/usage.ts'
import { usageWithin } from '../../src/persona/usage-ledger.ts'
import {
  createJournal,
  createModelAnswered,
  createModelFailed,
  createUsage,
  type WrittenEvents,
} from '../create-journal.ts'
import { temporary } from '../journal/engines.ts'
import { collect, createMessageHeard, draft } from '../journal/facts.ts'
import { createChance } from '../random.ts'

const open = { from: null, to: null } as const
const readUsage = async (commits: readonly WrittenEvents[], window: Window = open) =>
  sumUp(usageWithin(await createJournal(commits), window))
const getWindow = (startIso: string, endIso: string): Window => ({
  from: Date.parse(startIso),
  to: Date.parse(endIso),
})
const noon = '2026-11-23T12:00:00+01:00'
const noUsage = {
  calls: 0,
  failed: 0,
  tries: 0,
  input: 0,
  output: 0,
  cached: 0,
  written: 0,
  images: 0,
  characters: 0,
  seconds: 0,
  searches: 0,
  ms: 0,
  usd: null,
  unpriced: 0,
  dated: [],
}

test('sums calls in total, by organ, model, cause and day', async () => {
  const opus = { provider: 'anthropic', model: 'opus' } as const
  const usage = await readUsage([
    {
      at: noon,
      events: [
        createMessageHeard('hello'),
        createModelAnswered({ ...opus, calls: 2, price: { usd: 0.02, dated: '2026-10-01' } }),
      ],
    },
    {
      at: noon,
      events: [
        createModelAnswered({ organ: 'eye', cause: 'perception', ms: 40 }),
        createModelFailed({ organ: 'ear', cause: 'perception' }),
      ],
    },
    {
      at: '2026-11-24T08:00:00+01:00',
      events: [
        createModelAnswered({
          ...opus,
          organ: 'imagination',
          cause: 'tool',
          price: { usd: 0.04, dated: '2026-11-01' },
          usage: { input: null, output: null, cached: null, made: { unit: 'image', count: 1 } },
        }),
      ],
    },
  ])
  assert.equal(usage.total, {
    calls: 4,
    failed: 1,
    tries: 7,
    input: 20,
    output: 4,
    cached: 0,
    written: 0,
    images: 1,
    characters: 0,
    seconds: 0,
    searches: 0,
    ms: 270,
    usd: 0.06,
    unpriced: 1,
    dated: ['2026-10-01', '2026-11-01'],
  })
  const sumCosts = (sums: readonly { calls: number; usd: number | null }[], ...names: readonly string[]) =>
    sums.map((sum) => [
      ...names.map((name) => (sum as unknown as Record<string, unknown>)[name]),
      sum.calls,
      sum.usd,
    ])
  assert.equal(sumCosts(usage.organs, 'organ'), [
    ['imagination', 1, 0.04],
    ['thinking', 1, 0.02],
    ['eye', 1, null],
    ['ear', 1, null],
  ])
  assert.equal(sumCosts(usage.models, 'provider', 'model'), [
    ['anthropic', 'opus', 2, 0.06],
    [null, 'llama', 2, null],
  ])
  assert.equal(sumCosts(usage.causes, 'cause'), [
    ['tool', 1, 0.04],
    ['turn', 1, 0.02],
    ['perception', 2, null],
  ])
  assert.equal(sumCosts(usage.days, 'day'), [
    ['2026-11-23', 3, 0.02],
    ['2026-11-24', 1, 0.04],
  ])
})

test('without calls the cost is unknown', async () => {
  const usage = await readUsage([{ at: noon, events: [createMessageHeard('hello')] }])
  assert.equal(usage, { total: noUsage, organs: [], models: [], causes: [], searches: [], days: [] })
})

test('counts a failed call without guessing its tokens or price', async () => {
  const { total } = await readUsage([{ at: noon, events: [createModelFailed()] }])
  assert.equal(total, { ...noUsage, calls: 1, failed: 1, tries: 3, ms: 30 })
})

test('adds up tiny amounts exactly', async () => {
  const spend = async (...usds: readonly number[]) =>
    (
      await readUsage([
        { at: noon, events: usds.map((usd) => createModelAnswered({ price: { usd, dated: '2026-11-01' } })) },
      ])
    ).total.usd
  assert.is(await spend(0.1, 0.2), 0.3)
  assert.is(await spend(...Array.from({ length: 10 }, () => 0.1)), 1)
  assert.is(await spend(...Array.from({ length: 1000 }, () => 0.0000004)), 0.0004)
  assert.is(await spend(0), 0)
})

test('distinguishes a price of zero from a missing one', async () => {
  const free = createModelAnswered({ price: { usd: 0, dated: '2026-11-01' } })
  const { usd, unpriced } = (await readUsage([{ at: noon, events: [free, createModelAnswered()] }])).total
  assert.equal([usd, unpriced], [0, 1])
})

test('counts unreported tokens as 0, and cached and written tokens as input', async () => {
  const { input, output, cached, written } = (
    await readUsage([
      {
        at: noon,
        events: [
          createModelAnswered({ usage: { input: 100, output: null, cached: 60, written: 30, made: null } }),
          createModelAnswered({ usage: { input: null, output: 7, cached: null, made: null } }),
        ],
      },
    ])
  ).total
  assert.equal([input, output, cached, written], [100, 7, 60, 30])
})

test('uses local days at the time of the call, across zones and on days of 25 and 23 hours', async () => {
  const days = async (...usages: readonly (readonly [at: string, zone: string])[]) =>
    (await readUsage(usages.map(([at, zone]) => ({ at, zone, events: [createUsage(1)] })))).days.map(
      ({ day, calls }) => [day, calls],
    )
  const lateEvening = '2026-11-23T23:30:00Z'
  assert.equal(
    await days(
      [lateEvening, 'UTC'],
      [lateEvening, 'Europe/Berlin'],
      [lateEvening, 'America/New_York'],
      [lateEvening, 'Pacific/Kiritimati'],
    ),
    [
      ['2026-11-23', 2],
      ['2026-11-24', 2],
    ],
  )
  assert.equal(
    await days(
      ...[
        '2026-10-24T23:59:59+02:00',
        '2026-10-25T00:00:00+02:00',
        '2026-10-25T02:30:00+02:00',
        '2026-10-25T02:30:00+01:00',
      ].map((time) => [time, 'Europe/Berlin'] as const),
      ['2026-10-25T23:59:59+01:00', 'Europe/Berlin'],
      ['2026-10-26T00:00:00+01:00', 'Europe/Berlin'],
    ),
    [
      ['2026-10-24', 1],
      ['2026-10-25', 4],
      ['2026-10-26', 1],
    ],
  )
  assert.equal(
    await days(
      ['2026-03-29T00:10:00+01:00', 'Europe/Berlin'],
      ['2026-03-29T23:10:00+02:00', 'Europe/Berlin'],
    ),
    [['2026-03-29', 2]],
  )
})

test('a window includes its start and excludes its end; a reversed one is empty', async () => {
  const commits = [
    '2026-11-22T23:59:59.999Z',
    '2026-11-23T00:00:00Z',
    '2026-11-23T23:59:59.999Z',
    '2026-11-24T00:00:00Z',
  ].map((time, n) => ({
    at: time,
    events: [createUsage(10 ** n)],
  }))
  const tokens = async (window: Window) => (await readUsage(commits, window)).total.input
  const startsAt = Date.parse('2026-11-23T00:00:00Z')
  const last = Date.parse('2026-11-24T00:00:00Z')
  assert.is(await tokens({ from: startsAt, to: last }), 110)
  assert.is(await tokens({ from: startsAt, to: null }), 1110)
  assert.is(await tokens({ from: null, to: last }), 111)
  assert.is(await tokens(open), 1111)
  assert.is(await tokens({ from: last, to: startsAt }), 0)
  assert.is(await tokens({ from: startsAt, to: startsAt }), 0)
})

// Fails if reading stops at the first call before the window.
test('calls during a clock set back do not end the search', async () => {
  const call = (time: string, n: number): WrittenEvents => ({
    at: time,
    events: [createUsage(1, { model: `m${n}` })],
  })
  const day = Array.from({ length: 1300 }, (_, n) => call(noon, n % 3))
  const earlyCalls = Array.from({ length: 5 }, (_, n) => call('1970-01-01T00:10:00Z', n % 3))
  const usageBefore = Array.from({ length: 1700 }, (_, n) => call('2026-11-22T12:00:00+01:00', n % 3))
  const commits = [...usageBefore, ...day.slice(0, 600), ...earlyCalls, ...day.slice(600), ...earlyCalls]
  const window = getWindow('2026-11-23T00:00:00+01:00', '2026-11-24T00:00:00+01:00')
  assert.is((await readUsage(commits, window)).total.calls, 1300)
  assert.is((await readUsage(commits)).total.calls, commits.length)
})

test('stops at older calls without reading the whole journal', async () => {
  const journal = await createJournal([
    ...Array.from({ length: 2000 }, () => ({ at: '2026-11-20T12:00:00+01:00', events: [createUsage(1)] })),
    ...Array.from({ length: 30 }, () => ({ at: noon, events: [createUsage(1)] })),
  ])
  let readCount = 0
  const countingJournal = {
    head: journal.head,
    read: async function* (range: Parameters<typeof journal.read>[0]) {
      for await (const entry of journal.read(range)) {
        readCount++
        yield entry
      }
    },
  }
  const window = getWindow('2026-11-23T00:00:00+01:00', '2026-11-24T00:00:00+01:00')
  assert.is((await collect(callsWithin(countingJournal, window))).length, 30)
  assert.ok(readCount <= 1500, `${readCount} calls were looked at`)
})

// Fails without the upcaster of version 1 of ModelAnswered: the journal then counts as damaged.
test('counts the answers of a journal of the first format, unpriced', async () => {
  const home = await temporary()
  await cp(
    join(import.meta.dirname, '..', 'journal', 'golden', 'v1', 'journal'),
    join(home, 'personas', 'ada', 'journal'),
    {
      recursive: true,
    },
  )
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open('ada', 'reader')
  const usage = await sumUp(usageWithin(journal, open))
  await journal.close()
  await rm(home, { recursive: true })
  assert.equal(usage.total, { ...noUsage, calls: 1, tries: 1, input: 12, ms: 1200, unpriced: 1 })
  assert.equal(
    usage.models.map(({ provider, model }) => [provider, model]),
    [['anthropic', 'opus']],
  )
  // Written at 16:56 UTC, 3.5 hours west of it.
  assert.equal(
    usage.days.map(({ day }) => day),
    [new Date(1_780_000_000_000 - 210 * 60_000).toISOString().slice(0, 10)],
  )
})

test('does not read counted calls again while the journal is open, and adds new ones', async () => {
  const journal = await createJournal(
    Array.from({ length: 700 }, () => ({ at: '2026-11-20T12:00:00+01:00', events: [createUsage(1)] })),
  )
  let lookCount = 0
  let writeCount = 0
  const countingJournal: Journal = {
    ...journal,
    get head() {
      return journal.head
    },
    snapshot: (...args) => {
      lookCount++
      return journal.snapshot(...args)
    },
    keepSnapshot: (snapshot) => {
      writeCount++
      return journal.keepSnapshot(snapshot)
    },
  }
  for (let n = 0; n < 6; n++) {
    assert.is((await sumUp(usageWithin(countingJournal, open))).total.calls, 700 + 100 * n)
    const events = Array.from({ length: 100 }, () => createUsage(1))
    await journal.append([draft(...events)], journal.head)
  }
  // Snapshots of the ledger are written at 700 and at 1300.
  assert.equal([lookCount, writeCount], [1, 1])
  await sumUp(usageWithin(countingJournal, open))
  assert.equal([lookCount, writeCount], [1, 2])
  const reopened = { ...journal, head: journal.head }
  assert.is((await sumUp(usageWithin(reopened, open))).total.calls, 1300)
})

/** Fails if the ledger adds whole days to a window that ends within one. */
test('counts the same from stored days as from the calls', async () => {
  const chance = createChance('kept days')
  const start = Date.parse('2026-11-20T00:00:00+01:00')
  const calls = Array.from({ length: 1500 }, (_, n) => ({
    // Clocks jump now and then.
    at: new Date(
      start + n * 300_000 + (chance.next() < 0.02 ? chance.pickBetween(-9, 9) * 3_600_000 : 0),
    ).toISOString(),
    events: [createUsage(chance.pickBetween(0, 9)), ...(chance.next() < 0.1 ? [createModelFailed()] : [])],
  }))
  const journal = await createJournal(calls.slice(0, 1200))
  const longJournal = await createJournal(calls)
  for (const journalToRead of [journal, longJournal])
    for (let n = 0; n < 12; n++) {
      const first = start + chance.pickBetween(-10, 1510) * 300_000
      const window = chance.pick<Window>([
        open,
        { from: first, to: first + chance.pickBetween(0, 500) * 300_000 },
      ])
      const rows = (await collect(callsWithin(journalToRead, window))).flatMap((entry) =>
        isIn('calls', entry.event) ? [toUsageRow(entry, entry.event)] : [],
      )
      assert.equal(await sumUp(usageWithin(journalToRead, window)), await sumUp(iterateValues(rows)))
    }
  assert.is((await journal.snapshot('usage', 4, journal.head.seq))?.head.seq, journal.head.seq)
})

test('counts searches by provider apart from calls, with their cost in the total', async () => {
  const search = (usd: number | null): PersonaEvent => ({
    type: 'WebSearched',
    turn: 1,
    step: 1,
    provider: 'brave',
    found: usd === null ? null : 2,
    price: usd === null ? null : { usd, dated: '2026-11-28' },
  })
  const row = (event: PersonaEvent) => (isIn('calls', event) ? [toUsageRow({ at: 0, offset: 0 }, event)] : [])
  const { total, searches, organs, causes } = await sumUp(
    iterateValues([search(0.005), search(0.008), search(null)].flatMap(row)),
  )
  assert.equal([total.calls, total.searches, total.usd, total.unpriced], [0, 3, 0.013, 0])
  assert.equal(
    searches.map(({ search: provider, searches: count }) => [provider, count]),
    [['brave', 3]],
  )
  assert.equal([organs, causes.map(({ cause }) => cause)], [[], ['tool']])
})

/** Fails if all calls of a day are one entry, including those in between. */
test('a late call of an old day does not cause later days to be read again', async () => {
  const start = Date.parse('2026-02-01T09:00:00Z')
  const times = [...Array.from({ length: 600 }, (_, n) => start + n * 3_600_000), start + 30 * 3_600_000]
  const journal = await createJournal(
    times.map((time) => ({ at: new Date(time).toISOString(), events: [createUsage(1)] })),
  )
  let readCount = 0
  const countingJournal: Journal = {
    ...journal,
    head: journal.head,
    read: async function* (range) {
      for await (const entry of journal.read(range)) {
        readCount++
        yield entry
      }
    },
  }
  await sumUp(usageWithin(countingJournal, open))
  readCount = 0
  const lastSeq = journal.head.seq - 201
  assert.is((await sumUp(usageWithin(countingJournal, open, { upTo: lastSeq }))).total.calls, 400)
  assert.ok(readCount <= 24, `${readCount} calls were read`)
})

test.run()
