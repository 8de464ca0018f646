/**
 * Receives the events of an account. The position of the last sync (`since`) is stored only after all events
 * of its answer were handled, so after a crash they arrive again.
 */
import { join } from 'node:path'
import * as z from 'zod'
import { pauseAfter } from '../kit/flow/backoff.ts'
import type { Log } from '../kit/log.ts'
import type { Clock } from '../kit/time/clock.ts'
import { type MatrixApi, MatrixError, misunderstood, roomPath } from './api.ts'
import type { RoomCrypto } from './crypto/room-crypto.ts'
import { type JsonFile, openJsonFile } from './json-file.ts'
import type { Rooms } from './rooms.ts'
import {
  History,
  type Invite,
  isRoomId,
  type JoinedRoom,
  parseEvent,
  parseInvite,
  type RoomEvent,
  SyncAnswer,
} from './sync-answer.ts'

const Pending = z.object({
  room: z.string(),
  event: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds of its arrival. */
  at: z.number(),
  isReported: z.boolean(),
})
const SyncState = z.object({
  since: z.string().nullable(),
  /** Id of the last handled event by room. */
  last: z.record(z.string(), z.string()),
  /** Encrypted events whose key is missing. */
  pending: z.array(Pending),
})
type SyncState = z.infer<typeof SyncState>
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
  /** More events were missed than are requested. */
  onGap(room: string): Promise<void>
  /** Called after each sync, before its position is stored. */
  onSynced(): Promise<void>
  /** Returns the id of the last stored message of rooms, in case the position was lost. */
  getKnownRooms(): Promise<Readonly<Record<string, string>>>
}

export interface SyncDeps {
  readonly connect: () => Promise<{ readonly api: MatrixApi; readonly crypto: RoomCrypto | null }>
  readonly userId: string
  readonly folder: string
  readonly rooms: Rooms
  readonly handler: SyncHandler
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  /** Returns false while a trouble is reported. Then an answer is awaited at once. */
  readonly isHealthy: () => boolean
  readonly onSuccess: () => void
  /** Returns the pause in ms, or null if retrying does not help. */
  readonly onFailure: (error: MatrixError) => number | null
}

const pollMs = 30_000
const minute = 60_000
const timelineLimit = 50
/** Max events that are requested for one room after an outage. */
const maxMissed = 1000
const perPage = 100
const maxPending = 500
/** Milliseconds until the missing key of an event is reported, and until the event is dropped. */
const reportAfter = 10 * minute
const keepFor = 7 * 24 * 60 * minute
/** Max failures of an event because of a defect. Otherwise it would block all later ones. */
const maxFailures = 8
const maxHandled = 5000

const createFilter = (limit: number): string =>
  JSON.stringify({
    presence: { not_types: ['*'] },
    account_data: { not_types: ['*'] },
    room: {
      account_data: { not_types: ['*'] },
      ephemeral: { not_types: ['*'] },
      state: { lazy_load_members: true, types: ['m.room.member', 'm.room.encryption', 'm.room.tombstone'] },
      timeline: { limit },
    },
  })

/** Resolves when `signal` aborts or the token is rejected. Never rejects. */
export const runSync = async (deps: SyncDeps): Promise<void> => {
  const { signal, clock, log } = deps
  const file = await openJsonFile(
    join(deps.folder, 'sync.json'),
    SyncState,
    { since: null, last: {}, pending: [] },
    log,
  )
  const handling = createHandling(deps, file)
  let limit = timelineLimit
  while (!signal.aborted) {
    try {
      const { api, crypto } = await deps.connect()
      const since = file.value.since
      const timeout = deps.isHealthy() && since !== null ? pollMs : 0
      const askedAt = clock.now()
      const answer = await requestSync(api, { since, timeout, limit: since === null ? 1 : limit, signal })
      deps.onSuccess()
      limit = timelineLimit
      await handling.take(answer, api, crypto)
      // A server that answers long polls immediately would be polled in a tight loop.
      const isEmpty = answer.next_batch === since || !hasNews(answer)
      if (isEmpty && timeout > 0 && clock.now() - askedAt < 1000) await clock.wait(1000, signal)
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof MatrixError ? error : misunderstood()
      if (failure !== error) log.warn({ err: error }, 'failed to handle an answer of a Matrix homeserver')
      // An answer that is too large is requested again in smaller parts.
      if (/longer than/.test(failure.message)) limit = 1
      const pause = deps.onFailure(failure)
      if (pause === null) return
      await clock.wait(pause, signal)
    }
  }
}

const hasNews = ({ rooms, to_device: events, device_lists: { changed, left } }: SyncAnswer): boolean =>
  [...events, ...(changed ?? []), ...(left ?? [])].length > 0 ||
  Object.values(rooms).some((part) => Object.keys(part).length > 0)

