/**
 * Decides in which rooms the account is: while the channel is not paired, in at most three direct rooms of
 * strangers; afterwards in the paired room, and in rooms to which the paired user invited it.
 */
import { join } from 'node:path'
import pLimit from 'p-limit'
import * as z from 'zod'
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import { encode, MatrixError, misunderstood, roomPath } from '../../../packages/matrix/api.ts'
import { type JsonFile, openJsonFile } from '../../../packages/matrix/json-file.ts'
import type { RoomState } from '../../../packages/matrix/rooms.ts'
import type { Invite } from '../../../packages/matrix/sync-answer.ts'
import type { MatrixContext } from './context.ts'
import { isDirectRoom } from './direct-rooms.ts'

const StoredInvite = z.object({
  room: z.string(),
  inviter: z.string(),
  isDirect: z.boolean(),
  name: z.string().nullable(),
  /** Failed attempts to answer it, and the time of the next one in epoch ms. */
  tries: z.int().optional(),
  retryAt: z.number().optional(),
})
type StoredInvite = z.infer<typeof StoredInvite>
const PolicyState = z.object({
  /** Rooms that were joined while the channel was not paired, with the time in epoch ms. */
  strangers: z.array(z.object({ room: z.string(), at: z.number() })),
  /** Invitations that wait until there is a place. */
  invites: z.array(StoredInvite),
  /** Users who wrote in a direct room while the channel was not paired, by room. */
  writers: z.record(z.string(), z.string()),
  /** The user in the paired room who asked for the pairing code. */
  paired: z.object({ room: z.string(), user: z.string() }).nullable(),
})
const Joined = z.object({ room_id: z.string() })
type PolicyState = z.infer<typeof PolicyState>

export interface RoomPolicy {
  onInvite(invite: Invite): Promise<void>
  onLeave(room: string): Promise<void>
  /** Remembers who wrote in a direct room, before a message asks for a code. */
  noteWriter(room: string, user: string): Promise<void>
  /** Returns the user to whom the persona belongs, or null if it is unknown. */
  getPairedUser(pairedRoom: string): Promise<string | null>
  /** Leaves rooms of strangers, and accepts invitations for which there is a place. */
  settle(): Promise<void>
}

const maxStrangers = 3
const maxInvites = 20
const maxWriters = 50
/** Max attempts to answer an invitation. A server of another room may be gone for good. */
const maxTries = 8
/** Milliseconds until the pairing code of a stranger has expired. */
const strangerFor = 11 * 60_000

