import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyedMutex } from '../../flow/keyed-mutex.ts'

test('runs work with one key in order, and work with other keys without waiting', async () => {
  const { run } = createKeyedMutex()
  const order: string[] = []
  const work = (word: string, ms: number) => async () => {
    order.push(`${word} begins`)
    await pause(ms)
    order.push(`${word} ends`)
    return word
  }
  const all = [run('ada', work('first', 50)), run('ada', work('second', 0)), run('bo', work('other', 0))]
  assert.equal(await Promise.all(all), ['first', 'second', 'other'])
  assert.equal(
    order.filter((word) => !word.startsWith('other')),
    ['first begins', 'first ends', 'second begins', 'second ends'],
  )
  assert.ok(order.indexOf('other ends') < order.indexOf('first ends'))
})

test('a failure does not affect other work', async () => {
  const { run } = createKeyedMutex()
  const failing = run('ada', () => Promise.reject(new Error('no')))
  const failure = run('ada', () => {
    throw new Error('never')
  })
  const next = run('ada', async () => 'yes')
  assert.is(await failing.catch(({ message }) => message), 'no')
  assert.is(await failure.catch(({ message }) => message), 'never')
  assert.is(await next, 'yes')
})

test('work that is added when other work ends still runs alone', async () => {
  const { run } = createKeyedMutex()
  let atWork = 0
  let most = 0
  let doneCount = 0
  const work = async () => {
    most = Math.max(most, ++atWork)
    for (let tick = 0; tick < doneCount % 4; tick++) await Promise.resolve()
    atWork--
    doneCount++
  }
  const runAgain = async () => {
    for (let n = 0; n < 100; n++) await run('ada', work)
  }
  await Promise.all([runAgain(), runAgain(), runAgain()])
  assert.is(most, 1)
  assert.is(doneCount, 300)
})

test('idle resolves after all work so far has settled', async () => {
  const { run, idle } = createKeyedMutex()
  const order: string[] = []
  const failing = run('ada', async () => {
    await pause(20)
    order.push('ada')
    throw new Error('no')
  })
  failing.catch(() => undefined)
  void run('bo', async () => {
    await pause(10)
    order.push('bo')
  })
  await idle()
  assert.equal(order, ['bo', 'ada'])
  await idle()
})

test('forgets keys without work', async () => {
  const { run } = createKeyedMutex<object>()
  const results: WeakRef<object>[] = []
  for (let n = 0; n < 100; n++) {
    const key = {}
    results.push(new WeakRef(key))
    await run(key, n % 2 === 0 ? async () => {} : () => Promise.reject(new Error('no'))).catch(
      () => undefined,
    )
  }
  await pause(0)
  setFlagsFromString('--expose_gc')
  runInNewContext('gc')()
  assert.ok(results.filter((ref) => ref.deref()).length <= 1)
})

test.run()
