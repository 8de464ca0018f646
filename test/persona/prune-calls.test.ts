/**
 * At night only old parts of model calls are removed. Fails without `old.delete` (a part shared with a newer
 * call was removed), without `spared` (a part of a running call was removed), and if the mark is written
 * first (parts of an interrupted run were never removed).
 */
import { hash } from 'node:crypto'
import { test } from 'uvu'
import { equal, is, ok, throws } from 'uvu/assert'
import type { Seq, Sha256 } from '../../facts/fact-values.ts'
import { type Journal, openPersonaJournals } from '../../facts/persona-journal.ts'
import { type Fault, memoryStores } from '../../journal/log/memory-store.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { pruneCalls } from '../../src/persona/prune-calls.ts'
import { createModelAnswered } from '../create-journal.ts'
import { createMessageHeard } from '../journal/facts.ts'
import { createChance } from '../random.ts'
import { born } from './given.ts'

const day = 24 * 3_600_000
const start = Date.parse('2026-01-01T00:00:00Z')
const neverAborted = new AbortController().signal
const toSha = (text: string): Sha256 => hash('sha256', text)

const openCalls = async () => {
  const faults: (Fault | undefined)[] = []
  const stores = memoryStores({ fault: (operation) => (operation === 'batch' ? faults.shift() : undefined) })
  const journals = openPersonaJournals({ stores, witness: async () => undefined })
  let journal: Journal = await journals.create('p', {
    cause: { by: 'person' },
    at: start,
    offset: 0,
    events: [born],
  })
  const putText = (text: string) => journal.putPart(Buffer.from(text))
  const append = async (
    time: number,
    hashes: readonly Sha256[],
    answer: Sha256 | null = null,
    changes: { readonly turn?: Seq; readonly opaque?: Sha256 } = {},
  ) => {
    const recipe = { parts: [1 as Seq, ...hashes], sent: toSha('all') }
    const events = [
      createMessageHeard('hello'),
      createModelAnswered({ recipe, answer: answer === null ? null : { part: answer }, ...changes }),
    ]
    await journal.append([{ events, cause: { by: 'agent', life: 1 }, at: time, offset: 0 }], journal.head)
  }
  return {
    faults,
    put: putText,
    append,
    /** A call whose prompt contains these texts. */
    call: async (time: number, ...texts: readonly string[]) => {
      const hashes: Sha256[] = []
      for (const text of texts) hashes.push(await putText(text))
      await append(time, hashes)
    },
    prune: (
      cutoff: number,
      signal = neverAborted,
      write = <T>(act: (journal: Journal) => Promise<T>) => act(journal),
      openTurns: ReadonlySet<Seq> = new Set(),
    ) => pruneCalls({ journal, write, openTurns }, cutoff, signal),
    has: async (text: string) => (await journal.part(toSha(text))) !== undefined,
    settle: () => journal.settle(),
    reopen: async () => {
      await journal.close()
      journal = await journals.open('p', 'writer')
    },
  }
}

// Verified to fail if calls are pruned by age alone.
test('keeps the calls of an open turn with their opaque data until it ends', async () => {
  const { call, put, append, prune, has } = await openCalls()
  await call(start, 'before the turn')
  const opaque = await put('opaque data')
  await append(start, [await put('first step')], null, { turn: 1, opaque })
  await call(start + day, 'after the turn')
  await prune(start + 60 * day, neverAborted, undefined, new Set([1 as Seq]))
  equal(await Promise.all(['before the turn', 'opaque data', 'first step'].map(has)), [false, true, true])
  await prune(start + 60 * day)
  equal(await Promise.all(['opaque data', 'first step', 'after the turn'].map(has)), [false, false, false])
})

