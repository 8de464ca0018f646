/** The persistent map. */
import { encode } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  countValues,
  emptyKeyed,
  findBy,
  firstBy,
  isAt,
  type Keyed,
  listValues,
  valueAt,
  withoutValue,
  withValue,
} from '../../projections/persistent-map.ts'
import { createChance } from '../random.ts'

const getDepth = (knot: Keyed<unknown>['top']): number =>
  knot ? 1 + Math.max(getDepth(knot.left), getDepth(knot.right)) : 0

test('equals a plain map in insertion order after any changes, and stays balanced', () => {
  const chance = createChance('keyed')
  const valuesByKey = new Map<string, number>()
  let map: Keyed<number> = emptyKeyed
  for (let n = 0; n < 20_000; n++) {
    // Few random ids, many of which exist, or many ascending ids, which unbalance a tree.
    const id = chance.next() < 0.5 ? `m${chance.pickBetween(0, 500)}` : `n${String(n).padStart(6, '0')}`
    if (chance.next() < 0.33) {
      valuesByKey.delete(id)
      map = withoutValue(map, id)
    } else {
      valuesByKey.set(id, n)
      map = withValue(map, id, n)
    }
  }
  assert.equal(listValues(map), [...valuesByKey.values()])
  assert.is(countValues(map), valuesByKey.size)
  for (const [id, value] of valuesByKey) assert.is(valueAt(map, id), value)
  assert.is(valueAt(map, 'nobody'), undefined)
  assert.ok(
    getDepth(map.top) <= 3 * Math.log2(valuesByKey.size),
    `${getDepth(map.top)} levels for ${valuesByKey.size}`,
  )
})

/** Neither side weighs more than three times the other. */
const isBalanced = (knot: Keyed<unknown>['top']): boolean => {
  if (!knot) return true
  const leftSize = (knot.left?.size ?? 0) + 1
  const right = (knot.right?.size ?? 0) + 1
  return leftSize <= 3 * right && right <= 3 * leftSize && isBalanced(knot.left) && isBalanced(knot.right)
}

// Fails without double rotations.
test('stays shallow for any order of ids', () => {
  const id = (n: number) => String(n).padStart(6, '0')
  const orders: readonly ((n: number) => number)[] = [
    (n) => n,
    (n) => 5000 - n,
    (n) => (n % 2 ? 10_000 - n : n),
    (n) => (n * 7919) % 5003,
  ]
  for (const order of orders) {
    let map: Keyed<number> = emptyKeyed
    for (let n = 0; n < 5000; n++) map = withValue(map, id(order(n)), n)
    assert.ok(
      getDepth(map.top) <= 2.5 * Math.log2(countValues(map)),
      `${getDepth(map.top)} levels for ${countValues(map)}`,
    )
    assert.ok(isBalanced(map.top))
    for (let n = 0; n < 5000; n += 3) map = withoutValue(map, id(order(n)))
    assert.ok(isBalanced(map.top))
  }
})

test('does not change the original map', () => {
  const original = withValue(withValue(emptyKeyed as Keyed<string>, 'a', 'first'), 'b', 'second')
  const otherMap = withValue(withoutValue(original, 'a'), 'b', 'changed')
  assert.equal(listValues(original), ['first', 'second'])
  assert.equal(listValues(otherMap), ['changed'])
  assert.is(withoutValue(original, 'c'), original)
})

test('accepts any string as id, including names of object properties', () => {
  assert.not(isAt(emptyKeyed, 'toString'))
  const map = withValue(emptyKeyed as Keyed<number>, '__proto__', 1)
  assert.is(valueAt(map, '__proto__'), 1)
})

// Fails if a change keeps the old value of its id, or moves it to the end.
test('finds entries by a secondary key like a scan, after any changes', () => {
  interface Sentence {
    readonly text: string
    readonly rank: number
  }
  const byRank = ({ rank }: Sentence) => String(rank).padStart(6, '0')
  const getText = ({ text }: Sentence) => text
  const chance = createChance('said')
  const entriesById = new Map<string, Sentence>()
  let map: Keyed<Sentence> = emptyKeyed
  for (let n = 0; n < 3000; n++) {
    const id = `m${chance.pickBetween(0, 300)}`
    if (chance.next() < 0.3) {
      entriesById.delete(id)
      map = withoutValue(map, id)
    } else {
      const value = { text: `w${chance.pickBetween(0, 60)}`, rank: (n * 7919) % 1_000_003 }
      entriesById.set(id, value)
      map = withValue(map, id, value)
    }
    const text = `w${chance.pickBetween(0, 60)}`
    const sameValues = [...entriesById.values()].filter((value) => value.text === text)
    const expectedValue = sameValues[chance.pickBetween(0, sameValues.length)]
    const isIt = (value: Sentence) => value === expectedValue
    assert.is(findBy(map, getText, text, isIt), expectedValue)
    assert.is(findBy(map, getText, text, () => true) !== undefined, sameValues.length > 0)
    if (n % 10 > 0) continue
    let room = chance.pickBetween(0, 40)
    const first = new Set(
      [...entriesById.values()].sort((left, right) => left.rank - right.rank).slice(0, room),
    )
    const expectedList = [...entriesById.values()].filter((value) => first.has(value))
    assert.equal(
      firstBy(map, byRank, () => room-- > 0),
      expectedList,
    )
  }
})

test('secondary keys of one map do not affect another that started empty', () => {
  const look = (value: string) => value.toUpperCase()
  assert.is(
    findBy(emptyKeyed, look, 'A', () => true),
    undefined,
  )
  assert.equal(listValues(withValue(emptyKeyed as Keyed<number>, 'a', 1)), [1])
  const emptyMap = withoutValue(withValue(emptyKeyed as Keyed<string>, 'a', 'one'), 'a')
  assert.equal(
    firstBy(emptyMap, look, () => true),
    [],
  )
})

// MessagePack supports a hundred levels.
test('a hundred thousand ascending entries fit into a snapshot', () => {
  let map: Keyed<number> = emptyKeyed
  for (let n = 0; n < 100_000; n++) map = withValue(map, String(n).padStart(6, '0'), n)
  assert.ok(encode(map).length > 0)
})

test.run()
