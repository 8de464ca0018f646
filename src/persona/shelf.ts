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
  /** Cuts the waiting before it is put away. */
  waiting: AbortController | null
  idle: (() => void)[]
}

interface Deps<T> {
  readonly open: (name: string) => Promise<T>
  readonly shut: (thing: T) => Promise<void>
  /** Told what shutting threw when nobody waited for it. */
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  /** Milliseconds a thing nobody uses stays open. */
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
    const place = there ?? { opened: open(name), users: 0, waiting: null, idle: [] }
    if (!there) {
      places.set(name, place)
      place.opened.catch(() => places.get(name) === place && places.delete(name))
    }
    place.waiting?.abort()
    place.waiting = null
    place.users++
    return place
  }

  const giveBack = (name: string, place: Place<T>) => {
    place.users--
    if (place.users > 0) return
    for (const tell of place.idle.splice(0)) tell()
    if (places.get(name) !== place) return
    const waiting = new AbortController()
    place.waiting = waiting
    void clock.wait(lingers, waiting.signal).then(() => {
      if (!waiting.signal.aborted && place.users === 0) putAway(name).catch(onError)
    })
  }

  const putAway = async (name: string): Promise<void> => {
    const place = places.get(name)
    if (!place) return shutting.get(name)
    places.delete(name)
    place.waiting?.abort()
    const done = (async () => {
      const thing = await place.opened.catch(() => undefined)
      if (place.users > 0) await new Promise<void>((tell) => place.idle.push(tell))
      if (thing !== undefined) await shut(thing)
    })().finally(() => shutting.delete(name))
    shutting.set(name, done)
    return done
  }

  return {
    use: async (name, look) => {
      const place = await take(name)
      try {
        return await look(await place.opened)
      } finally {
        giveBack(name, place)
      }
    },
    putAway,
    close: async () => {
      closed = true
      await Promise.all([...shutting.values(), ...[...places.keys()].map(putAway)])
    },
  }
}
