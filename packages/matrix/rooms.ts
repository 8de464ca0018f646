/**
 * The state of the joined rooms: members, encryption, successor. It is requested when it is first needed, and
 * kept up to date by the events of the syncs.
 */
import * as z from 'zod'
import { isObject } from '../kit/is-object.ts'
import { type MatrixApi, MatrixError, misunderstood, roomPath } from './api.ts'
import type { RoomEncryption } from './crypto/room-crypto.ts'
import { parseEvent, type RoomEvent } from './sync-answer.ts'

export interface Member {
  readonly membership: 'join' | 'invite'
  readonly name: string | null
}

export interface RoomState {
  /** Joined and invited users. */
  readonly members: ReadonlyMap<string, Member>
  /** Null if the room is not encrypted. */
  readonly encryption: RoomEncryption | null
  /** The room was upgraded, so nothing is written here any more. */
  readonly isReplaced: boolean
}

export interface Rooms {
  /** Rejects with MatrixError, for example if the user is not in the room. */
  get(room: string, signal: AbortSignal): Promise<RoomState>
  /** Call it for each event of a sync with a state key. */
  apply(room: string, event: RoomEvent): void
  /** The user is no longer in the room, or its state is in doubt. */
  forget(room: string): void
}

const Members = z.object({ chunk: z.array(z.unknown()) })
const Encryption = z.object({
  algorithm: z.string(),
  rotation_period_ms: z.number().optional().catch(undefined),
  rotation_period_msgs: z.number().optional().catch(undefined),
})

export const createRooms = (getApi: () => Promise<MatrixApi>): Rooms => {
  const states = new Map<string, Promise<RoomState>>()

  const load = async (room: string, signal: AbortSignal): Promise<RoomState> => {
    const api = await getApi()
    const getState = async (type: string): Promise<unknown> => {
      try {
        const content = await api.call({ method: 'GET', path: roomPath(room, 'state', type), signal })
        if (isObject(content)) return content
      } catch (error) {
        if (error instanceof MatrixError && error.code === 'M_NOT_FOUND') return null
        throw error
      }
      throw misunderstood()
    }
    const encryption = await getState('m.room.encryption')
    const tombstone = await getState('m.room.tombstone')
    const memberList = Members.safeParse(
      await api.call({ method: 'GET', path: roomPath(room, 'members'), signal }),
    )
    if (!memberList.success) throw misunderstood()
    const members = new Map<string, Member>()
    for (const raw of memberList.data.chunk) {
      const event = parseEvent(room, raw)
      if (event) setMember(members, event)
    }
    return { members, encryption: parseEncryption(encryption), isReplaced: tombstone !== null }
  }

  const forgetFailed = (room: string, state: Promise<RoomState>) => {
    state.catch(() => {
      // A newer request must stay.
      if (states.get(room) === state) states.delete(room)
    })
  }

  return {
    get: (room, signal) => {
      const cachedState = states.get(room)
      if (cachedState !== undefined) return cachedState
      const state = load(room, signal)
      states.set(room, state)
      forgetFailed(room, state)
      return state
    },
    apply: (room, event) => {
      const cachedState = states.get(room)
      if (cachedState === undefined || event.stateKey === undefined) return
      const next = cachedState.then((state) => applyEvent(state, event))
      states.set(room, next)
      forgetFailed(room, next)
    },
    forget: (room) => void states.delete(room),
  }
}

const applyEvent = (state: RoomState, event: RoomEvent): RoomState => {
  switch (event.type) {
    case 'm.room.member': {
      const members = new Map(state.members)
      setMember(members, event)
      return { ...state, members }
    }
    case 'm.room.encryption':
      return { ...state, encryption: parseEncryption(event.content) ?? state.encryption }
    case 'm.room.tombstone':
      return { ...state, isReplaced: true }
    default:
      return state
  }
}

const setMember = (members: Map<string, Member>, { type, stateKey, content }: RoomEvent): void => {
  if (type !== 'm.room.member' || stateKey === undefined) return
  const { membership, displayname } = content
  if (membership === 'join' || membership === 'invite')
    members.set(stateKey, {
      membership,
      name: typeof displayname === 'string' && displayname !== '' ? displayname : null,
    })
  else members.delete(stateKey)
}

/** An unknown form still means that the room is encrypted, so nothing is sent there in the clear. */
export const parseEncryption = (content: unknown): RoomEncryption | null =>
  content === null || content === undefined
    ? null
    : (Encryption.safeParse(content).data ?? { algorithm: 'unknown' })
