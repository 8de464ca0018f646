// Runs alone: it stills what Node gives to everybody.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sized, tell, whole } from '../ordeal.ts'
import { seedOf } from '../random.ts'
import type { Played } from '../simulation/play.ts'

// First of all: what the daemon takes of Node when it is loaded has to be the still ones.
const { realTime } = await import('../simulation/still.ts')
const { play, warm } = await import('../simulation/play.ts')

/** `SEED=n` plays that one alone; `FROM=n` begins there, `SEEDS=n` plays so many. */
const { SEED, FROM, SEEDS } = process.env
const count = SEED ? 1 : Number(SEEDS) || sized(20_000)
const first = Number(SEED ?? FROM) || seedOf('simulation')
/** Milliseconds for `npm test`, and the fewest seeds that prove anything; the ordeal plays them all. */
const budget = whole || SEED || SEEDS ? Number.POSITIVE_INFINITY : 3000
const least = 20

const story = (seed: number, { steps, wrong }: Played): string =>
  [
    `SEED=${seed} plays this again:`,
    ...steps.map((step, n) => `${n + 1}. ${step}`),
    ...wrong.slice(0, 5),
  ].join('\n  ')

test.before(warm)

/**
 * Seen failing, after so many seeds: without the fence (8: `runs in no life`), without dedupe keys (1: `heard
 * twice`), with commands acknowledged before the append (5: `was acknowledged and is not there`), with a turn
 * whose end is not in the commit of its last words (1), with decisions that go on from a refused batch (15:
 * `life 2 follows 0`), with a talk that is gone over while a turn is about to begin (300: `thinks two things
 * at once`), with a night whose beginning the disk refused and kept (500: `a sleep never ended`), with a turn
 * that thinks on where a write in doubt is found on disk and holds it (15 000: `thinks two things at once`),
 * with a turn of nothing that begins though something was heard meanwhile (150: `a turn begins for nothing`).
 */
test('a daemon that is interrupted at any moment keeps what it promised', async () => {
  const sum = { seeds: 0, steps: 0, commits: 0, crashes: 0, faults: 0 }
  const ready = realTime()
  const { stackTraceLimit } = Error
  // ⏱ Stacks of errors nobody looks at are a tenth of the work; a seed that is played alone has them.
  if (count > 1) Error.stackTraceLimit = 0
  for (let seed = first; seed < first + count && (sum.seeds < least || realTime() - ready < budget); seed++) {
    const played = await play(seed)
    assert.equal(played.wrong, [], played.wrong.length > 0 ? story(seed, played) : '')
    sum.seeds++
    sum.steps += played.steps.length
    sum.commits += played.commits
    sum.crashes += played.crashes
    sum.faults += played.faults
  }
  Error.stackTraceLimit = stackTraceLimit
  const { seeds, steps, commits, crashes, faults } = sum
  tell(
    'simulation',
    `${seeds} seeds from ${first}`,
    `${steps} steps`,
    `${commits} commits`,
    `${crashes} crashes`,
    `${faults} faults`,
  )
})

test('a seed that is played again gives the same journals to the last byte', async () => {
  const [once, again] = [await play(first), await play(first)]
  assert.is(once.digest, again.digest)
  assert.equal(once.steps, again.steps)
})

test.run()
