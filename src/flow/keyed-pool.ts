/** Things opened when first used and closed when left alone: one opening at a time for each name, so many at once, none closed under a user. */
import type { Clock } from '../time/clock.ts'
import { createSemaphore } from './semaphore.ts'

export interface Shelf<T> {
  /** Opens the thing if it is not open, once there is room; it stays so while `look` runs. */
  use<R>(name: string, look: (thing: T) => Promise<R>): Promise<R>
  /** Closes it once nobody uses it; who asks for it meanwhile waits and finds it opened anew. */
  putAway(name: string): Promise<void>
  /** The same, and `act` is done before anybody may open it again. */
  aside<R>(name: string, act: () => Promise<R>): Promise<R>
  close(): Promise<void>
}

interface Place<T> {
  /** Resolves, when there is room for it, with what gives the room back. */
  readonly entered: Promise<() => Promise<void>>
  readonly opened: Promise<T>
  isOpen: boolean
  users: number
  /** Used since the last round. */
  fresh: boolean
  readonly idle: (() => void)[]
}

interface Deps<T> {
  readonly open: (name: string) => Promise<T>
  readonly shut: (thing: T) => Promise<void>
  /** Waits for an opening, as long as anyone should. */
  readonly soon: (opening: Promise<T>) => Promise<T>
  /** Told what shutting threw when nobody waited for it. */
  readonly onError: (error: unknown) => void
  readonly clock: Clock
  /** Milliseconds between rounds: what nobody used between two of them is put away. */
  readonly lingers: number
  /** Open at once at most: who needs one more waits until the one that nobody used for longest is put away. */
  readonly most: number
}

export const createShelf = <T>({ open, shut, soon, onError, clock, lingers, most }: Deps<T>): Shelf<T> => {
  /** In the order of their last use. */
  const places = new Map<string, Place<T>>()
  const semaphore = createSemaphore(most)
  const shutting = new Map<string, Promise<void>>()
  let closed = false

  const take = async (name: string): Promise<Place<T>> => {
    while (shutting.has(name)) await shutting.get(name)
    if (closed) throw new Error('the service is closing')
    const there = places.get(name)
    const place: Place<T> = there ?? { ...opening(name), isOpen: false, users: 0, fresh: true, idle: [] }
    if (!there) {
      const opened = () => {
        place.isOpen = true
      }
      place.opened.then(opened, () => places.get(name) === place && places.delete(name))
    }
    places.delete(name)
    places.set(name, place)
    place.users++
    place.fresh = true
    return place
  }

  const opening = (name: string): Pick<Place<T>, 'entered' | 'opened'> => {
    const entered = semaphore.acquire()
    const opened = entered.then(async (release) => {
      try {
        if (closed) throw new Error('the service is closing')
        return await open(name)
      } catch (error) {
        await release()
        throw error
      }
    })
    if (semaphore.waiting() > 0) makeRoom()
    return { entered, opened }
  }

  /** What is being put away for those who wait. */
  let leaving = 0
  const makeRoom = () => {
    for (const [name, place] of places) {
      if (semaphore.waiting() <= leaving) return
      if (place.users > 0) continue
      leaving++
      void putAway(name)
        .catch(onError)
        .finally(() => {
          leaving--
          makeRoom()
        })
    }
  }

  const giveBack = (place: Place<T>) => {
    place.users--
    if (place.users > 0) return
    for (const tell of place.idle.splice(0)) tell()
    makeRoom()
  }

  const aside = <R>(name: string, act: () => Promise<R>): Promise<R> => {
    const [place, before] = [places.get(name), shutting.get(name)]
    places.delete(name)
    const done = (async () => {
      await before
      const thing = await place?.opened.catch(() => undefined)
      if (place && place.users > 0) await new Promise<void>((tell) => place.idle.push(tell))
      if (place && thing !== undefined) {
        const release = await place.entered
        await shut(thing).finally(release)
      }
      return act()
    })()
    const over = done.then(nothing, nothing).finally(() => shutting.get(name) === over && shutting.delete(name))
    shutting.set(name, over)
    return done
  }

  const putAway = async (name: string): Promise<void> => (places.has(name) ? aside(name, async () => {}) : shutting.get(name))

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
        await place.entered
        // ⏱ A watch for each use would halve the rate of appends.
        return await look(await (place.isOpen ? place.opened : soon(place.opened)))
      } finally {
        giveBack(place)
      }
    },
    putAway,
    aside,
    close: async () => {
      closed = true
      stopGoing()
      // What one of them throws keeps nobody from closing the others, and what comes after.
      await Promise.all([...shutting.values(), ...[...places.keys()].map((name) => putAway(name).catch(onError))])
    },
  }
}

const nothing = () => undefined
