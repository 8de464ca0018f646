/**
 * The parts of a sync answer that are read. An event of a wrong form is skipped. An answer with a list or a
 * room of a wrong form is refused as a whole, because its messages would be lost.
 * https://spec.matrix.org/v1.16/client-server-api/#get_matrixclientv3sync
 */
import * as z from 'zod'

const events = z
  .object({ events: z.array(z.unknown()).optional() })
  .transform(({ events: items = [] }) => items)
const Json = z.record(z.string(), z.unknown())

const RawEvent = z.object({
  event_id: z.string().regex(/^\$[\x21-\x7e]{1,254}$/),
  type: z.string().max(255),
  sender: z.string().regex(/^@[^\s]{1,254}$/),
  room_id: z.string().optional(),
  state_key: z.string().optional().catch(undefined),
  content: Json,
})

export interface RoomEvent {
  readonly id: string
  readonly type: string
  readonly sender: string
  readonly stateKey: string | undefined
  readonly content: Readonly<Record<string, unknown>>
  /** The event as the server sent it. */
  readonly raw: Record<string, unknown>
}

/** Returns null if it is no event of this room. */
export const parseEvent = (room: string, raw: unknown): RoomEvent | null => {
  const { data } = RawEvent.safeParse(raw)
  const { data: wholeEvent } = Json.safeParse(raw)
  if (!data || !wholeEvent || (data.room_id !== undefined && data.room_id !== room)) return null
  const { event_id: id, type, sender, state_key: stateKey, content } = data
  return { id, type, sender, stateKey, content, raw: wholeEvent }
}

const JoinedRoom = z.object({
  timeline: z
    .object({
      events: z.array(z.unknown()).default([]),
      limited: z.boolean().catch(false),
      prev_batch: z.string().optional().catch(undefined),
    })
    .default({ events: [], limited: false }),
  state: events.default([]),
})
const InvitedRoom = z.object({ invite_state: events.default([]) })

const rooms = <T extends z.ZodType>(room: T) => z.record(z.string(), room).default({})

export const SyncAnswer = z.object({
  next_batch: z.string().min(1).max(4096),
  rooms: z
    .object({ join: rooms(JoinedRoom), invite: rooms(InvitedRoom), leave: rooms(z.unknown()) })
    .default({ join: {}, invite: {}, leave: {} }),
  to_device: events.default([]),
  device_lists: z
    .object({
      changed: z.array(z.string()).optional().catch(undefined),
      left: z.array(z.string()).optional().catch(undefined),
    })
    .catch({}),
  device_one_time_keys_count: z.record(z.string(), z.number()).catch({}),
  device_unused_fallback_key_types: z.array(z.string()).catch([]),
})
export type SyncAnswer = z.infer<typeof SyncAnswer>
export type JoinedRoom = z.infer<typeof JoinedRoom>

export const isRoomId = (id: string): boolean => /^![\x21-\x2e\x30-\x7e]{1,254}$/.test(id)

export const History = z.object({ chunk: z.array(z.unknown()), end: z.string().optional().catch(undefined) })

/** An invitation. Servers send only a part of the state of its room. */
export interface Invite {
  readonly room: string
  readonly inviter: string
  readonly isDirect: boolean
  /** Null if the server sends no name. */
  readonly name: string | null
}

export const parseInvite = (
  room: string,
  { invite_state: states }: z.infer<typeof InvitedRoom>,
  userId: string,
): Invite | null => {
  const State = z.object({ type: z.string(), state_key: z.string(), sender: z.string(), content: Json })
  const parsedStates = states.flatMap((state) => State.safeParse(state).data ?? [])
  const ownState = parsedStates.find(
    ({ type, state_key: key, content }) =>
      type === 'm.room.member' && key === userId && content.membership === 'invite',
  )
  if (!ownState || !isRoomId(room)) return null
  const name = parsedStates.find(({ type }) => type === 'm.room.name')?.content.name
  return {
    room,
    inviter: ownState.sender,
    isDirect: ownState.content.is_direct === true,
    name: typeof name === 'string' && name !== '' ? name : null,
  }
}
