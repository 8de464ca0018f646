/** Turns of one persona. */
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTurns } from '../../src/flow/keyed-mutex.ts'

test('one works after the other, in the order they came, and those of another persona do not wait', async () => {
  const inTurn = createTurns()
  const told: string[] = []
  const work = (word: string, ms: number) => async () => {
    told.push(`${word} begins`)
    await pause(ms)
    told.push(`${word} ends`)
    return word
  }
  const all = [inTurn('ada', work('first', 50)), inTurn('ada', work('second', 0)), inTurn('bo', work('other', 0))]
  assert.equal(await Promise.all(all), ['first', 'second', 'other'])
  assert.equal(
    told.filter((word) => !word.startsWith('other')),
    ['first begins', 'first ends', 'second begins', 'second ends'],
  )
  assert.ok(told.indexOf('other ends') < told.indexOf('first ends'))
})

test('who fails fails alone', async () => {
  const inTurn = createTurns()
  const failing = inTurn('ada', () => Promise.reject(new Error('no')))
  const next = inTurn('ada', async () => 'yes')
  assert.is(await failing.catch(({ message }) => message), 'no')
  assert.is(await next, 'yes')
})

test.run()
