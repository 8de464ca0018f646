/** Returns `some` different random positions out of `all`, in ascending order. */
export const somePlaces = (all: number, count: number): readonly number[] => {
  const remainingPlaces = Array.from({ length: all }, (_, place) => place)
  const places = Array.from(
    { length: Math.min(count, all) },
    () => remainingPlaces.splice(randomBelow(remainingPlaces.length), 1)[0] ?? 0,
  )
  return places.toSorted((a, b) => a - b)
}

const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
