/** Things opened when first used and closed when left alone: one opening at a time for each name, none closed under a user. */
import type { Clock } from '../clock.ts'

export interface Shelf<T> {
  /** Opens the thing if it is not open; it stays so while `look` runs. */
  use<R>(name: string, look: (thing: T) => Promise<R>): Promise<R>
  /** Closes it once nobody uses it; who asks for it meanwhile waits and finds it opened anew. */
  putAway(name: string): Promise<void>
  close(): Promise<void>
}

interface Place<T> {
  readonly opened: Promise<T>
  users: number
  /** Used since the last round. */
  fresh: boolean
  readonly idle: (() => void)[]
}

interface Deps<T> {
  readonly open: (name: string) => Promise<T>
  readonly shut: (thing: T) => Promise<void>
  /** Told what shutting threw when nobody waited for it. */
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  /** Milliseconds between rounds: what nobody used between two of them is put away. */
  readonly lingers: number
}

export const createShelf = <T>({ open, shut, onError, clock, lingers }: Deps<T>): Shelf<T> => {
  const places = new Map<string, Place<T>>()
  const shutting = new Map<string, Promise<void>>()
  let closed = false

  const take = async (name: string): Promise<Place<T>> => {
    while (shutting.has(name)) await shutting.get(name)
    if (closed) throw new Error('the service is closing')
    const there = places.get(name)
    const place = there ?? { opened: open(name), users: 0, fresh: true, idle: [] }
    if (!there) {
      places.set(name, place)
      place.opened.catch(() => places.get(name) === place && places.delete(name))
    }
    place.users++
    place.fresh = true
    return place
  }

  const giveBack = (place: Place<T>) => {
    place.users--
    if (place.users === 0) for (const tell of place.idle.splice(0)) tell()
  }

  const putAway = async (name: string): Promise<void> => {
    const place = places.get(name)
    if (!place) return shutting.get(name)
    places.delete(name)
    const done = (async () => {
      const thing = await place.opened.catch(() => undefined)
      if (place.users > 0) await new Promise<void>((tell) => place.idle.push(tell))
      if (thing !== undefined) await shut(thing)
    })().finally(() => shutting.delete(name))
    shutting.set(name, done)
    return done
  }

  const goRound = () => {
    for (const [name, place] of places) {
      if (place.users === 0 && !place.fresh) putAway(name).catch(onError)
      place.fresh = false
    }
  }
  const stopGoing = clock.every(lingers, goRound)

  return {
    use: async (name, look) => {
      const place = await take(name)
      try {
        return await look(await place.opened)
      } finally {
        giveBack(place)
      }
    },
    putAway,
    close: async () => {
      closed = true
      stopGoing()
      await Promise.all([...shutting.values(), ...[...places.keys()].map(putAway)])
    },
  }
}
