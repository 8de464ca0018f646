/**
 * A persistent map by id, in insertion order. A change copies only the path to the entry, so n insertions
 * cost n log n. It is plain data and can be stored in snapshots. The weight-balanced tree stays fast for any
 * ids.
 */
export interface Keyed<T> {
  /** The place of the next entry. */
  readonly next: number
  readonly top: Knot<T> | null
}

interface Entry<T> {
  readonly id: string
  readonly value: T
  /** Sort key of the listing. */
  readonly place: number
}

interface Knot<T> extends Entry<T> {
  readonly size: number
  readonly left: Knot<T> | null
  readonly right: Knot<T> | null
}

export const nothing: Keyed<never> = { next: 0, top: null }

export const valueAt = <T>(map: Keyed<T>, id: string): T | undefined => knotAt(map, id)?.value

const knotAt = <T>({ top }: Keyed<T>, id: string): Knot<T> | undefined => {
  for (let knot = top; knot; knot = id < knot.id ? knot.left : knot.right) if (knot.id === id) return knot
  return undefined
}

export const isAt = <T>(map: Keyed<T>, id: string): boolean => valueAt(map, id) !== undefined

/** Replaces an entry in its place, or adds it at the end. */
export const withValue = <T>(map: Keyed<T>, id: string, value: T): Keyed<T> => {
  const place = knotAt(map, id)?.place ?? map.next
  const after = { next: map.next + 1, top: inserted(map.top, { id, value, place }) }
  return withWays(map, after, id, (by, top) => inserted(top, { id: foundAs(by, id, value), value, place }))
}

export const without = <T>(map: Keyed<T>, id: string): Keyed<T> => {
  if (!isAt(map, id)) return map
  return withWays(map, { next: map.next, top: removed(map.top, id) }, id, (_, top) => top)
}

export const countOf = ({ top }: Keyed<unknown>): number => sizeOf(top)

/** Values in insertion order. */
export const valuesOf = <T>({ top }: Keyed<T>): readonly T[] => {
  const knots: Knot<T>[] = []
  gather(top, knots)
  return inOrder(knots)
}

const inOrder = <T>(knots: Knot<T>[]): readonly T[] =>
  knots.sort((one, other) => one.place - other.place).map(({ value }) => value)

/** What entries are found by beside their ids: the same for the same value. */
export type By<T> = (value: T) => string

/**
 * The first in the order of what `by` says of them, as long as they are taken; in the order they came. As
 * cheap as what is taken, but for the first look at a map that no other one was made of.
 */
export const firstBy = <T>(map: Keyed<T>, by: By<T>, isTaken: (value: T) => boolean): readonly T[] => {
  const taken: Knot<T>[] = []
  for (const knot of knotsFrom(wayOf(map, by), '')) {
    if (!isTaken(knot.value)) break
    taken.push(knot)
  }
  return inOrder(taken)
}

/** One of those of whom `by` says this. As cheap as `valueAt`, but for a first look. */
export const findBy = <T>(
  map: Keyed<T>,
  by: By<T>,
  said: string,
  isIt: (value: T) => boolean,
): T | undefined => {
  for (const { value } of knotsFrom(wayOf(map, by), said)) {
    if (by(value) !== said) return undefined
    if (isIt(value)) return value
  }
  return undefined
}

/** The same entries in the order of what is said of each. */
type Ways<T> = Map<By<T>, Knot<T> | null>

/** Of maps that were looked at so, and of those that changes have made of them. */
const ways = new WeakMap<Keyed<unknown>, Ways<never>>()

const waysOf = <T>(map: Keyed<T>): Ways<T> | undefined => ways.get(map) as Ways<T> | undefined

const wayOf = <T>(map: Keyed<T>, by: By<T>): Knot<T> | null => {
  // One that is empty may be the empty map of all.
  if (!map.top) return null
  const known = waysOf(map) ?? new Map<By<T>, Knot<T> | null>()
  let way = known.get(by)
  if (way !== undefined) return way
  way = null
  const knots: Knot<T>[] = []
  gather(map.top, knots)
  for (const { id, value, place } of knots) way = inserted(way, { id: foundAs(by, id, value), value, place })
  ways.set(map, known.set(by, way) as Ways<never>)
  return way
}

