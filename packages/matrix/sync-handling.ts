/** Handles the events of a sync: decrypts them, stores events without a key, and requests missed events. */
import * as z from 'zod'
import { pauseAfter } from '../kit/flow/backoff.ts'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { answerTooLarge, type MatrixApi, MatrixError, toStorageError } from './api.ts'
import type { RoomCrypto } from './crypto/room-crypto.ts'
import type { JsonFile } from './json-file.ts'
import { cutToStay, requestMissed } from './missed-events.ts'
import { parseEncryption, type Rooms } from './rooms.ts'
import type { EncryptedRooms } from './send-event.ts'
import {
  type Invite,
  isRoomId,
  type JoinedRoom,
  parseEvent,
  parseInvite,
  type RoomEvent,
  type SyncAnswer,
} from './sync-answer.ts'
import { limitWaiting } from './waiting-events.ts'

const Pending = z.object({
  room: z.string(),
  event: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds of its arrival. */
  at: z.number(),
  isReported: z.boolean(),
})
export const SyncState = z.object({
  since: z.string().nullable(),
  /** Id of the last handled event by room. */
  last: z.record(z.string(), z.string()),
  /** Ids of the last events by room, oldest first, in case the server lost the last one. */
  recent: z.record(z.string(), z.array(z.string())).default({}),
  /** Encrypted events whose key is missing. */
  pending: z.array(Pending),
})
export type SyncState = z.infer<typeof SyncState>
type Pending = z.infer<typeof Pending>

/** An event of a joined room, decrypted. `isEncrypted`: it was encrypted. */
export interface ClearEvent extends RoomEvent {
  readonly room: string
  readonly isEncrypted: boolean
}

/**
 * Each method is called again until it resolves, unless it throws a MatrixError that is `lasting`, or fails
 * too often.
 */
export interface SyncHandler {
  /** Resolves when the event is durable. */
  onEvent(event: ClearEvent): Promise<void>
  onInvite(invite: Invite): Promise<void>
  /** The account left a room, or was removed. */
  onLeave(room: string): Promise<void>
  /** The key of an event did not arrive within 10 minutes, or the event is damaged. */
  onUnreadable(event: RoomEvent & { readonly room: string }, reason: string): Promise<void>
  /** Too many events wait for their keys, so the oldest ones of the room were dropped. */
  onDropped(room: string, count: number): Promise<void>
  /**
   * `more`: more events were missed than are requested. `unknown`: the server lost the events that were
   * handled, so it is not known which ones are new, and none are handled.
   */
  onGap(room: string, gap: 'more' | 'unknown'): Promise<void>
  /** Called after each sync, before its position is stored. */
  onSynced(): Promise<void>
  /** Returns the room whose events have priority. */
  getMainRoom(): string | null
  /** Returns the id of the last stored message of rooms, in case the position was lost. */
  getKnownRooms(): Promise<Readonly<Record<string, string>>>
}