export const openRoomPolicy = async (folder: string, context: MatrixContext): Promise<RoomPolicy> => {
  const { bot, connect, rooms, clock, log, signal, listener } = context
  const initial: PolicyState = { strangers: [], invites: [], writers: {}, paired: null }
  const file: JsonFile<PolicyState> = await openJsonFile(
    join(folder, 'rooms.json'),
    PolicyState,
    initial,
    log,
  )
  const settleOnce = pLimit(1)
  const change = (part: Partial<PolicyState>) => file.save({ ...file.value, ...part })

  const post = async (path: string): Promise<void> => {
    const { api } = await connect()
    try {
      await api.call({ method: 'POST', path, body: {}, signal })
    } catch (error) {
      // The account is not in the room.
      if (!(error instanceof MatrixError) || error.kind !== 'lasting') throw error
    }
  }
  const leave = async (room: string): Promise<void> => {
    await post(roomPath(room, 'leave'))
    await post(roomPath(room, 'forget'))
    rooms.forget(room)
  }
  const enter = async (room: string): Promise<boolean> => {
    rooms.forget(room)
    const { api } = await connect()
    try {
      const path = `/_matrix/client/v3/join/${encode(room)}`
      const joined = Joined.safeParse(await api.call({ method: 'POST', path, body: {}, signal }))
      if (joined.success) return true
    } catch (error) {
      // The invitation was withdrawn, or the room is gone.
      if (error instanceof MatrixError && error.kind === 'lasting') return false
      throw error
    }
    throw misunderstood()
  }
  const getState = async (room: string): Promise<RoomState | null> => {
    try {
      return await rooms.get(room, signal)
    } catch (error) {
      if (error instanceof MatrixError && error.kind === 'lasting') return null
      throw error
    }
  }

  /**
   * Resolves to false if the server cannot do it now. Messages of other rooms must not wait for that, so it
   * is tried again with a later sync.
   */
  const attempt = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work
      return true
    } catch (error) {
      if (signal.aborted || !(error instanceof MatrixError) || error.kind !== 'passing') throw error
      log.info({ err: error }, 'failed to join or leave a Matrix room')
      return false
    }
  }

  /** Answers an invitation that is due. Removes it when that is done, or after too many failures. */
  const answerInvite = async (invite: StoredInvite, work: () => Promise<unknown>): Promise<void> => {
    if ((invite.retryAt ?? 0) > clock.now()) return
    const isDone = await attempt(work())
    const tries = (invite.tries ?? 0) + 1
    const others = file.value.invites.filter(({ room }) => room !== invite.room)
    if (isDone || tries >= maxTries) return change({ invites: others })
    const pause = pauseAfter(tries, { longest: 60 * 60_000 })
    await change({ invites: [...others, { ...invite, tries, retryAt: clock.now() + pause }] })
    void settleLater(pause)
  }
  const settleLater = async (ms: number): Promise<void> => {
    await clock.wait(ms, signal)
    if (signal.aborted) return
    await settle().catch((err: unknown) => log.info({ err }, 'failed to answer an invitation on Matrix'))
  }

  const isDirect = async (room: string): Promise<boolean> =>
    (await getState(room)) !== null && isDirectRoom(room, context)

  const getPairedUser: RoomPolicy['getPairedUser'] = async (pairedRoom) => {
    const { paired, writers } = file.value
    if (paired?.room === pairedRoom) return paired.user
    const others = [...((await getState(pairedRoom))?.members.keys() ?? [])].filter((id) => id !== bot.id)
    const user = writers[pairedRoom] ?? (others.length === 1 ? others[0] : undefined)
    if (user === undefined) return null
    await change({ paired: { room: pairedRoom, user }, writers: {} })
    return user
  }

  const enterStranger = async ({ room }: Invite): Promise<void> => {
    // Stored first, so that the room is left even if the daemon ends after joining.
    await change({
      strangers: [...file.value.strangers.filter((item) => item.room !== room), { room, at: clock.now() }],
    })
    const isIn = await enter(room)
    if (isIn && (await isDirect(room))) return
    if (isIn) await leave(room)
    await change({ strangers: file.value.strangers.filter((item) => item.room !== room) })
  }

  const settlePaired = async (pairedRoom: string): Promise<void> => {
    const user = await getPairedUser(pairedRoom)
    const { strangers, invites } = file.value
    for (const { room } of strangers) {
      if (room !== pairedRoom && !(await attempt(leave(room)))) continue
      await change({ strangers: file.value.strangers.filter((item) => item.room !== room) })
    }
    for (const invite of invites)
      await answerInvite(invite, () =>
        invite.inviter === user || invite.room === pairedRoom ? enter(invite.room) : leave(invite.room),
      )
  }

  const settleStrangers = async (): Promise<void> => {
    const { strangers, invites, paired } = file.value
    if (paired) await change({ paired: null })
    let waitingCount = invites.length
    for (const { room, at } of strangers) {
      const isExpired = clock.now() - at > strangerFor || clock.now() < at
      if (waitingCount === 0 || strangers.length + waitingCount <= maxStrangers || !isExpired) continue
      waitingCount -= 1
      if (!(await attempt(leave(room)))) continue
      await change({ strangers: file.value.strangers.filter((item) => item.room !== room) })
    }
    for (const invite of invites) {
      const others = file.value.strangers.filter(({ room }) => room !== invite.room)
      if (others.length >= maxStrangers) return
      await answerInvite(invite, () => enterStranger(invite))
    }
  }

  const settle = (): Promise<void> =>
    settleOnce(() => {
      const pairedRoom = listener.pairedTarget?.() ?? null
      return pairedRoom === null ? settleStrangers() : settlePaired(pairedRoom)
    })

  return {
    onInvite: async (invite) => {
      const isPaired = (listener.pairedTarget?.() ?? null) !== null
      // A direct room has no name, and clients mark it.
      if (!isPaired && !invite.isDirect && invite.name !== null) {
        await attempt(leave(invite.room))
        return
      }
      // Answered at the end of the sync, so that the messages of other rooms come first.
      const invites = [...file.value.invites.filter(({ room }) => room !== invite.room), invite]
      for (const { room } of invites.slice(0, -maxInvites)) await attempt(leave(room))
      await change({ invites: invites.slice(-maxInvites) })
    },
    onLeave: async (room) => {
      const { strangers, invites, writers } = file.value
      const { [room]: _, ...otherWriters } = writers
      const isOther = (item: { readonly room: string }) => item.room !== room
      await change({
        strangers: strangers.filter(isOther),
        invites: invites.filter(isOther),
        writers: otherWriters,
      })
    },
    noteWriter: async (room, user) => {
      const { [room]: previousUser, ...writers } = file.value.writers
      if (previousUser === user) return
      const entries = [...Object.entries(writers), [room, user] as const].slice(-maxWriters)
      await change({ writers: Object.fromEntries(entries) })
    },
    getPairedUser,
    settle,
  }
}
