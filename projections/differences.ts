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
  beforeItems: readonly T[],
  afterItems: readonly T[],
  isSame: (a: T, b: T) => boolean,
): Difference<T> => {
  const old = byId(beforeItems)
  const now = byId(afterItems)
  return {
    added: afterItems.filter(({ id }) => !old.has(id)),
    changed: afterItems.flatMap((item) => {
      const earlierItem = old.get(item.id)
      return earlierItem && !isSame(earlierItem, item)
        ? [{ id: item.id, before: earlierItem, after: item }]
        : []
    }),
    removed: beforeItems.filter(({ id }) => !now.has(id)),
  }
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]))
