/**
 * A map by id, in the order its entries came. A change gives another map that shares all but the way to what
 * changed, so keeping n entries one after the other costs n log n, not n². Plain data: it lies in snapshots
 * as it is. A tree balanced by weight, so no choice of ids makes it slow.
 */
export interface Keyed<T> {
  /** The place of the entry that comes next. */
  readonly next: number
  readonly top: Knot<T> | null
}

interface Knot<T> {
  readonly id: string
  readonly value: T
  /** Entries are listed by it. */
  readonly place: number
  readonly size: number
  readonly left: Knot<T> | null
  readonly right: Knot<T> | null
}

export const nothing: Keyed<never> = { next: 0, top: null }

export const valueAt = <T>({ top }: Keyed<T>, id: string): T | undefined => {
  for (let knot = top; knot; knot = id < knot.id ? knot.left : knot.right)
    if (knot.id === id) return knot.value
  return undefined
}

export const isAt = <T>(map: Keyed<T>, id: string): boolean => valueAt(map, id) !== undefined

/** An entry that is there keeps its place; a new one comes last. */
export const withValue = <T>({ next, top }: Keyed<T>, id: string, value: T): Keyed<T> => ({
  next: next + 1,
  top: inserted(top, id, value, next),
})

export const without = <T>(map: Keyed<T>, id: string): Keyed<T> =>
  isAt(map, id) ? { next: map.next, top: removed(map.top, id) } : map

export const countOf = ({ top }: Keyed<unknown>): number => sizeOf(top)

/** In the order they came. */
export const valuesOf = <T>({ top }: Keyed<T>): readonly T[] => {
  const knots: Knot<T>[] = []
  gather(top, knots)
  return knots.sort((one, other) => one.place - other.place).map(({ value }) => value)
}

/** In no order: for a look at each of them. */
export const findValue = <T>({ top }: Keyed<T>, isIt: (value: T) => boolean): T | undefined =>
  foundIn(top, isIt)

const foundIn = <T>(knot: Knot<T> | null, isIt: (value: T) => boolean): T | undefined => {
  if (!knot) return undefined
  return isIt(knot.value) ? knot.value : (foundIn(knot.left, isIt) ?? foundIn(knot.right, isIt))
}

const gather = <T>(knot: Knot<T> | null, into: Knot<T>[]): void => {
  if (!knot) return
  gather(knot.left, into)
  into.push(knot)
  gather(knot.right, into)
}

const sizeOf = (knot: Knot<unknown> | null): number => knot?.size ?? 0

const inserted = <T>(knot: Knot<T> | null, id: string, value: T, place: number): Knot<T> => {
  if (!knot) return { id, value, place, size: 1, left: null, right: null }
  if (id === knot.id) return { ...knot, value }
  if (id < knot.id) return balanced(knot, inserted(knot.left, id, value, place), knot.right)
  return balanced(knot, knot.left, inserted(knot.right, id, value, place))
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

const knotted = <T>({ id, value, place }: Knot<T>, left: Knot<T> | null, right: Knot<T> | null): Knot<T> => ({
  ...{ id, value, place, size: sizeOf(left) + sizeOf(right) + 1 },
  ...{ left, right },
})

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