/** `added` to each way of the map before, once what stood at this id is gone from it. */
const withWays = <T>(
  before: Keyed<T>,
  after: Keyed<T>,
  id: string,
  added: (by: By<T>, top: Knot<T> | null) => Knot<T> | null,
): Keyed<T> => {
  const old = waysOf(before) && knotAt(before, id)
  const known = [...(waysOf(before) ?? [])].map(([by, top]) => {
    const left = old ? removed(top, foundAs(by, id, old.value)) : top
    return [by, added(by, left)] as const
  })
  if (known.length > 0) ways.set(after, new Map(known) as Ways<never>)
  return after
}

/** Told apart by the id where it is the same. */
const foundAs = <T>(by: By<T>, id: string, value: T): string => `${by(value)}\u0000${id}`

/** In the order of their ids, from the first that does not stand before it. */
function* knotsFrom<T>(top: Knot<T> | null, from: string): Generator<Knot<T>> {
  const above: Knot<T>[] = []
  for (let knot = top; ; ) {
    for (; knot; knot = knot.id < from ? knot.right : knot.left) if (knot.id >= from) above.push(knot)
    const next = above.pop()
    if (!next) return
    yield next
    knot = next.right
  }
}

const gather = <T>(knot: Knot<T> | null, into: Knot<T>[]): void => {
  if (!knot) return
  gather(knot.left, into)
  into.push(knot)
  gather(knot.right, into)
}

const sizeOf = (knot: Knot<unknown> | null): number => knot?.size ?? 0

const inserted = <T>(knot: Knot<T> | null, entry: Entry<T>): Knot<T> => {
  if (!knot) return knotted(entry, null, null)
  const { id, left, right } = knot
  if (entry.id === id) return knotted(entry, left, right)
  if (entry.id < id) return balanced(knot, inserted(left, entry), right)
  return balanced(knot, left, inserted(right, entry))
}

const removed = <T>(knot: Knot<T> | null, id: string): Knot<T> | null => {
  if (!knot) return null
  if (id < knot.id) return balanced(knot, removed(knot.left, id), knot.right)
  if (id > knot.id) return balanced(knot, knot.left, removed(knot.right, id))
  if (!knot.left || !knot.right) return knot.left ?? knot.right
  const first = firstOf(knot.right)
  return balanced(first, knot.left, removed(knot.right, first.id))
}

const firstOf = <T>(knot: Knot<T>): Knot<T> => (knot.left ? firstOf(knot.left) : knot)

/** ⏱ All of them of one shape in memory, written out: looking at each takes a fifth of the time. */
const knotted = <T>(
  { id, value, place }: Entry<T>,
  left: Knot<T> | null,
  right: Knot<T> | null,
): Knot<T> => ({ id, value, place, size: sizeOf(left) + sizeOf(right) + 1, left, right })

/**
 * Neither side is more than so many times as heavy as the other; of a heavy side, the inner part may outweigh
 * the outer so many times.
 */
const [most, mostInner] = [3, 2]

/** Hirai and Yamamoto, Balancing weight-balanced trees (2011). */
const balanced = <T>(knot: Knot<T>, left: Knot<T> | null, right: Knot<T> | null): Knot<T> => {
  const [l, r] = [sizeOf(left) + 1, sizeOf(right) + 1]
  if (right && r > most * l) return leaningLeft(knot, left, right)
  if (left && l > most * r) return leaningRight(knot, left, right)
  return knotted(knot, left, right)
}

const leaningLeft = <T>(knot: Knot<T>, left: Knot<T> | null, right: Knot<T>): Knot<T> => {
  const inner = right.left
  if (!inner || sizeOf(inner) + 1 < mostInner * (sizeOf(right.right) + 1))
    return knotted(right, knotted(knot, left, inner), right.right)
  return knotted(inner, knotted(knot, left, inner.left), knotted(right, inner.right, right.right))
}

const leaningRight = <T>(knot: Knot<T>, left: Knot<T>, right: Knot<T> | null): Knot<T> => {
  const inner = left.right
  if (!inner || sizeOf(inner) + 1 < mostInner * (sizeOf(left.left) + 1))
    return knotted(left, left.left, knotted(knot, inner, right))
  return knotted(inner, knotted(left, left.left, inner.left), knotted(knot, inner.right, right))
}