test('parts that only older calls refer to are removed; parts shared with newer calls, and answers, are kept', async () => {
  const { call, put, append, prune, has } = await openCalls()
  await call(start, 'frame', 'old words')
  await append(start, [], await put('a long answer'))
  await call(start + 40 * day, 'frame', 'young words')
  await prune(start + 10 * day)
  const keptTexts = ['frame', 'old words', 'a long answer', 'young words'].map(has)
  equal(await Promise.all(keptTexts), [true, false, true, true])
  await prune(start + 50 * day)
  equal(await Promise.all(['frame', 'young words', 'a long answer'].map(has)), [false, false, true])
})

test('a running call keeps the parts that it found, however old they are', async () => {
  const { call, put, append, prune, has } = await openCalls()
  await call(start, 'frame', 'old words')
  const sha = await put('frame')
  await prune(Number.POSITIVE_INFINITY)
  equal([await has('frame'), await has('old words')], [true, false])
  await append(start + day, [sha])
  await prune(Number.POSITIVE_INFINITY)
  is(await has('frame'), false, 'it is removed once its call is old, too')
})

test('a part that is stored during pruning is kept', async () => {
  const { call, put, append, prune, has } = await openCalls()
  await call(start, 'frame')
  let isFirst = true
  await prune(start + day, neverAborted, async (act) => {
    if (isFirst) await append(start + 2 * day, [await put('frame')])
    isFirst = false
    return act(undefined as never)
  })
  is(await has('frame'), true)
})

test('the next run finishes an interrupted pruning', async () => {
  for (const cutKind of ['signal', 'crash'] as const)
    for (let afterSeq = 0; afterSeq < 3; afterSeq++) {
      const { call, prune, has, faults, settle, reopen } = await openCalls()
      await call(start, ...Array.from({ length: 700 }, (_, n) => `old ${n}`))
      await call(start + 9 * day, 'young')
      const ending = new AbortController()
      let writes = 0
      if (cutKind === 'crash')
        for (let n = 0; n <= afterSeq; n++) faults[n] = n === afterSeq ? 'lost' : undefined
      await prune(start + day, ending.signal, async (act) => {
        if (cutKind === 'signal' && writes++ === afterSeq) ending.abort()
        return act(undefined as never)
      }).catch(() => undefined)
      faults.length = 0
      await settle()
      await reopen()
      await prune(start + day)
      ok(await has('young'))
      for (const n of [0, 499, 500, 699]) is(await has(`old ${n}`), false, `${cutKind} ${afterSeq} ${n}`)
    }
})

test('after any order of calls and nights, parts of recent calls are kept and parts of old calls are removed', async () => {
  const chance = createChance('nights that prune')
  for (let life = 0; life < 20; life++) {
    const { call, prune, has } = await openCalls()
    const calls: { readonly at: number; readonly texts: readonly string[] }[] = []
    let nowEpoch = start
    for (let n = 0; n < 60; n++) {
      nowEpoch += chance.pickBetween(0, 3) * day
      if (chance.next() < 0.8) {
        const texts = Array.from(
          { length: chance.pickBetween(1, 3) },
          () => `part ${chance.pickBetween(1, 12)}`,
        )
        await call(nowEpoch, ...texts)
        calls.push({ at: nowEpoch, texts })
        continue
      }
      const cutoff = nowEpoch - 7 * day
      await prune(cutoff)
      const young = new Set(calls.filter(({ at }) => at >= cutoff).flatMap(({ texts }) => texts))
      for (const text of new Set(calls.flatMap(({ texts }) => texts)))
        is(await has(text), young.has(text), `${text} on day ${(nowEpoch - start) / day}`)
    }
  }
})

test('the retention is a setting in whole days, by default thirty', () => {
  const getDays = (value: string | undefined) => readConfig({ DAIMON_KEEP_CALLS_DAYS: value }).keepCallsDays
  equal([undefined, '', '0', '7', '99999'].map(getDays), [30, 30, 0, 7, 99_999])
  for (const value of ['-1', '1.5', 'x', '1e3', '100000', ' 7'])
    throws(
      () => getDays(value),
      (error: unknown) => error instanceof ConfigError && /KEEP_CALLS_DAYS/.test(error.message),
    )
})

test.run()