export interface HandlingDeps {
  readonly userId: string
  readonly rooms: Rooms
  readonly handler: SyncHandler
  readonly encryptedRooms: Pick<EncryptedRooms, 'note' | 'save'>
  /** Returns the pause in ms, or null if retrying does not help. */
  readonly onFailure: (error: MatrixError) => number | null
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

interface TakenRoom {
  readonly last: string | undefined
  readonly newIds: readonly string[]
  readonly pending: readonly Pending[]
}

const minute = 60_000
/** Milliseconds until the missing key of an event is reported, and until the event is dropped. */
const reportAfter = 10 * minute
const keepFor = 7 * 24 * 60 * minute
/** Max failures of an event because of a defect. Otherwise it would block all later ones. */
const maxFailures = 8
const maxHandled = 5000
const maxRecent = 20
/** Max rooms with their last event, and with more of their events. A server could invent any number. */
const maxRooms = 5000
const maxRecentRooms = 100

/** `first`: there was no position. `reset`: the server rejected it, and the answer begins again. */
export type SyncStart = 'first' | 'reset' | 'next'

export const createSyncHandling = (deps: HandlingDeps, file: JsonFile<SyncState>) => {
  const { userId, rooms, encryptedRooms, handler, clock, log, signal } = deps
  /** Rooms with new keys. Undefined: all. */
  let roomsWithKeys: Set<string> | undefined
  let watchedCrypto: RoomCrypto | null = null
  /** Ids of handled events, because a server may send an event twice. */
  const handledIds = new Set<string>()

  const watchKeys = (crypto: RoomCrypto | null) => {
    if (crypto === watchedCrypto) return
    watchedCrypto = crypto
    roomsWithKeys = undefined
    crypto?.onRoomKeys((ids) => {
      for (const id of ids) roomsWithKeys?.add(id)
    })
  }

  /** Calls until it resolves. Gives up after a lasting error or too many defects. */
  const insist = async (work: () => Promise<void>): Promise<void> => {
    let faults = 0
    for (let times = 1; !signal.aborted; times++) {
      try {
        return await work()
      } catch (err) {
        if (signal.aborted) return
        if (err instanceof MatrixError && err.kind === 'token') throw err
        const isLasting = err instanceof MatrixError && err.kind === 'lasting'
        const isTooLarge = err instanceof MatrixError && err.code === answerTooLarge
        const isDefect = isTooLarge || err instanceof TypeError || err instanceof RangeError
        if (isLasting || (isDefect && ++faults >= maxFailures)) {
          log.error({ err, count: times }, 'failed to handle an event from Matrix; it is skipped')
          return
        }
        log.warn({ err, count: times }, 'failed to handle an event from Matrix; it is tried again')
        const storageError = toStorageError(err)
        if (storageError) deps.onFailure(storageError)
        await clock.wait((err instanceof MatrixError && err.wait) || pauseAfter(times), signal)
      }
    }
  }

  /** Returns the event if its key is still missing. */
  const takeEvent = async (
    room: string,
    event: RoomEvent,
    crypto: RoomCrypto | null,
    { at, isReported }: Pick<Pending, 'at' | 'isReported'>,
  ): Promise<Pending | null> => {
    if (handledIds.has(event.id)) return null
    const remember = () => {
      handledIds.add(event.id)
      for (const oldestId of handledIds) {
        if (handledIds.size <= maxHandled) break
        handledIds.delete(oldestId)
      }
    }
    if (event.type !== 'm.room.encrypted') {
      await insist(() => handler.onEvent({ ...event, room, isEncrypted: false }))
      remember()
      return null
    }
    // The own events need no handling.
    if (event.sender === userId) return null
    const result = crypto
      ? await crypto.decrypt(room, event.raw)
      : ({ state: 'unreadable', lasting: false, reason: 'encryption is not available' } as const)
    if (result.state === 'clear') {
      const { type, content } = result
      const relation = content['m.relates_to'] ?? event.content['m.relates_to']
      const fullContent = { ...content, ...(relation !== undefined && { 'm.relates_to': relation }) }
      await insist(() => handler.onEvent({ ...event, type, content: fullContent, room, isEncrypted: true }))
      remember()
      return null
    }
    const isDue = result.lasting || !crypto || clock.now() - at >= reportAfter
    if (isDue && !isReported) await insist(() => handler.onUnreadable({ ...event, room }, result.reason))
    if (result.lasting || clock.now() - at > keepFor) {
      remember()
      return null
    }
    return { room, event: event.raw, at, isReported: isReported || isDue }
  }

  const retryPending = async (items: readonly Pending[], crypto: RoomCrypto | null) => {
    const keys = roomsWithKeys
    roomsWithKeys = new Set()
    const rest: Pending[] = []
    for (const item of items) {
      const isDue = !item.isReported && clock.now() - item.at >= reportAfter
      const event = parseEvent(item.room, item.event)
      if (!event || signal.aborted) rest.push(...(event ? [item] : []))
      else if (keys === undefined || keys.has(item.room) || isDue) {
        const leftItem = await takeEvent(item.room, event, crypto, item)
        if (leftItem) rest.push(leftItem)
      } else rest.push(item)
    }
    return rest
  }

  const takeRoom = async (
    room: string,
    { timeline, state }: JoinedRoom,
    { start, known }: { readonly start: SyncStart; readonly known: Readonly<Record<string, string>> },
    { api, crypto }: { readonly api: MatrixApi; readonly crypto: RoomCrypto | null },
  ): Promise<TakenRoom> => {
    const parse = (raw: unknown) => parseEvent(room, raw) ?? []
    const applyState = async (event: RoomEvent) => {
      rooms.apply(room, event)
      if (event.type !== 'm.room.encryption' || event.stateKey !== '') return
      // Remembered, so that a server cannot take the encryption back.
      const isNoted = await encryptedRooms.note(room)
      const settings = parseEncryption(event.content)
      if (settings && isNoted) await crypto?.setEncrypted(room, settings)
    }
    for (const event of state.flatMap(parse)) await applyState(event)
    const events = timeline.events.flatMap(parse)
    const lastBefore = file.value.last[room] ?? known[room]
    const last = events.at(-1)?.id ?? lastBefore
    const newIds = events.map(({ id }) => id)
    // The history from before the channel was added is not read.
    if (start === 'first' && lastBefore === undefined) return { last, newIds, pending: [] }
    // After a reset, the server may have lost the last event, or the room for a while.
    const isDoubtful = start === 'reset' || lastBefore === undefined
    const handled = new Set(isDoubtful ? file.value.recent[room] : [])
    if (lastBefore !== undefined) handled.add(lastBefore)
    const isNew = handled.size === 0
    const hasGap = timeline.limited && !(isNew && events.length > 0 && cutToStay(events, userId) !== events)
    const missedEvents = hasGap
      ? await requestMissed(api, { room, from: timeline.prev_batch, handled, signal })
      : { events: [], isGap: false, isComplete: false }
    const all = [...missedEvents.events, ...events]
    // An event can be in the history and in the timeline if it arrived between the requests.
    const handledUpTo = all.findLastIndex(({ id }) => handled.has(id))
    if (!isNew && isDoubtful && handledUpTo < 0 && !missedEvents.isComplete) {
      for (const event of all) if (event.stateKey !== undefined) await applyState(event)
      await insist(() => handler.onGap(room, 'unknown'))
      return { last, newIds, pending: [] }
    }
    if (missedEvents.isGap) await insist(() => handler.onGap(room, 'more'))
    const pendingItems: Pending[] = []
    for (const event of isNew ? cutToStay(all, userId) : all.slice(handledUpTo + 1)) {
      if (signal.aborted) break
      if (event.stateKey !== undefined) await applyState(event)
      const leftItem = await takeEvent(room, event, crypto, { at: clock.now(), isReported: false })
      if (leftItem) pendingItems.push(leftItem)
    }
    return { last, newIds: all.map(({ id }) => id), pending: pendingItems }
  }

  const limitPending = async (items: readonly Pending[]): Promise<Pending[]> => {
    const { kept, dropped } = limitWaiting(items, handler.getMainRoom())
    for (const [room, count] of dropped) {
      log.warn({ count }, 'too many encrypted Matrix events wait for their keys; the oldest are dropped')
      await insist(() => handler.onDropped(room, count))
    }
    return [...kept]
  }

  /** Handles an answer, and then stores its position. */
  const take = async (
    answer: SyncAnswer,
    connection: { readonly api: MatrixApi; readonly crypto: RoomCrypto | null },
    start: SyncStart,
  ): Promise<void> => {
    try {
      await takeAnswer(answer, connection, start)
    } catch (error) {
      // The keys that arrived are needed again.
      roomsWithKeys = undefined
      throw error
    }
  }
  const takeAnswer = async (
    answer: SyncAnswer,
    { api, crypto }: { readonly api: MatrixApi; readonly crypto: RoomCrypto | null },
    start: SyncStart,
  ): Promise<void> => {
    watchKeys(crypto)
    await crypto?.receiveSync({
      isInitial: start !== 'next',
      toDevice: answer.to_device,
      deviceLists: {
        ...(answer.device_lists.changed && { changed: answer.device_lists.changed }),
        ...(answer.device_lists.left && { left: answer.device_lists.left }),
      },
      oneTimeKeyCounts: answer.device_one_time_keys_count,
      unusedFallbackKeys: answer.device_unused_fallback_key_types,
    })
    const knownRooms = start === 'first' ? await handler.getKnownRooms() : {}
    let pendingItems = await retryPending(file.value.pending, crypto)
    const last = { ...file.value.last }
    const recent = { ...file.value.recent }
    if (start === 'reset')
      for (const room of Object.keys(last)) {
        rooms.forget(room)
        if (!(room in answer.rooms.join)) delete last[room]
      }
    for (const room of Object.keys(answer.rooms.leave)) {
      if (!isRoomId(room)) continue
      rooms.forget(room)
      delete last[room]
      delete recent[room]
      pendingItems = pendingItems.filter((item) => item.room !== room)
      await insist(() => handler.onLeave(room))
    }
    for (const [room, joined] of Object.entries(answer.rooms.join)) {
      if (!isRoomId(room) || signal.aborted) continue
      const result = await takeRoom(room, joined, { start, known: knownRooms }, { api, crypto })
      if (result.last !== undefined) replace(last, room, result.last)
      replace(recent, room, [...(recent[room] ?? []), ...result.newIds].slice(-maxRecent))
      pendingItems.push(...result.pending)
    }
    for (const [room, invited] of Object.entries(answer.rooms.invite)) {
      const invite = parseInvite(room, invited, userId)
      if (invite) await insist(() => handler.onInvite(invite))
    }
    const waitingEvents = await limitPending(pendingItems)
    await insist(() => handler.onSynced())
    await insist(encryptedRooms.save)
    if (signal.aborted) return
    const mainRoom = handler.getMainRoom()
    const state: SyncState = {
      since: answer.next_batch,
      last: keepNewest(last, maxRooms, mainRoom),
      recent: keepNewest(recent, maxRecentRooms, mainRoom),
      pending: waitingEvents,
    }
    await insist(() => file.save(state))
  }
  return { take }
}

/** The entry becomes the newest one. */
const replace = <T>(byRoom: Record<string, T>, room: string, value: T): void => {
  delete byRoom[room]
  byRoom[room] = value
}

const keepNewest = <T>(
  byRoom: Record<string, T>,
  max: number,
  mainRoom: string | null,
): Record<string, T> => {
  const entries = Object.entries(byRoom)
  if (entries.length <= max) return byRoom
  const mainEntries = entries.filter(([room]) => room === mainRoom)
  return Object.fromEntries([...mainEntries, ...entries.slice(-max)])
}
