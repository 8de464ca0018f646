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
}

interface Missing {
  readonly room: string
  /** Token in front of the timeline. */
  readonly from: string | undefined
  /** Id of the last handled event. Undefined for a room that is new to the account. */
  readonly last: string | undefined
  readonly signal: AbortSignal
}

/** Rejects with MatrixError if the server may answer later. */
export const requestMissed = async (
  api: MatrixApi,
  { room, from, last, signal }: Missing,
): Promise<MissedEvents> => {
  const events: RoomEvent[] = []
  let token = from
  while (!signal.aborted && events.length < (last === undefined ? perPage : maxMissed)) {
    const history = await requestHistory(api, room, token, signal)
    if (history === null) return { events: events.reverse(), isGap: true }
    const { chunk, end } = history
    for (const raw of chunk) {
      const event = parseEvent(room, raw)
      if (event !== null && event.id === last) return { events: events.reverse(), isGap: false }
      if (event) events.push(event)
    }
    // A server that repeats a page would be asked forever.
    if (end === undefined || end === token || chunk.length === 0)
      return { events: events.reverse(), isGap: false }
    token = end
  }
  return { events: events.reverse(), isGap: last !== undefined }
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
