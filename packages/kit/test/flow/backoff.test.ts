import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { jitteredPauseAfter, pauseAfter } from '../../flow/backoff.ts'

test('every failure in a row doubles the pause, up to the longest', () => {
  assert.equal(
    [0, 1, 2, 3, 6, 7, 8, 5000].map((failures) => pauseAfter(failures)),
    [0, 1000, 2000, 4000, 32_000, 60_000, 60_000, 60_000],
  )
  const backoff = { first: 10, longest: 1000, factor: 4 }
  assert.equal(
    [1, 2, 3, 4, 5].map((failures) => pauseAfter(failures, backoff)),
    [10, 40, 160, 640, 1000],
  )
})

test('jitter may shorten a pause to nothing, and never makes it longer', () => {
  const jittered = (random: number) => jitteredPauseAfter(3, {}, () => random)
  assert.equal([0, 0.25, 1].map(jittered), [0, 1000, 4000])
})

test.run()
