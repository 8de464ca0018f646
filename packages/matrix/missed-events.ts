/** Requests the events that a sync left out. */
import { type MatrixApi, MatrixError, misunderstood, roomPath } from './api.ts'
import { History, parseEvent, type RoomEvent } from './sync-answer.ts'

/** Max events that are requested for one room after an outage. */
const maxMissed = 1000
const perPage = 100

export interface MissedEvents {
  /** Oldest first. */
  readonly events: readonly RoomEvent[]
  /** There were more than are requested. */
  readonly isGap: boolean
  /** A handled event is in front of them. False also at the beginning of the room. */
  readonly isComplete: boolean
}

interface Missing {
  readonly room: string
  /** Token in front of the timeline. */
  readonly from: string | undefined
  /** Ids of the last handled events. Empty for a room that is new to the account. */
  readonly handled: ReadonlySet<string>
  readonly signal: AbortSignal
}

/** Rejects with MatrixError if the server may answer later. */
export const requestMissed = async (
  api: MatrixApi,
  { room, from, handled, signal }: Missing,
): Promise<MissedEvents> => {
  const events: RoomEvent[] = []
  let token = from
  const finish = (isGap: boolean, isComplete = false): MissedEvents => ({
    ...{ events: events.reverse(), isGap, isComplete },
  })
  while (!signal.aborted && events.length < (handled.size === 0 ? perPage : maxMissed)) {
    const history = await requestHistory(api, room, token, signal)
    if (history === null) return finish(true)
    const { chunk, end } = history
    for (const raw of chunk) {
      const event = parseEvent(room, raw)
      if (event !== null && handled.has(event.id)) return finish(false, true)
      if (event) events.push(event)
    }
    // A server that repeats a page would be asked forever.
    if (end === undefined || end === token || chunk.length === 0) return finish(false)
    token = end
  }
  return finish(handled.size > 0)
}

/** Returns null if the server refuses it. */
const requestHistory = async (
  api: MatrixApi,
  room: string,
  from: string | undefined,
  signal: AbortSignal,
) => {
  try {
    const query = { dir: 'b', limit: String(perPage), ...(from !== undefined && { from }) }
    const path = roomPath(room, 'messages')
    const history = History.safeParse(await api.call({ method: 'GET', path, query, signal }))
    if (history.success) return history.data
  } catch (error) {
    if (error instanceof MatrixError && error.kind === 'lasting') return null
    throw error
  }
  throw misunderstood()
}

/** Returns the events after the invitation of the user, or after the user joined a public room. */
export const cutToStay = (events: readonly RoomEvent[], userId: string): readonly RoomEvent[] => {
  const isOwn = (membership: string) => (event: RoomEvent) =>
    event.type === 'm.room.member' && event.stateKey === userId && event.content.membership === membership
  const invitation = events.findLastIndex(isOwn('invite'))
  const start = invitation >= 0 ? invitation : events.findLastIndex(isOwn('join'))
  return start < 0 ? events : events.slice(start + 1)
}
