/**
 * The state of the stand-in homeserver: users, devices, rooms and the stream of changes that a sync returns.
 * Every change has a position in one stream. A token of a sync is `s<position>`.
 */
import { randomBytes } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: bodies of the protocol are looked into by handlers and tests
export type Json = any

/** An error in the form of the client-server API. */
export class MatrixRefusal extends Error {
  readonly status: number
  readonly body: Json
  constructor(status: number, errcode: string, error: string, rest: object = {}) {
    super(error)
    this.status = status
    this.body = { errcode, error, ...rest }
  }
}

export interface Session {
  readonly userId: string
  readonly deviceId: string
}

export interface RoomEvent {
  readonly event_id: string
  readonly room_id: string
  readonly sender: string
  readonly type: string
  readonly state_key?: string
  readonly origin_server_ts: number
  content: Json
  unsigned: Json
  redacts?: string
}

export interface Room {
  readonly id: string
  readonly events: { readonly at: number; readonly event: RoomEvent }[]
  readonly state: Map<string, { readonly at: number; readonly event: RoomEvent }>
  readonly typing: Set<string>
  readonly receipts: {
    readonly at: number
    readonly userId: string
    readonly eventId: string
    readonly threadId: string | undefined
  }[]
  typingAt: number
  /** Users that have forgotten the room. */
  readonly forgotten: Set<string>
}

interface ToDevice {
  readonly at: number
  readonly to: string
  readonly event: { readonly sender: string; readonly type: string; readonly content: Json }
}

export interface Device {
  keys: Json | null
  readonly oneTimeKeys: Map<string, Json>
  readonly fallbackKeys: Map<string, { readonly key: Json; isUsed: boolean }>
}

export interface User {
  readonly id: string
  readonly password: string
  displayName: string
  readonly devices: Map<string, Device>
  readonly crossSigning: { master: Json | null; selfSigning: Json | null; userSigning: Json | null }
  readonly accountData: Map<string, { readonly at: number; readonly content: Json }>
  /** The position of the last change of keys. */
  keysAt: number
}

export type Homeserver = ReturnType<typeof createHomeserver>

const stateId = (type: string, key: string) => `${type}\n${key}`
/** The largest event in bytes. */
const maxEventBytes = 65_536

