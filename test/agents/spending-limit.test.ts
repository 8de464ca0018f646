/** The daily token limit: when a day begins, which tokens count, and the message at the limit. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  dayAround,
  getSpentTokens,
  getTokensLeft,
  mayWorkInBackground,
  overCeiling,
} from '../../src/agents/spending-limit.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { createJournal, createModelAnswered, createModelFailed, createUsage } from '../create-journal.ts'

const zone = 'Europe/Berlin'
const parseTime = (iso: string) => Date.parse(iso)
const nowEpoch = parseTime('2026-11-23T15:00:00+01:00')
const createSpendingJournal = (...usages: readonly (readonly [at: string, tokens: number])[]) =>
  createJournal(usages.map(([at, tokens]) => ({ at, events: [createUsage(tokens)] })))

test('counts input and output tokens of every cause since the begin of the day', async () => {
  const journal = await createJournal([
    { at: '2026-11-22T23:59:59.999+01:00', events: [createUsage(1_000_000)] },
    { at: '2026-11-23T00:00:00+01:00', events: [createModelAnswered({ cause: 'perception', organ: 'eye' })] },
    {
      at: '2026-11-23T09:00:00+01:00',
      events: [createModelAnswered(), createModelAnswered({ cause: 'api', turn: null }), createModelFailed()],
    },
    {
      at: '2026-11-23T10:00:00+01:00',
      events: [createModelAnswered({ usage: { input: null, output: 5, cached: null, made: null } })],
    },
    { at: '2026-11-24T00:00:00+01:00', events: [createUsage(1_000_000)] },
  ])
  assert.is(await getSpentTokens({ journal, zone, now: nowEpoch }), 41)
})

test('returns 0 for a journal without calls', async () => {
  const journal = await createSpendingJournal()
  assert.is(await getSpentTokens({ journal, zone, now: nowEpoch }), 0)
  assert.is(await overCeiling({ journal, zone, now: nowEpoch, ceiling: 1 }), null)
})

test('uses the day of the configured time zone', async () => {
  const journal = await createSpendingJournal(
    ['2026-11-23T05:30:00Z', 1],
    ['2026-11-23T12:30:00Z', 10],
    ['2026-11-23T23:30:00Z', 100],
  )
  const getSpent = (zone: string, nowIso: string) => getSpentTokens({ journal, zone, now: parseTime(nowIso) })
  assert.is(await getSpent('UTC', '2026-11-23T12:00:00Z'), 111)
  assert.is(await getSpent('Europe/Berlin', '2026-11-23T12:00:00Z'), 11)
  assert.is(await getSpent('Europe/Berlin', '2026-11-23T23:40:00Z'), 100)
  assert.is(await getSpent('America/Los_Angeles', '2026-11-23T12:00:00Z'), 110)
  assert.is(await getSpent('Pacific/Auckland', '2026-11-23T12:00:00Z'), 110)
})

test('handles days of 23 and 25 hours and a skipped midnight', async () => {
  const hours = async (nowIso: string, zone: string) => {
    const { from, to } = await dayAround(parseTime(nowIso), zone)
    return [new Date(from).toISOString(), (to - from) / 3_600_000]
  }
  assert.equal(await hours('2026-10-25T12:00:00Z', 'Europe/Berlin'), ['2026-10-24T22:00:00.000Z', 25])
  assert.equal(await hours('2026-03-29T12:00:00Z', 'Europe/Berlin'), ['2026-03-28T23:00:00.000Z', 23])
  // On the day of the spring change, midnight is skipped there and the day begins at one.
  assert.equal(await hours('2026-03-29T12:00:00Z', 'Asia/Beirut'), ['2026-03-28T22:00:00.000Z', 23])
  assert.equal(await hours('2026-03-28T12:00:00Z', 'Asia/Beirut'), ['2026-03-27T22:00:00.000Z', 24])
  // Midnight occurs twice there. The first one counts.
  assert.equal(await hours('2026-11-01T12:00:00Z', 'America/Havana'), ['2026-11-01T04:00:00.000Z', 25])
  for (const minuteTime of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])
    assert.equal(
      await dayAround(parseTime(minuteTime), zone),
      await dayAround(parseTime('2026-10-25T12:00:00Z'), zone),
    )
})

test('is never over the limit without one', async () => {
  const journal = await createSpendingJournal(['2026-11-23T09:00:00+01:00', Number.MAX_SAFE_INTEGER])
  assert.is(await overCeiling({ journal, zone, now: nowEpoch, ceiling: null }), null)
  assert.is(await getTokensLeft({ journal, zone, now: nowEpoch, ceiling: null }), null)
  assert.is(await mayWorkInBackground({ journal, zone, now: nowEpoch, ceiling: null }), true)
})

// Fails if the limit is compared with > instead of >=.
test('at the limit names the limit, the use, the time of the reset and the setting', async () => {
  const journal = await createSpendingJournal(
    ['2026-11-23T09:00:00+01:00', 99_999],
    ['2026-11-23T09:00:01+01:00', 1234],
  )
  const getLimitMessage = (ceiling: number, epoch = nowEpoch) =>
    overCeiling({ journal, zone, now: epoch, ceiling })
  assert.is(await getLimitMessage(101_234), null)
  assert.type(await getLimitMessage(101_233), 'string')
  const message = (await getLimitMessage(100_000)) ?? ''
  for (const part of ['101,233', '100,000', 'DAIMON_DAILY_TOKENS', 'Tuesday 24 November', '00:00', zone])
    assert.match(message, part)
  assert.is(await getLimitMessage(100_000, parseTime('2026-11-24T00:00:00+01:00')), null)
})

test('stops background work at 80 %', async () => {
  const may = async (tokens: number) =>
    mayWorkInBackground({
      journal: await createSpendingJournal(['2026-11-23T09:00:00+01:00', tokens]),
      zone,
      now: nowEpoch,
      ceiling: 1000,
    })
  assert.equal(
    [await may(0), await may(799), await may(800), await may(1000), await may(5000)],
    [true, true, false, false, false],
  )
})

test('never returns a negative rest', async () => {
  const journal = await createSpendingJournal(['2026-11-23T09:00:00+01:00', 700])
  const remains = (ceiling: number) => getTokensLeft({ journal, zone, now: nowEpoch, ceiling })
  assert.equal([await remains(1000), await remains(700), await remains(1)], [300, 0, 0])
})

test('finds all calls of the day although the clock was set back', async () => {
  const today = Array.from({ length: 400 }, () => ['2026-11-23T09:00:00+01:00', 1] as const)
  const journal = await createSpendingJournal(...today, ['2020-01-01T00:00:00Z', 1], ...today, [
    '2020-01-01T00:00:00Z',
    1,
  ])
  assert.is(await getSpentTokens({ journal, zone, now: nowEpoch }), 800)
})

test('accepts only a number of tokens as the setting', () => {
  assert.is(readConfig({}).dailyTokens, null)
  assert.is(readConfig({ DAIMON_DAILY_TOKENS: '' }).dailyTokens, null)
  assert.is(readConfig({ DAIMON_DAILY_TOKENS: '250000' }).dailyTokens, 250_000)
  for (const value of ['0', '-1', '1.5', '1e6', '100k', '100_000', '١٢', ' 5', 'off', '9'.repeat(16)])
    assert.throws(
      () => readConfig({ DAIMON_DAILY_TOKENS: value }),
      (error: unknown) =>
        error instanceof ConfigError &&
        !error.message.includes('\n') &&
        error.message.includes('DAIMON_DAILY_TOKENS'),
    )
})

test.run()
