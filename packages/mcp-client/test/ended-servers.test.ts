/** What stays in this process of a server that was started, called and ended: nothing, however often. */
import { getEventListeners } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { endAll, hostile, houseOf, refTo, type World, wordsOf } from './servers.ts'

const test = suite<World>('ended servers', { ends: [] })
test.after.each(endAll)

/** Signals that are made from now on, until the world ends. */
const signalsMade = ({ ends }: World): readonly AbortSignal[] => {
  const made: AbortSignal[] = []
  const plain = globalThis.AbortController
  globalThis.AbortController = new Proxy(plain, {
    construct: (...asked) => {
      const controller = Reflect.construct(...asked)
      made.push(controller.signal)
      return controller
    },
  })
  ends.push(() => {
    globalThis.AbortController = plain
  })
  return made
}

/** Who waits for it to abort, and which signals are made of it, as Node itself keeps them. */
const heldBy = (signal: AbortSignal): number => {
  const dependants = Object.getOwnPropertySymbols(signal).find((one) => /Dependant/.test(String(one)))
  const made = dependants && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[dependants]
  return getEventListeners(signal, 'abort').length + (made?.size ?? 0)
}

// Seen failing where the caller's signal and the server's were put together by AbortSignal.any: one more
// stayed at each with every call, and one more with every start.
test('a call leaves nothing at the signals of its caller and of the server, a start neither', async (world) => {
  const { servers, id } = await houseOf(world)
  const made = signalsMade(world)
  const { signal } = new AbortController()
  const ref = refTo(hostile([]))
  const held: number[] = []
  for (let n = 0; n < 3; n++) {
    await servers.probe(id, ref, signal)
    assert.match(wordsOf(await servers.call(id, ref, 'echo', { text: 'hello' }, signal)), /./)
    held.push(made.reduce((sum, one) => sum + heldBy(one), 0))
  }
  assert.is(heldBy(signal), 0)
  assert.equal(held, [held[0], held[0], held[0]])
})

test.run()