export const createHomeserver = (serverName: string) => {
  const users = new Map<string, User>()
  const rooms = new Map<string, Room>()
  const toDevice: ToDevice[] = []
  /** Event ids by device, method, path and transaction id. */
  const transactions = new Map<string, string>()
  const listeners = new Set<() => void>()
  let position = 0
  let timestamp = 1_700_000_000_000

  const advance = (): number => {
    position += 1
    queueMicrotask(() => {
      for (const listener of [...listeners]) listener()
    })
    return position
  }

  const register = (localpart: string, password = `${localpart}-password`): User => {
    const user: User = {
      id: `@${localpart}:${serverName}`,
      password,
      displayName: localpart.charAt(0).toUpperCase() + localpart.slice(1),
      devices: new Map(),
      crossSigning: { master: null, selfSigning: null, userSigning: null },
      accountData: new Map(),
      keysAt: 0,
    }
    users.set(user.id, user)
    return user
  }
  const addDevice = (user: User, deviceId = randomBytes(5).toString('hex').toUpperCase()): string => {
    if (!user.devices.has(deviceId))
      user.devices.set(deviceId, { keys: null, oneTimeKeys: new Map(), fallbackKeys: new Map() })
    return deviceId
  }

  const membership = (room: Room, userId: string): string =>
    room.state.get(stateId('m.room.member', userId))?.event.content.membership ?? 'leave'
  const membersWith = (room: Room, ...memberships: readonly string[]): readonly string[] =>
    [...room.state.values()].flatMap(({ event }) =>
      event.type === 'm.room.member' && memberships.includes(event.content.membership)
        ? [event.state_key ?? '']
        : [],
    )
  const findRoom = (id: string): Room => {
    const room = rooms.get(id)
    if (!room) throw new MatrixRefusal(403, 'M_FORBIDDEN', `User not in room ${id}`)
    return room
  }
  const joinedRoom = (id: string, { userId }: Pick<Session, 'userId'>): Room => {
    const room = findRoom(id)
    if (membership(room, userId) !== 'join')
      throw new MatrixRefusal(403, 'M_FORBIDDEN', `User ${userId} not in room ${id}`)
    return room
  }
  const power = (room: Room, userId: string): number => {
    const levels = room.state.get(stateId('m.room.power_levels', ''))?.event.content ?? {}
    return levels.users?.[userId] ?? levels.users_default ?? 0
  }

  const append = (
    room: Room,
    {
      sender,
      type,
      content,
      key,
      redacts,
      unsigned = {},
    }: {
      readonly sender: string
      readonly type: string
      readonly content: Json
      readonly key?: string
      readonly redacts?: string
      readonly unsigned?: Json
    },
  ): RoomEvent => {
    timestamp += 1000
    const event: RoomEvent = {
      event_id: `$${randomBytes(32).toString('base64url')}`,
      room_id: room.id,
      sender,
      type,
      ...(key !== undefined && { state_key: key }),
      origin_server_ts: timestamp,
      content,
      unsigned,
      ...(redacts !== undefined && { redacts }),
    }
    if (Buffer.byteLength(JSON.stringify(event)) > maxEventBytes)
      throw new MatrixRefusal(413, 'M_TOO_LARGE', 'event too large')
    const entry = { at: advance(), event }
    room.events.push(entry)
    if (key !== undefined) room.state.set(stateId(type, key), entry)
    return event
  }

  const setMember = (room: Room, sender: string, userId: string, change: string, rest: object = {}) =>
    append(room, {
      sender,
      type: 'm.room.member',
      key: userId,
      content: { membership: change, displayname: users.get(userId)?.displayName ?? userId, ...rest },
    })

  const createRoom = ({ userId }: Pick<Session, 'userId'>, body: Json): Room => {
    const room: Room = {
      id: `!${randomBytes(9).toString('base64url')}:${serverName}`,
      events: [],
      state: new Map(),
      typing: new Set(),
      receipts: [],
      typingAt: 0,
      forgotten: new Set(),
    }
    rooms.set(room.id, room)
    const invited: readonly string[] = body.invite ?? []
    const isTrusted = body.preset === 'trusted_private_chat'
    const state = (type: string, content: Json, key = '') =>
      append(room, { sender: userId, type, key, content })
    state('m.room.create', { room_version: '10', creator: userId })
    setMember(room, userId, userId, 'join')
    state('m.room.power_levels', {
      users: { [userId]: 100, ...(isTrusted && Object.fromEntries(invited.map((id) => [id, 100]))) },
      users_default: 0,
      events_default: 0,
      state_default: 50,
      invite: 0,
      kick: 50,
      ban: 50,
      redact: 50,
    })
    state('m.room.join_rules', { join_rule: body.preset === 'public_chat' ? 'public' : 'invite' })
    state('m.room.history_visibility', { history_visibility: 'shared' })
    if (body.name) state('m.room.name', { name: body.name })
    for (const { type, content, state_key: key = '' } of body.initial_state ?? []) state(type, content, key)
    for (const id of invited) invite(room, userId, id, body.is_direct === true)
    return room
  }
  const invite = (room: Room, sender: string, userId: string, isDirect = false) => {
    if (!users.has(userId)) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Unknown user')
    if (['join', 'ban'].includes(membership(room, userId)))
      throw new MatrixRefusal(403, 'M_FORBIDDEN', `${userId} is already in the room.`)
    setMember(room, sender, userId, 'invite', isDirect ? { is_direct: true } : {})
  }
  const join = (room: Room, userId: string) => {
    const now = membership(room, userId)
    const isPublic = room.state.get(stateId('m.room.join_rules', ''))?.event.content.join_rule === 'public'
    if (now === 'join') return
    if (now === 'ban' || (now !== 'invite' && !isPublic))
      throw new MatrixRefusal(403, 'M_FORBIDDEN', 'You are not invited to this room.')
    room.forgotten.delete(userId)
    setMember(room, userId, userId, 'join')
    // Devices of the others must be known before they can write to each other.
    for (const member of membersWith(room, 'join')) {
      const user = users.get(member)
      if (user && user.keysAt > 0) user.keysAt = position
    }
  }
  const leave = (room: Room, userId: string) => {
    if (!['join', 'invite', 'knock'].includes(membership(room, userId)))
      throw new MatrixRefusal(403, 'M_FORBIDDEN', `User ${userId} not in room ${room.id}`)
    setMember(room, userId, userId, 'leave')
  }

  /** Numbers with a fraction are not canonical JSON, and servers reject them since room version 6. */
  const mustBeCanonical = (value: Json): void => {
    if (typeof value === 'number' && !Number.isSafeInteger(value))
      throw new MatrixRefusal(400, 'M_BAD_JSON', 'Bad JSON value: float')
    if (typeof value === 'object' && value !== null)
      for (const item of Object.values(value)) mustBeCanonical(item)
  }

  const mustBeValid = (room: Room, session: Session, type: string, content: Json) => {
    if (typeof content !== 'object' || content === null || Array.isArray(content))
      throw new MatrixRefusal(400, 'M_BAD_JSON', 'Content must be a JSON object.')
    mustBeCanonical(content)
    if (
      type === 'm.room.message' &&
      (typeof content.body !== 'string' || typeof content.msgtype !== 'string')
    )
      throw new MatrixRefusal(400, 'M_UNKNOWN', "'body' not in content")
    if (type === 'm.room.encrypted' && typeof content.algorithm !== 'string')
      throw new MatrixRefusal(400, 'M_UNKNOWN', "'algorithm' not in content")
    const relation = content['m.relates_to']
    if (!relation?.rel_type) return
    const target = room.events.find(({ event }) => event.event_id === relation.event_id)
    if (!target) throw new MatrixRefusal(400, 'M_UNKNOWN', "Can't send relation to unknown event")
    if (relation.rel_type === 'm.thread' && target.event.content['m.relates_to']?.rel_type)
      throw new MatrixRefusal(400, 'M_UNKNOWN', 'Cannot start threads from an event with a relation')
    const isSame = ({ event }: { readonly event: RoomEvent }) => {
      const other = event.content['m.relates_to']
      return (
        event.sender === session.userId &&
        other?.rel_type === 'm.annotation' &&
        other.event_id === relation.event_id &&
        other.key === relation.key
      )
    }
    if (relation.rel_type === 'm.annotation' && room.events.some(isSame))
      throw new MatrixRefusal(400, 'M_DUPLICATE_ANNOTATION', "Can't send same reaction twice")
  }

  /** Runs `work` once per transaction id of a device. */
  const once = (session: Session, path: string, work: () => string): string => {
    const name = `${session.userId} ${session.deviceId} ${path}`
    const known = transactions.get(name)
    if (known !== undefined) return known
    const result = work()
    transactions.set(name, result)
    return result
  }

  const send = (session: Session, path: string, id: string, type: string, txn: string, content: Json) => {
    const room = joinedRoom(id, session)
    return once(session, path, () => {
      mustBeValid(room, session, type, content)
      const unsigned = { transaction_id: txn, device: session.deviceId }
      return append(room, { sender: session.userId, type, content, unsigned }).event_id
    })
  }
  const sendState = (session: Session, id: string, type: string, key: string, content: Json) => {
    const room = joinedRoom(id, session)
    mustBeCanonical(content)
    if (power(room, session.userId) < 50)
      throw new MatrixRefusal(403, 'M_FORBIDDEN', "You don't have permission to post that to the room.")
    return append(room, { sender: session.userId, type, key, content }).event_id
  }
  const redact = (session: Session, path: string, id: string, target: string, content: Json) => {
    const room = joinedRoom(id, session)
    const event = room.events.find((entry) => entry.event.event_id === target)?.event
    if (!event) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Event not found')
    if (event.sender !== session.userId && power(room, session.userId) < 50)
      throw new MatrixRefusal(403, 'M_FORBIDDEN', "You don't have permission to redact events.")
    return once(session, path, () => {
      const redaction = append(room, {
        sender: session.userId,
        type: 'm.room.redaction',
        content: { ...content, redacts: target },
        redacts: target,
      })
      event.content = {}
      event.unsigned = { redacted_because: redaction }
      return redaction.event_id
    })
  }

  /** Hides the transaction id from other devices. */
  const shown = ({ event }: { readonly event: RoomEvent }, { userId, deviceId }: Session): Json => {
    const { device, transaction_id: txn, ...unsigned } = event.unsigned
    const isOwn = event.sender === userId && device === deviceId
    return { ...event, unsigned: { ...unsigned, ...(isOwn && { transaction_id: txn }) } }
  }

  return {
    serverName,
    users,
    rooms,
    toDevice,
    getPosition: () => position,
    advance,
    listeners,
    register,
    addDevice,
    membership,
    membersWith,
    findRoom,
    joinedRoom,
    power,
    append,
    setMember,
    createRoom,
    invite,
    join,
    leave,
    once,
    send,
    sendState,
    redact,
    shown,
  }
}
