/** So many at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSemaphore } from '../../flow/semaphore.ts'

test('so many work at once, the others in the order they came', async () => {
  const semaphore = createSemaphore(2)
  const begun: number[] = []
  let [atWork, most] = [0, 0]
  const work = (n: number) => async () => {
    begun.push(n)
    most = Math.max(most, ++atWork)
    await pause(n % 3)
    atWork--
    return n
  }
  const all = Array.from({ length: 20 }, (_, n) => n)
  assert.equal(await Promise.all(all.map((n) => semaphore.run(work(n)))), all)
  assert.equal(begun, all)
  assert.is(most, 2)
})

test('who fails gives the room back', async () => {
  const semaphore = createSemaphore(1)
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const next = semaphore.run(async () => 'yes')
  assert.is(await failing.catch(({ message }) => message), 'no')
  assert.is(await next, 'yes')
})

test('who is aborted while waiting is told at once, and takes no room from those behind', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  const aborted = [new AbortController(), new AbortController(), new AbortController()]
  const begun: string[] = []
  const waiting = aborted.map(({ signal }) => semaphore.run(async () => void begun.push('aborted'), signal))
  const last = semaphore.run(async () => void begun.push('last'), new AbortController().signal)
  assert.is(semaphore.waiting(), 4)
  for (const one of aborted) one.abort(new Error('gone'))
  for (const one of waiting) assert.is(await one.catch(({ message }) => message), 'gone')
  assert.equal(begun, [])
  await release()
  await last
  assert.equal(begun, ['last'])
  assert.is(semaphore.waiting(), 0)
  await semaphore.run(async () => void begun.push('later'))
  assert.equal(begun, ['last', 'later'])
})

test('who was aborted before asking waits for nothing', async () => {
  const semaphore = createSemaphore(1)
  const asked = semaphore.run(async () => assert.unreachable(), AbortSignal.abort(new Error('gone')))
  assert.is(await asked.catch(({ message }) => message), 'gone')
  assert.is(semaphore.waiting(), 0)
  assert.is(await semaphore.run(async () => 'yes'), 'yes')
})

test('a signal does not end what has begun', async () => {
  const semaphore = createSemaphore(1)
  const cut = new AbortController()
  const working = semaphore.run(async () => {
    cut.abort()
    await pause(1)
    return 'done'
  }, cut.signal)
  assert.is(await working, 'done')
})

test('room that was given back is with the next one', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  const next = semaphore.acquire()
  const third = semaphore.acquire()
  assert.is(semaphore.waiting(), 2)
  await release()
  assert.is(semaphore.waiting(), 1)
  await release()
  assert.is(semaphore.waiting(), 1, 'given back once, however often it is said')
  await (await next)()
  await (await third)()
})

test.run()