const requestSync = async (
  api: MatrixApi,
  {
    since,
    timeout,
    limit,
    signal,
  }: {
    readonly since: string | null
    readonly timeout: number
    readonly limit: number
    readonly signal: AbortSignal
  },
): Promise<SyncAnswer> => {
  const parsed = SyncAnswer.safeParse(
    await api.call({
      method: 'GET',
      path: '/_matrix/client/v3/sync',
      query: {
        filter: createFilter(limit),
        timeout: String(timeout),
        set_presence: 'offline',
        ...(since !== null && { since }),
      },
      signal,
      timeoutMs: timeout + minute,
    }),
  )
  if (!parsed.success) throw misunderstood()
  return parsed.data
}

const createHandling = (deps: SyncDeps, file: JsonFile<SyncState>) => {
  const { userId, rooms, handler, clock, log, signal } = deps
  /** Rooms with new keys. Undefined: all. */
  let roomsWithKeys: Set<string> | undefined
  let watched: RoomCrypto | null = null
  /** Ids of handled events, because a server may send an event twice. */
  const handled = new Set<string>()

  const watchKeys = (crypto: RoomCrypto | null) => {
    if (crypto === watched) return
    watched = crypto
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
        const isDefect = err instanceof TypeError || err instanceof RangeError
        if ((err instanceof MatrixError && err.kind === 'lasting') || (isDefect && ++faults >= maxFailures)) {
          log.error({ err, count: times }, 'failed to handle an event from Matrix; it is skipped')
          return
        }
        log.warn({ err, count: times }, 'failed to handle an event from Matrix; it is tried again')
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
    if (handled.has(event.id)) return null
    const remember = () => {
      handled.add(event.id)
      for (const oldest of handled) {
        if (handled.size <= maxHandled) break
        handled.delete(oldest)
      }
    }
    if (event.type !== 'm.room.encrypted') {
      await insist(() => handler.onEvent({ ...event, room, isEncrypted: false }))
      remember()
      return null
    }
    // The own events need no handling.
    if (event.sender === userId) return null
    const decrypted = crypto
      ? await crypto.decrypt(room, event.raw)
      : ({ state: 'unreadable', lasting: false, reason: 'encryption is not available' } as const)
    if (decrypted.state === 'clear') {
      const { type, content } = decrypted
      const relation = content['m.relates_to'] ?? event.content['m.relates_to']
      const whole = { ...content, ...(relation !== undefined && { 'm.relates_to': relation }) }
      await insist(() => handler.onEvent({ ...event, type, content: whole, room, isEncrypted: true }))
      remember()
      return null
    }
    const isDue = decrypted.lasting || !crypto || clock.now() - at >= reportAfter
    if (isDue && !isReported) await insist(() => handler.onUnreadable({ ...event, room }, decrypted.reason))
    if (decrypted.lasting || clock.now() - at > keepFor) {
      remember()
      return null
    }
    return { room, event: event.raw, at, isReported: isReported || isDue }
  }

  const retryPending = async (pending: readonly Pending[], crypto: RoomCrypto | null) => {
    const keys = roomsWithKeys
    roomsWithKeys = new Set()
    const rest: Pending[] = []
    for (const item of pending) {
      const isDue = !item.isReported && clock.now() - item.at >= reportAfter
      const event = parseEvent(item.room, item.event)
      if (!event || signal.aborted) rest.push(...(event ? [item] : []))
      else if (keys === undefined || keys.has(item.room) || isDue) {
        const left = await takeEvent(item.room, event, crypto, item)
        if (left) rest.push(left)
      } else rest.push(item)
    }
    return rest
  }

  /** Returns null if the server refuses it. */
  const requestHistory = async (api: MatrixApi, room: string, query: Readonly<Record<string, string>>) => {
    try {
      const path = roomPath(room, 'messages')
      const parsed = History.safeParse(await api.call({ method: 'GET', path, query, signal }))
      if (parsed.success) return parsed.data
    } catch (error) {
      if (error instanceof MatrixError && error.kind === 'lasting') return null
      throw error
    }
    throw misunderstood()
  }

  /**
   * Returns the events between the last handled one and the timeline, oldest first, and whether there were
   * more than are requested. `last`: undefined for a room that is new to the account.
   */
  const requestMissed = async (
    api: MatrixApi,
    room: string,
    { from, last }: { readonly from: string | undefined; readonly last: string | undefined },
  ): Promise<{ readonly events: readonly RoomEvent[]; readonly isGap: boolean }> => {
    const missed: RoomEvent[] = []
    let page = from
    while (!signal.aborted && missed.length < (last === undefined ? perPage : maxMissed)) {
      const query = { dir: 'b', limit: String(perPage), ...(page !== undefined && { from: page }) }
      const parsed = await requestHistory(api, room, query)
      if (parsed === null) return { events: missed.reverse(), isGap: true }
      for (const raw of parsed.chunk) {
        const event = parseEvent(room, raw)
        if (event?.id === last && last !== undefined) return { events: missed.reverse(), isGap: false }
        if (event) missed.push(event)
      }
      // A server that repeats a page would be asked forever.
      if (parsed.end === undefined || parsed.end === page || parsed.chunk.length === 0)
        return { events: missed.reverse(), isGap: false }
      page = parsed.end
    }
    return { events: missed.reverse(), isGap: last !== undefined }
  }

  /** Returns the events after the own invitation, or after the own joining of a public room. */
  const sinceJoin = (events: readonly RoomEvent[]): readonly RoomEvent[] => {
    const isOwn = (membership: string) => (event: RoomEvent) =>
      event.type === 'm.room.member' && event.stateKey === userId && event.content.membership === membership
    const invited = events.findLastIndex(isOwn('invite'))
    const start = invited >= 0 ? invited : events.findLastIndex(isOwn('join'))
    return start < 0 ? events : events.slice(start + 1)
  }

  const takeRoom = async (
    room: string,
    { timeline, state }: JoinedRoom,
    state0: { readonly isFirst: boolean; readonly known: Readonly<Record<string, string>> },
    { api, crypto }: { readonly api: MatrixApi; readonly crypto: RoomCrypto | null },
  ): Promise<{ readonly last: string | undefined; readonly pending: readonly Pending[] }> => {
    const parse = (raw: unknown) => parseEvent(room, raw) ?? []
    for (const event of state.flatMap(parse)) rooms.apply(room, event)
    const events = timeline.events.flatMap(parse)
    const lastBefore = file.value.last[room] ?? state0.known[room]
    const last = events.at(-1)?.id ?? lastBefore
    // The history from before the channel was added is not read.
    if (state0.isFirst && lastBefore === undefined) return { last, pending: [] }
    const isNew = lastBefore === undefined
    const hasGap = timeline.limited && !(isNew && events.length > 0 && sinceJoin(events) !== events)
    const missed = hasGap
      ? await requestMissed(api, room, { from: timeline.prev_batch, last: lastBefore })
      : { events: [], isGap: false }
    if (missed.isGap) await insist(() => handler.onGap(room))
    const all = [...missed.events, ...events]
    // An event can be in the history and in the timeline if it arrived between the requests.
    const handledUpTo = isNew ? -1 : all.findLastIndex(({ id }) => id === lastBefore)
    const pending: Pending[] = []
    for (const event of isNew ? sinceJoin(all) : all.slice(handledUpTo + 1)) {
      if (signal.aborted) break
      if (event.stateKey !== undefined) rooms.apply(room, event)
      const left = await takeEvent(room, event, crypto, { at: clock.now(), isReported: false })
      if (left) pending.push(left)
    }
    return { last, pending }
  }

  /** Handles an answer, and then stores its position. */
  const take = async (answer: SyncAnswer, api: MatrixApi, crypto: RoomCrypto | null): Promise<void> => {
    watchKeys(crypto)
    await crypto?.receiveSync({
      toDevice: answer.to_device,
      deviceLists: {
        ...(answer.device_lists.changed && { changed: answer.device_lists.changed }),
        ...(answer.device_lists.left && { left: answer.device_lists.left }),
      },
      oneTimeKeyCounts: answer.device_one_time_keys_count,
      unusedFallbackKeys: answer.device_unused_fallback_key_types,
    })
    const isFirst = file.value.since === null
    const known = isFirst ? await handler.getKnownRooms() : {}
    const pending = [...(await retryPending(file.value.pending, crypto))]
    const last = { ...file.value.last }
    for (const room of Object.keys(answer.rooms.leave)) {
      if (!isRoomId(room)) continue
      rooms.forget(room)
      delete last[room]
      for (const item of [...pending]) if (item.room === room) pending.splice(pending.indexOf(item), 1)
      await insist(() => handler.onLeave(room))
    }
    for (const [room, joined] of Object.entries(answer.rooms.join)) {
      if (!isRoomId(room) || signal.aborted) continue
      const result = await takeRoom(room, joined, { isFirst, known }, { api, crypto })
      if (result.last !== undefined) last[room] = result.last
      pending.push(...result.pending)
    }
    for (const [room, invited] of Object.entries(answer.rooms.invite)) {
      const invite = parseInvite(room, invited, userId)
      if (invite) await insist(() => handler.onInvite(invite))
    }
    await insist(() => handler.onSynced())
    if (signal.aborted) return
    await insist(() => file.save({ since: answer.next_batch, last, pending: pending.slice(-maxPending) }))
  }
  return { take }
}
