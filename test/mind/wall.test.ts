import { test } from 'uvu'
import { equal, is, not, ok } from 'uvu/assert'
import { instantOf, isWall, nextAfter, sayNow } from '../../src/mind/wall.ts'

const berlin = 'Europe/Berlin'
const at = (iso: string) => Date.parse(iso)

test('daily at nine stays nine when the clocks change', () => {
  is(nextAfter('2026-10-24T09:00:00', berlin, 'daily', at('2026-10-24T10:00:00+02:00')), '2026-10-25T09:00:00')
  is(instantOf('2026-10-25T09:00:00', berlin), at('2026-10-25T09:00:00+01:00'))
  is(nextAfter('2026-03-28T09:00:00', berlin, 'daily', at('2026-03-28T10:00:00+01:00')), '2026-03-29T09:00:00')
})
test('the last of a month is counted from its first, never from a shorter month', () => {
  const after = ['2026-02-01', '2026-03-01', '2026-04-01'].map((day) =>
    nextAfter('2026-01-31T08:00:00', berlin, 'monthly', at(`${day}T12:00:00Z`)),
  )
  equal(after, ['2026-02-28T08:00:00', '2026-03-31T08:00:00', '2026-04-30T08:00:00'])
})
test('a leap day comes yearly on the last of February', () => {
  is(nextAfter('2028-02-29T08:00:00', berlin, 'yearly', at('2028-03-01T00:00:00Z')), '2029-02-28T08:00:00')
})
test('three days with the lid closed give one next time, not three', () => {
  is(nextAfter('2026-06-01T09:00:00', berlin, 'daily', at('2026-06-04T08:00:00+02:00')), '2026-06-04T09:00:00')
})
test('hours are real hours across a change of the clocks', () => {
  is(nextAfter('2026-10-25T01:30:00', berlin, 'hourly', at('2026-10-25T01:40:00+02:00')), '2026-10-25T02:30:00')
})
test('of an hour that comes twice only the first counts', () => {
  is(nextAfter('2026-10-24T02:30:00', berlin, 'hourly', at('2026-10-25T02:30:00+02:00')), '2026-10-25T03:30:00')
})
test('the next time is always later than the moment asked about', () => {
  let seed = 7
  for (let i = 0; i < 500; i++) {
    seed = (seed * 48271) % 2147483647
    const after = at('2026-01-01T00:00:00Z') + (seed % (400 * 86_400_000))
    const recurrence = (['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const)[seed % 5] ?? 'daily'
    const next = nextAfter('2026-01-31T02:30:00', berlin, recurrence, after)
    ok(instantOf(next, berlin) > after, `${recurrence} after ${new Date(after).toISOString()} gave ${next}`)
  }
})
test('a wall time is a date and a time without an offset', () => {
  for (const good of ['2026-11-24T09:00', '2026-11-24T09:00:30']) ok(isWall(good), good)
  for (const bad of ['tomorrow', '2026-11-24', '2026-13-24T09:00', '2026-02-30T09:00', '2026-11-24T09:00Z', '2026-11-24T25:00', ''])
    not(isWall(bad), bad)
})
test('now is said with its weekday and zone', () => {
  is(sayNow(at('2026-11-23T10:15:00+01:00'), berlin), 'Monday, 2026-11-23T10:15 (Europe/Berlin)')
})

test.run()
