/** A map whose changes share what stays. */
import { encode } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  countOf,
  findValue,
  isAt,
  type Keyed,
  nothing,
  valueAt,
  valuesOf,
  without,
  withValue,
} from '../../projections/persistent-map.ts'
import { createChance } from '../random.ts'

const depthOf = (knot: Keyed<unknown>['top']): number =>
  knot ? 1 + Math.max(depthOf(knot.left), depthOf(knot.right)) : 0

test('holds what a plain map would after any changes, in the order it came, and stays shallow', () => {
  const chance = createChance('keyed')
  const known = new Map<string, number>()
  let map: Keyed<number> = nothing
  for (let n = 0; n < 20_000; n++) {
    // Of few ids many are there; of many ids most come in order, which leans a tree to one side.
    const id = chance.next() < 0.5 ? `m${chance.between(0, 500)}` : `n${String(n).padStart(6, '0')}`
    if (chance.next() < 0.33) {
      known.delete(id)
      map = without(map, id)
    } else {
      known.set(id, n)
      map = withValue(map, id, n)
    }
  }
  assert.equal(valuesOf(map), [...known.values()])
  assert.is(countOf(map), known.size)
  for (const [id, value] of known) assert.is(valueAt(map, id), value)
  assert.is(valueAt(map, 'nobody'), undefined)
  assert.ok(depthOf(map.top) <= 3 * Math.log2(known.size), `${depthOf(map.top)} levels for ${known.size}`)
})

/** Neither side weighs more than three times the other. */
const isBalanced = (knot: Keyed<unknown>['top']): boolean => {
  if (!knot) return true
  const [left, right] = [(knot.left?.size ?? 0) + 1, (knot.right?.size ?? 0) + 1]
  return left <= 3 * right && right <= 3 * left && isBalanced(knot.left) && isBalanced(knot.right)
}

// Seen failing without the second kind of rotation.
test('no order of ids makes it deep', () => {
  const id = (n: number) => String(n).padStart(6, '0')
  const orders: readonly ((n: number) => number)[] = [
    (n) => n,
    (n) => 5000 - n,
    (n) => (n % 2 ? 10_000 - n : n),
    (n) => (n * 7919) % 5003,
  ]
  for (const order of orders) {
    let map: Keyed<number> = nothing
    for (let n = 0; n < 5000; n++) map = withValue(map, id(order(n)), n)
    assert.ok(
      depthOf(map.top) <= 2.5 * Math.log2(countOf(map)),
      `${depthOf(map.top)} levels for ${countOf(map)}`,
    )
    assert.ok(isBalanced(map.top))
    for (let n = 0; n < 5000; n += 3) map = without(map, id(order(n)))
    assert.ok(isBalanced(map.top))
  }
})

test('a change leaves the map it came from as it was', () => {
  const one = withValue(withValue(nothing as Keyed<string>, 'a', 'first'), 'b', 'second')
  const other = withValue(without(one, 'a'), 'b', 'changed')
  assert.equal(valuesOf(one), ['first', 'second'])
  assert.equal(valuesOf(other), ['changed'])
  assert.is(without(one, 'c'), one)
})

test('any string is an id, the names of what every object has too', () => {
  assert.not(isAt(nothing, 'toString'))
  const map = withValue(nothing as Keyed<number>, '__proto__', 1)
  assert.is(valueAt(map, '__proto__'), 1)
  assert.is(
    findValue(map, (value) => value === 1),
    1,
  )
  assert.is(
    findValue(map, (value) => value === 2),
    undefined,
  )
})

// MessagePack goes a hundred levels deep.
test('a hundred thousand entries that come in order fit into a snapshot', () => {
  let map: Keyed<number> = nothing
  for (let n = 0; n < 100_000; n++) map = withValue(map, String(n).padStart(6, '0'), n)
  assert.ok(encode(map).length > 0)
})

test.run()
