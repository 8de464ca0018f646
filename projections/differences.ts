/** The difference of an item between two times. */

export interface Change<T> {
  readonly id: string
  readonly before: T
  readonly after: T
}

export interface Difference<T> {
  readonly added: readonly T[]
  readonly changed: readonly Change<T>[]
  readonly removed: readonly T[]
}

/** Compares two lists by id. Items that exist in neither are not reported. */
export const getDifference = <T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  isSame: (a: T, b: T) => boolean,
): Difference<T> => {
  const old = byId(before)
  const now = byId(after)
  return {
    added: after.filter(({ id }) => !old.has(id)),
    changed: after.flatMap((item) => {
      const earlier = old.get(item.id)
      return earlier && !isSame(earlier, item) ? [{ id: item.id, before: earlier, after: item }] : []
    }),
    removed: before.filter(({ id }) => !now.has(id)),
  }
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]))
