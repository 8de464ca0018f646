/** Returns `some` different random positions out of `all`, in ascending order. */
export const somePlaces = (all: number, some: number): readonly number[] => {
  const left = Array.from({ length: all }, (_, place) => place)
  const places = Array.from(
    { length: Math.min(some, all) },
    () => left.splice(randomBelow(left.length), 1)[0] ?? 0,
  )
  return places.toSorted((a, b) => a - b)
}

const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
