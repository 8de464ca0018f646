/** Limits the encrypted events that wait for their keys, so that no room takes the place of another. */

export interface Limits {
  readonly events: number
  /** Bytes of the events as JSON. */
  readonly bytes: number
}

/** Of the file that is written with each sync. */
const allRooms: Limits = { events: 1000, bytes: 4 * 1024 * 1024 }
const oneRoom: Limits = { events: 200, bytes: 1024 * 1024 }

interface WaitingEvent {
  readonly room: string
  readonly event: object
}

export interface LimitedEvents<T> {
  readonly kept: readonly T[]
  /** Number of dropped events by room. */
  readonly dropped: ReadonlyMap<string, number>
}

/**
 * Keeps the newest events of each room. If all rooms together exceed the limits, each gets an equal share,
 * and small rooms leave the rest of theirs to the others. `mainRoom` gets all that one room may have.
 */
export const limitWaiting = <T extends WaitingEvent>(
  items: readonly T[],
  mainRoom: string | null,
): LimitedEvents<T> => {
  const keptItems = new Set<T>()
  const dropped = new Map<string, number>()
  const rooms = [...groupByRoom(items)]
    .map(([room, roomItems]) => ({ room, roomItems, ...takeNewest(roomItems, oneRoom) }))
    .sort((a, b) => Number(b.room === mainRoom) - Number(a.room === mainRoom) || a.bytes - b.bytes)
  let { events, bytes } = allRooms
  for (const [n, { room, roomItems }] of rooms.entries()) {
    const roomsLeft = room === mainRoom ? 1 : rooms.length - n
    const share = takeNewest(roomItems, {
      events: Math.min(oneRoom.events, Math.ceil(events / roomsLeft)),
      bytes: Math.min(oneRoom.bytes, bytes / roomsLeft),
    })
    events -= share.taken.length
    bytes -= share.bytes
    for (const item of share.taken) keptItems.add(item)
    if (share.taken.length < roomItems.length) dropped.set(room, roomItems.length - share.taken.length)
  }
  return { kept: items.filter((item) => keptItems.has(item)), dropped }
}

const groupByRoom = <T extends WaitingEvent>(items: readonly T[]): ReadonlyMap<string, readonly T[]> => {
  const rooms = new Map<string, T[]>()
  for (const item of items) {
    const roomItems = rooms.get(item.room)
    if (roomItems) roomItems.push(item)
    else rooms.set(item.room, [item])
  }
  return rooms
}

const takeNewest = <T extends WaitingEvent>(
  items: readonly T[],
  limits: Limits,
): { readonly taken: readonly T[]; readonly bytes: number } => {
  const newestItems: T[] = []
  let bytes = 0
  for (const item of [...items].reverse()) {
    const size = getSize(item.event)
    if (newestItems.length >= limits.events) break
    // One large event must not drop all older ones.
    if (bytes + size > limits.bytes) continue
    newestItems.push(item)
    bytes += size
  }
  return { taken: newestItems, bytes }
}

/** The events stay the same objects while they wait. */
const sizes = new WeakMap<object, number>()

const getSize = (event: object): number => {
  const size = sizes.get(event) ?? Buffer.byteLength(JSON.stringify(event))
  sizes.set(event, size)
  return size
}
