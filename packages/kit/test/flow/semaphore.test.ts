import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createSemaphore } from '../../flow/keyed-pool.ts'

test('limits concurrent work and runs the rest in order', async () => {
  const semaphore = createSemaphore(2)
  const startedJobs: number[] = []
  let atWork = 0
  let most = 0
  const work = (n: number) => async () => {
    startedJobs.push(n)
    most = Math.max(most, ++atWork)
    await pause(n % 3)
    atWork--
    return n
  }
  const all = Array.from({ length: 20 }, (_, n) => n)
  assert.equal(await Promise.all(all.map((n) => semaphore.run(work(n)))), all)
  assert.equal(startedJobs, all)
  assert.is(most, 2)
})

test('failed work frees its room', async () => {
  const semaphore = createSemaphore(1)
  const failing = semaphore.run(() => Promise.reject(new Error('no')))
  const next = semaphore.run(async () => 'yes')
  assert.is(await failing.catch(({ message }) => message), 'no')
  assert.is(await next, 'yes')
})

test('rejects an aborted waiter immediately and takes no room from the next', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  const aborted = [new AbortController(), new AbortController(), new AbortController()]
  const startedJobs: string[] = []
  const waitingJobs = aborted.map(({ signal }) =>
    semaphore.run(async () => void startedJobs.push('aborted'), signal),
  )
  const last = semaphore.run(async () => void startedJobs.push('last'), new AbortController().signal)
  assert.is(semaphore.getWaitingCount(), 4)
  for (const controller of aborted) controller.abort(new Error('gone'))
  for (const job of waitingJobs) assert.is(await job.catch(({ message }) => message), 'gone')
  assert.equal(startedJobs, [])
  await release()
  await last
  assert.equal(startedJobs, ['last'])
  assert.is(semaphore.getWaitingCount(), 0)
  await semaphore.run(async () => void startedJobs.push('later'))
  assert.equal(startedJobs, ['last', 'later'])
})

test('rejects immediately if the signal is already aborted', async () => {
  const semaphore = createSemaphore(1)
  const aborted = semaphore.run(async () => assert.unreachable(), AbortSignal.abort(new Error('gone')))
  assert.is(await aborted.catch(({ message }) => message), 'gone')
  assert.is(semaphore.getWaitingCount(), 0)
  assert.is(await semaphore.run(async () => 'yes'), 'yes')
})

test('a signal does not stop work that has started', async () => {
  const semaphore = createSemaphore(1)
  const controller = new AbortController()
  const working = semaphore.run(async () => {
    controller.abort()
    await pause(1)
    return 'done'
  }, controller.signal)
  assert.is(await working, 'done')
})

test('freed room belongs to the next waiter', async () => {
  const semaphore = createSemaphore(1)
  const release = await semaphore.acquire()
  const next = semaphore.acquire()
  const thirdRelease = semaphore.acquire()
  assert.is(semaphore.getWaitingCount(), 2)
  await release()
  assert.is(semaphore.getWaitingCount(), 1)
  await release()
  assert.is(semaphore.getWaitingCount(), 1, 'releasing twice frees the room once')
  await (await next)()
  await (await thirdRelease)()
})

test.run()
