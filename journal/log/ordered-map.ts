/** A map sorted by name, in UTF-16 code units. */
export interface OrderedMap extends Iterable<readonly [string, Buffer]> {
  get(name: string): Buffer | undefined
  set(name: string, value: Buffer): void
  delete(name: string): void
  /** Names from `first` (included) to `end` (excluded). */
  names(first: string, end: string): string[]
}

export const createOrderedMap = (entries: Iterable<readonly [string, Buffer]> = []): OrderedMap => {
  const values = new Map(entries)
  const sorted = [...values.keys()].sort()
  /** Returns the number of names before this one. */
  const before = (name: string): number => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? '') < name) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get: (name) => values.get(name),
    set: (name, value) => {
      if (!values.has(name)) sorted.splice(before(name), 0, name)
      values.set(name, value)
    },
    delete: (name) => {
      if (values.delete(name)) sorted.splice(before(name), 1)
    },
    names: (first, end) => sorted.slice(before(first), before(end)),
    *[Symbol.iterator]() {
      for (const name of sorted) yield [name, values.get(name) ?? Buffer.alloc(0)] as const
    },
  }
}
