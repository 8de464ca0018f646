/** The timeout of disk operations. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { diskTimeout, inTime, TookTooLong } from '../../journal/log/timeout.ts'
import { createFakeClock } from '../clock.ts'

const hour = 60 * 60_000

const createSlowAnswer = () => {
  const clock = createFakeClock()
  let answer: (text: string) => void = () => undefined
  const disk = new Promise<string>((resolve) => {
    answer = resolve
  })
  const result = inTime(clock, disk).catch((error: unknown) => error)
  return { clock, answer, result }
}

test('a disk that does not respond fails after ten seconds, not earlier', async () => {
  const { clock, answer, result } = createSlowAnswer()
  await clock.advance(diskTimeout - 1)
  answer('just in time')
  assert.is(await result, 'just in time')
  const second = createSlowAnswer()
  await second.clock.advance(diskTimeout)
  assert.instance(await second.result, TookTooLong)
})

// Fails with a single timer: a process that continues after a pause first runs expired timers.
test('an hour-long pause of the whole process does not count as a timeout', async () => {
  const { clock, answer, result } = createSlowAnswer()
  await clock.advance(1000)
  clock.setTime(clock.now() + hour)
  await clock.advance(0)
  answer('at once')
  assert.is(await result, 'at once')
})

test.run()
