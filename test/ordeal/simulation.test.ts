// Runs alone: it replaces timers and other globals of Node.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printFigures, scaleSize } from '../ordeal.ts'
import { getSeed } from '../random.ts'
import type { PlayResult } from '../simulation/play.ts'

// This import must be first: the daemon's modules take the replaced globals when they are loaded.
await import('../simulation/frozen-time.ts')
const { play, warmUp } = await import('../simulation/play.ts')

/** `SEED=n` plays only that one; `FROM=n` begins there, `SEEDS=n` plays this many. */
const { SEED, FROM, SEEDS } = process.env
const count = SEED ? 1 : Number(SEEDS) || scaleSize(20_000, 1000)
const first = Number(SEED ?? FROM) || getSeed('simulation')

const story = (seed: number, { steps, wrong }: PlayResult): string =>
  [`SEED=${seed} repeats this:`, ...steps.map((step, n) => `${n + 1}. ${step}`), ...wrong.slice(0, 5)].join(
    '\n  ',
  )

test.before(warmUp)

/**
 * Each of these faults was found after the given number of seeds: no fence (8: `runs but is not awake`), no
 * dedupe keys (1: `received twice`), commands acknowledged before the append (5: `was acknowledged and is not
 * stored`), the end of a turn in another commit than its last message (1), decisions based on a refused batch
 * (15: `life 2 follows 0`), consolidation while a turn is about to begin (300: `has two calls at once`), a
 * night whose first fact the disk refused but stored (500: `a sleep never ended`), a turn that continues
 * although a write in doubt is found on disk and stops it (15 000: `has two calls at once`), and an empty
 * turn that begins although a message arrived meanwhile (150: `an empty turn begins`).
 */
test('a daemon that is interrupted at any moment keeps its guarantees', async () => {
  const sum = { seeds: 0, steps: 0, commits: 0, crashes: 0, faults: 0 }
  const { stackTraceLimit } = Error
  // Measured: stack traces take a tenth of the time. A single seed has them.
  if (count > 1) Error.stackTraceLimit = 0
  for (let seed = first; seed < first + count; seed++) {
    const result = await play(seed)
    assert.equal(result.wrong, [], result.wrong.length > 0 ? story(seed, result) : '')
    sum.seeds++
    sum.steps += result.steps.length
    sum.commits += result.commits
    sum.crashes += result.crashes
    sum.faults += result.faults
  }
  Error.stackTraceLimit = stackTraceLimit
  const { seeds, steps, commits, crashes, faults } = sum
  printFigures(
    'simulation',
    `${seeds} seeds from ${first}`,
    `${steps} steps`,
    `${commits} commits`,
    `${crashes} crashes`,
    `${faults} faults`,
  )
})

test('the same seed gives the same journals byte for byte', async () => {
  const firstRun = await play(first)
  const secondRun = await play(first)
  assert.is(firstRun.digest, secondRun.digest)
  assert.equal(firstRun.steps, secondRun.steps)
})

test.run()
