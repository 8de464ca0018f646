/** Sends events, encrypted if the room is. A transaction id makes the server ignore repetitions. */
import * as z from 'zod'
import { type MatrixApi, MatrixError, misunderstood, roomPath } from './api.ts'
import type { RoomCrypto } from './crypto/room-crypto.ts'
import type { Rooms } from './rooms.ts'

export interface Connection {
  readonly api: MatrixApi
  /** Null if encryption is not available. */
  readonly crypto: RoomCrypto | null
  /** Sentence that says why encryption is not available. */
  readonly cryptoTrouble: string | null
}

/** Rooms that were encrypted once. They outlive the device, because a server could hide it. */
export interface EncryptedRooms {
  has(room: string): Promise<boolean>
  /**
   * Adds a room that the server calls encrypted. It is stored by `save`. Resolves to false if there are too
   * many.
   */
  note(room: string): Promise<boolean>
  /** Adds a room with encrypted messages, however many there are. Resolves when it is on disk. */
  add(room: string): Promise<void>
  /** Resolves when the noted rooms are on disk. */
  save(): Promise<void>
}

export interface OutgoingEvent {
  readonly room: string
  readonly type: string
  readonly content: Readonly<Record<string, unknown>>
  /** Unique for the device and the room. */
  readonly txn: string
  readonly signal: AbortSignal
}

/** Each function rejects with MatrixError. */
export interface EventSender {
  /** Resolves to the event id. */
  send(event: OutgoingEvent): Promise<string>
  redact(event: {
    readonly room: string
    readonly event: string
    readonly txn: string
    readonly signal: AbortSignal
  }): Promise<void>
  isEncrypted(room: string, signal: AbortSignal): Promise<boolean>
}

const Sent = z.object({ event_id: z.string() })

export const createEventSender = ({
  connect,
  rooms,
  encryptedRooms,
}: {
  readonly connect: () => Promise<Connection>
  readonly rooms: Rooms
  readonly encryptedRooms: EncryptedRooms
}): EventSender => {
  const putEvent = async ({ room, type, content, txn, signal }: OutgoingEvent): Promise<string> => {
    const { api } = await connect()
    try {
      const path = roomPath(room, 'send', type, txn)
      const { data } = Sent.safeParse(await api.call({ method: 'PUT', path, body: content, signal }))
      // It is unknown whether it was sent. The next attempt has the same transaction id.
      if (!data) throw misunderstood()
      return data.event_id
    } catch (error) {
      // The members or the encryption of the room may have changed.
      if (error instanceof MatrixError && error.kind === 'lasting') rooms.forget(room)
      throw error
    }
  }
  const isEncrypted: EventSender['isEncrypted'] = async (room, signal) => {
    if (await encryptedRooms.has(room)) return true
    const { crypto } = await connect()
    const isKnown = (await rooms.get(room, signal)).encryption !== null || (await crypto?.isEncrypted(room))
    if (isKnown) await encryptedRooms.note(room)
    return isKnown === true
  }
  return {
    isEncrypted,
    send: async (event) => {
      const { room, type, content, signal } = event
      // Servers count reactions, so clients send them unencrypted in every room.
      if (type === 'm.reaction' || !(await isEncrypted(room, signal))) return putEvent(event)
      await encryptedRooms.add(room)
      const { crypto, cryptoTrouble } = await connect()
      if (!crypto)
        throw new MatrixError(
          `This room is encrypted. ${cryptoTrouble ?? 'Encryption is not available.'}`,
          'lasting',
        )
      const { members, encryption } = await rooms.get(room, signal)
      const encrypted = await crypto.encrypt({
        roomId: room,
        members: [...members.keys()],
        settings: encryption ?? { algorithm: 'm.megolm.v1.aes-sha2' },
        type,
        content,
      })
      // Servers read the relation, so it is not encrypted.
      const relation = content['m.relates_to']
      return putEvent({
        ...event,
        type: 'm.room.encrypted',
        content: { ...encrypted, ...(relation !== undefined && { 'm.relates_to': relation }) },
      })
    },
    redact: async ({ room, event, txn, signal }) => {
      const { api } = await connect()
      await api.call({ method: 'PUT', path: roomPath(room, 'redact', event, txn), body: {}, signal })
    },
  }
}

/** Shows for some seconds that the user types, or no longer. Rejects with MatrixError. */
export const sendTyping = async (
  api: MatrixApi,
  {
    room,
    userId,
    isTyping,
    signal,
  }: {
    readonly room: string
    readonly userId: string
    readonly isTyping: boolean
    readonly signal: AbortSignal
  },
): Promise<void> => {
  const body = isTyping ? { typing: true, timeout: 8000 } : { typing: false }
  await api.call({ method: 'PUT', path: roomPath(room, 'typing', userId), body, signal })
}
