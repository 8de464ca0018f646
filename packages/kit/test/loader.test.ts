import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoader } from '../flow/loader.ts'

test('loads once, also for calls at the same time, and again after a failure', async () => {
  let calls = 0
  const load = createLoader(async () => {
    if (++calls === 1) throw new Error('too many open files')
    return calls
  })
  const [first, second] = await Promise.allSettled([load(), load()])
  assert.equal([first.status, second.status, calls], ['rejected', 'rejected', 1])
  assert.equal(await Promise.all([load(), load()]), [2, 2])
  assert.is(await load(), 2)
})

test.run()
