/** Starts, calls and closes of servers must not leak in this process. */
import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHouse, endAll, getWords, hostile, refTo, type World } from './servers.ts'

const test = suite<World>('ended servers', { ends: [] })
test.after.each(endAll)

/** Collects the signals created from now on, until the test ends. */
const signalsMade = ({ ends }: World): readonly AbortSignal[] => {
  const signals: AbortSignal[] = []
  const plain = globalThis.AbortController
  globalThis.AbortController = new Proxy(plain, {
    construct: (...args) => {
      const controller = Reflect.construct(...args)
      signals.push(controller.signal)
      return controller
    },
  })
  ends.push(() => {
    globalThis.AbortController = plain
  })
  return signals
}

/** Counts the abort listeners and the dependent signals, which Node keeps internally. */
const heldBy = (signal: AbortSignal): number => {
  const dependants = Object.getOwnPropertySymbols(signal).find((symbol) => /Dependant/.test(String(symbol)))
  const dependentSignals =
    dependants && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[dependants]
  return getEventListeners(signal, 'abort').length + (dependentSignals?.size ?? 0)
}

// Verified to fail if AbortSignal.any combines the signals of the caller and the server: one more remained at
// each signal with every call and every start.
test('leaves no listeners on the signals of the caller and the server after calls and starts', async (world) => {
  const { servers, id } = await createHouse(world)
  const signals = signalsMade(world)
  const { signal } = new AbortController()
  const ref = refTo(hostile([]))
  const heldCounts: number[] = []
  for (let n = 0; n < 3; n++) {
    await servers.probe(id, ref, signal)
    assert.match(getWords(await servers.call(id, ref, 'echo', { text: 'hello' }, signal)), /./)
    heldCounts.push(signals.reduce((sum, signal) => sum + heldBy(signal), 0))
  }
  assert.is(heldBy(signal), 0)
  assert.equal(heldCounts, [heldCounts[0], heldCounts[0], heldCounts[0]])
})

test.run()
