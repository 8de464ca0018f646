/** Failed starts are retried: soon after a journal failure, later after a model failure. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wakeUntilAwake } from '../../src/agents/waking-failures.ts'
import { createFakeClock } from '../clock.ts'

const second = 1000

/** Returns the seconds of all tries, and the personas that fell sick, if every try fails for `seconds`. */
const countTries = async (seconds: number, isOfJournal: boolean) => {
  const clock = createFakeClock()
  const startedAt = clock.now()
  const tries: number[] = []
  const sick: string[] = []
  const closeController = new AbortController()
  await wakeUntilAwake('ada', {
    clock,
    shouldRun: () => sick.length === 0 && !closeController.signal.aborted,
    tryToWake: async () => {
      if (closeController.signal.aborted) return null
      tries.push((clock.now() - startedAt) / second)
      return 'it is away'
    },
    markSick: async (_, reason) => void sick.push(reason),
    isOfJournal: () => isOfJournal,
    closing: closeController.signal,
  })
  await clock.advance(seconds * second)
  closeController.abort()
  return { tries, sick }
}

// Fails if the pauses for a model apply to both: 0, 5, 15, 35.
test('retries every few seconds after a journal failure, without sickness', async () => {
  const { tries, sick } = await countTries(20, true)
  assert.equal(tries, [0, 1, 3, 7, 11, 15, 19])
  assert.equal(sick, [])
  assert.equal((await countTries(400, true)).sick, [])
})

test('retries with growing pauses after a model failure and falls sick after three minutes', async () => {
  assert.equal((await countTries(40, false)).tries, [0, 5, 15, 35])
  const { tries, sick } = await countTries(400, false)
  assert.equal(tries, [0, 5, 15, 35, 75, 155, 315])
  assert.equal(sick, ['it is away'])
})

test.run()
