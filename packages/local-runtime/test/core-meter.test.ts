/** The number of threads follows the cores that other programs leave free. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type CpuTimes, createCoreMeter } from '../core-meter.ts'

const meterWith = (maxThreads: number, cores: number) => {
  let times: CpuTimes = { now: 0, busy: 0, own: 0 }
  const meter = createCoreMeter(maxThreads, cores, () => times)
  /** Cores used by other programs and by this one, for some time. */
  const pass = (ms: number, otherLoad: number, ownLoad: number) => {
    times = {
      now: times.now + ms,
      busy: times.busy + ms * (otherLoad + ownLoad),
      own: times.own + ms * ownLoad,
    }
    return meter.threads()
  }
  return pass
}

test('uses all cores of an idle machine, also while it computes itself', () => {
  const pass = meterWith(2, 2)
  assert.is(pass(1000, 0.1, 0), 2)
  assert.is(pass(1000, 0.1, 1.9), 2)
})

test('leaves busy cores to other programs, but computes with one thread at least', () => {
  const pass = meterWith(8, 16)
  assert.is(pass(1000, 0, 0), 8)
  assert.is(pass(1000, 6, 8), 8)
  assert.is(pass(1000, 12, 4), 4)
  assert.is(pass(1000, 16, 0), 1)
  assert.is(pass(1000, 0, 1), 8)
})

test('repeats the last number when it is asked again at once', () => {
  const pass = meterWith(2, 2)
  assert.is(pass(1000, 2, 0), 1)
  assert.is(pass(100, 0, 0), 1)
  assert.is(pass(400, 0, 0), 2)
})

test.run()
