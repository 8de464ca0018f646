import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createYielding, yielding, yieldNow } from '../../flow/yielding.ts'

const busyFor = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('yields every few milliseconds and not more often', async () => {
  const maybeYield = createYielding()
  assert.is(maybeYield(), undefined)
  busyFor(10)
  let otherTurns = 0
  setImmediate(() => otherTurns++)
  await maybeYield()
  assert.is(otherTurns, 1)
  assert.is(maybeYield(), undefined, 'counted anew')
})

test('keeps the order of items and does not block the event loop for long', async () => {
  let beats = 0
  const beating = setInterval(() => beats++, 1)
  const items: number[] = []
  for await (const n of yielding([1, 2, 3, 4, 5, 6])) {
    busyFor(7)
    items.push(n)
  }
  clearInterval(beating)
  assert.equal(items, [1, 2, 3, 4, 5, 6])
  assert.ok(beats >= 3, `${beats} beats in 42 ms`)
})

test('ends with the reason of the signal, before and after yielding', async () => {
  const controller = new AbortController()
  const maybeYield = createYielding(controller.signal)
  busyFor(10)
  const pendingYield = maybeYield()
  const now = yieldNow(controller.signal)
  controller.abort(new Error('gone'))
  assert.is(await pendingYield?.catch(({ message }) => message), 'gone')
  assert.is(await now.catch(({ message }) => message), 'gone')
  assert.throws(() => maybeYield(), 'gone')
})

test.run()
