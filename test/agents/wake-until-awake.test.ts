/** Who could not be woken is tried again: soon where the journal was away, later where it was its Mind. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wakeUntilAwake } from '../../src/agents/wake-until-awake.ts'
import { createFakeClock } from '../clock.ts'

const second = 1000

/** Seconds at which it was tried, and who fell sick, where all fails for as long. */
const triedFor = async (seconds: number, isOfJournal: boolean) => {
  const clock = createFakeClock()
  const began = clock.now()
  const [tries, sick]: [number[], string[]] = [[], []]
  const closing = new AbortController()
  await wakeUntilAwake('ada', {
    clock,
    shouldRun: () => sick.length === 0 && !closing.signal.aborted,
    tryToWake: async () => {
      if (closing.signal.aborted) return null
      tries.push((clock.now() - began) / second)
      return 'it is away'
    },
    sicken: async (_, reason) => void sick.push(reason),
    isOfJournal: () => isOfJournal,
    closing: closing.signal,
  })
  await clock.advance(seconds * second)
  closing.abort()
  return { tries, sick }
}

// Seen failing with the pauses of a Mind for both: 0, 5, 15, 35.
test('a journal that was away is asked again every few seconds, and nobody is sick of it', async () => {
  const { tries, sick } = await triedFor(20, true)
  assert.equal(tries, [0, 1, 3, 7, 11, 15, 19])
  assert.equal(sick, [])
  assert.equal((await triedFor(400, true)).sick, [])
})

test('a Mind that is away is left in peace for longer and longer, and after three minutes the persona is sick', async () => {
  assert.equal((await triedFor(40, false)).tries, [0, 5, 15, 35])
  const { tries, sick } = await triedFor(400, false)
  assert.equal(tries, [0, 5, 15, 35, 75, 155, 315])
  assert.equal(sick, ['it is away'])
})

test.run()
