/** Returns `some` different random positions out of `all`, in ascending order. */
export const somePlaces = (all: number, some: number): readonly number[] => {
  const left = Array.from({ length: all }, (_, place) => place)
  const chosen = Array.from({ length: Math.min(some, all) }, () => left.splice(below(left.length), 1)[0] ?? 0)
  return chosen.toSorted((one, other) => one - other)
}

const below = (most: number) => Math.floor(Math.random() * most)
