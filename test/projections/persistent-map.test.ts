/** A map whose changes share what stays. */
import { encode } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  countOf,
  findBy,
  firstBy,
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
})

// Seen failing where a change forgets what stood at its id before, or counts it as come last.
test('its entries are found by what is said of them, as by a look at each, after any changes', () => {
  interface Said {
    readonly words: string
    readonly rank: number
  }
  const byRank = ({ rank }: Said) => String(rank).padStart(6, '0')
  const byWords = ({ words }: Said) => words
  const chance = createChance('said')
  const known = new Map<string, Said>()
  let map: Keyed<Said> = nothing
  for (let n = 0; n < 3000; n++) {
    const id = `m${chance.between(0, 300)}`
    if (chance.next() < 0.3) {
      known.delete(id)
      map = without(map, id)
    } else {
      const said = { words: `w${chance.between(0, 60)}`, rank: (n * 7919) % 1_000_003 }
      known.set(id, said)
      map = withValue(map, id, said)
    }
    const words = `w${chance.between(0, 60)}`
    const alike = [...known.values()].filter((said) => said.words === words)
    const wanted = alike[chance.between(0, alike.length)]
    const isIt = (said: Said) => said === wanted
    assert.is(findBy(map, byWords, words, isIt), wanted)
    assert.is(findBy(map, byWords, words, () => true) !== undefined, alike.length > 0)
    if (n % 10 > 0) continue
    let room = chance.between(0, 40)
    const first = new Set([...known.values()].sort((one, other) => one.rank - other.rank).slice(0, room))
    const listed = [...known.values()].filter((said) => first.has(said))
    assert.equal(
      firstBy(map, byRank, () => room-- > 0),
      listed,
    )
  }
})

test('how one map is looked at is nothing to another that began as empty', () => {
  const look = (said: string) => said.toUpperCase()
  assert.is(
    findBy(nothing, look, 'A', () => true),
    undefined,
  )
  assert.equal(valuesOf(withValue(nothing as Keyed<number>, 'a', 1)), [1])
  const emptied = without(withValue(nothing as Keyed<string>, 'a', 'one'), 'a')
  assert.equal(
    firstBy(emptied, look, () => true),
    [],
  )
})

// MessagePack goes a hundred levels deep.
test('a hundred thousand entries that come in order fit into a snapshot', () => {
  let map: Keyed<number> = nothing
  for (let n = 0; n < 100_000; n++) map = withValue(map, String(n).padStart(6, '0'), n)
  assert.ok(encode(map).length > 0)
})

test.run()
