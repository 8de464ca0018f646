/** Retention of 30 days with clocks that jump. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ripe } from '../../home/retention.ts'
import { tempHome } from '../daemon.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const year = 365 * day
const start = Date.UTC(2026, 10, 23)

/** Stores one item in a home. Returns the number of checks after which it expires, or null. */
const expiresAfter = async (
  lookTimes: readonly (readonly [now: number, elapsed?: number])[],
  texts: readonly string[] = ['one'],
): Promise<number | null> => {
  const home = await tempHome()
  try {
    for (const [n, [now, elapsed = 0]] of lookTimes.entries())
      if ((await ripe(home, { names: texts, now, elapsed })).has('one')) return n
    return null
  } finally {
    await rm(home, { recursive: true })
  }
}

test('expires after 30 daily checks, however often the daemon starts', async () => {
  const daily = Array.from({ length: 40 }, (_, n) => [start + n * day] as const)
  assert.is(await expiresAfter(daily), 30)
  const hourlyLooks = Array.from({ length: 40 * 24 }, (_, n) => [start + n * hour] as const)
  assert.is(await expiresAfter(hourlyLooks), 30 * 24)
  const gaps = Array.from({ length: 40 }, (_, n) => [start + n * day, n === 0 ? 0 : day] as const)
  assert.is(await expiresAfter(gaps), 30)
})

// Fails if the age comes from the wall clock: the first start with a clock a year ahead deletes the item.
test('a clock that jumps ahead by a year and back expires nothing', async () => {
  const jumps = Array.from({ length: 14 }, (_, n) => [start + n * hour + (n % 2 ? year : 0)] as const)
  assert.is(await expiresAfter([...jumps, [start + 40 * year]]), null)
  // While a process runs, a jump adds the elapsed time and one day at most.
  assert.is(await expiresAfter(Array.from({ length: 14 }, (_, n) => [start + n * year, hour] as const)), null)
})

test('a clock that stays wrong counts days as they pass', async () => {
  const daily = Array.from({ length: 40 }, (_, n) => [start + (n > 2 ? year : 0) + n * day] as const)
  assert.is(await expiresAfter(daily), 30)
})

test('a home that is rarely started keeps items longer', async () => {
  assert.is(await expiresAfter(Array.from({ length: 40 }, (_, n) => [start + 7 * n * day] as const)), 30)
})

test('a name that comes back starts at age 0, and so do all if the ages are lost', async () => {
  const home = await tempHome()
  const look = (n: number, ...texts: readonly string[]) =>
    ripe(home, { names: texts, now: start + n * day, elapsed: 0 })
  for (let n = 0; n < 29; n++) await look(n, 'one', 'other')
  await look(29, 'other')
  assert.equal([...(await look(30, 'one', 'other'))], ['other'])
  for (const content of [
    '',
    '{',
    '{"looked":"soon","kept":{}}',
    '[1]',
    '{"looked":"2026-11-23T00:00:00.000Z","kept":{"one":"old"}}',
  ]) {
    await writeFile(join(home, 'ages'), content)
    assert.equal([...(await look(31, 'one'))], [], content)
  }
  await rm(home, { recursive: true })
})

test.run()
