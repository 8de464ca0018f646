/** The responses that have not ended. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { evolve } from '../../projections/persona.ts'
import { factsByType } from '../journal/facts.ts'

const fold = (...events: readonly PersonaEvent[]) =>
  [factsByType.PersonaCreated, ...events].reduce<ReturnType<typeof evolve> | undefined>(
    (persona, event, n) => evolve(persona, { seq: n + 1, at: 0, event }),
    undefined,
  )?.responses

const { ResponseBegan: began, ResponseEnded: ended } = factsByType
const id = 'resp_ada_1_0123456789abcdef'

test('lists a response until it ends', () => {
  assert.equal(fold(began), [{ id, seq: 2, lives: 0, interruptions: 0, isStopped: false }])
  assert.equal(fold(began, ended), [])
})

test('counts the starts of the persona, and marks a response of a stopped one', () => {
  const { Woke, StopAsked } = factsByType
  assert.equal(fold(began, Woke, StopAsked, Woke), [
    { id, seq: 2, lives: 2, interruptions: 2, isStopped: true },
  ])
})

// Fails if a response that only waited is given up after three starts.
test('counts an interruption only for the responses that were being answered', () => {
  const others = ['b', 'c'].map((other) => ({ ...began, id: other }))
  const { Woke } = factsByType
  const open = fold(began, ...others, Woke, { ...ended, id: 'b' }, Woke)
  assert.equal(
    open?.map(({ id: openId, interruptions }) => [openId, interruptions]),
    [
      [id, 2],
      ['c', 1],
    ],
  )
})

test('leaves open responses out of a fork and of a restored persona', () => {
  assert.equal(fold(began, factsByType.PersonaForked), [])
  assert.equal(fold(began, factsByType.PersonaRestored), [])
})

test.run()
