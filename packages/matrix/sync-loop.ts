/**
 * Receives the events of an account. The position of the last sync (`since`) is stored only after all events
 * of its answer were handled, so after a crash they arrive again.
 */
import { join } from 'node:path'
import { answerTooLarge, type MatrixApi, MatrixError, misunderstood, toStorageError } from './api.ts'
import type { RoomCrypto } from './crypto/room-crypto.ts'
import { openJsonFile } from './json-file.ts'
import { SyncAnswer } from './sync-answer.ts'
import { createSyncHandling, type HandlingDeps, type SyncStart, SyncState } from './sync-handling.ts'

export interface SyncDeps extends HandlingDeps {
  readonly connect: () => Promise<{ readonly api: MatrixApi; readonly crypto: RoomCrypto | null }>
  readonly folder: string
  /** Returns false while a trouble is reported. Then an answer is awaited at once. */
  readonly isHealthy: () => boolean
  /** The server has answered. */
  readonly onSuccess: () => void
  /** The events of an answer are stored. */
  readonly onStored: () => void
}

const pollMs = 30_000
const minute = 60_000
const timelineLimit = 50
/** Rejections of the position until the sync begins again. A single one may come from a proxy. */
const maxRejections = 2

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

/**
 * Resolves when `signal` aborts or the token is rejected. Rejects only if the stored position cannot be read
 * now.
 */
export const runSync = async (deps: SyncDeps): Promise<void> => {
  const { signal, clock, log } = deps
  const file = await openJsonFile(
    join(deps.folder, 'sync.json'),
    SyncState,
    { since: null, last: {}, recent: {}, pending: [] },
    log,
  )
  const handling = createSyncHandling(deps, file)
  let limit = timelineLimit
  /** How often in a row the server rejected the position. */
  let rejections = 0
  while (!signal.aborted) {
    const isReset = rejections >= maxRejections
    const token = isReset ? null : file.value.since
    try {
      const { api } = await deps.connect()
      const timeout = deps.isHealthy() && token !== null ? pollMs : 0
      const askedAt = clock.now()
      const answer = await requestSync(api, {
        since: token,
        timeout,
        limit: token === null ? 1 : limit,
        signal,
      })
      deps.onSuccess()
      limit = timelineLimit
      // The encryption may have been opened again meanwhile.
      const connection = await deps.connect()
      const start: SyncStart = token !== null ? 'next' : isReset ? 'reset' : 'first'
      await handling.take(answer, connection, start)
      deps.onStored()
      rejections = 0
      // A server that answers long polls immediately would be polled in a tight loop.
      const isEmpty = answer.next_batch === token || !hasNews(answer)
      if (isEmpty && timeout > 0 && clock.now() - askedAt < 1000) await clock.wait(1000, signal)
    } catch (error) {
      if (signal.aborted) return
      const failure = error instanceof MatrixError ? error : (toStorageError(error) ?? misunderstood())
      if (failure !== error) log.warn({ err: error }, 'failed to handle an answer of a Matrix homeserver')
      if (token !== null && isPositionRejected(failure)) {
        rejections++
        log.warn(
          { err: failure, count: rejections },
          'a Matrix homeserver rejects the position of the last sync',
        )
      } else if (failure.kind === 'lasting') rejections = 0 // without a position, too
      // An answer that is too large is requested again in smaller parts.
      if (failure.code === answerTooLarge) limit = 1
      const pause = deps.onFailure(failure)
      if (pause === null) return
      await clock.wait(pause, signal)
    }
  }
}

/** A server that was set up again, or restored from a backup, does not know its earlier positions. */
const isPositionRejected = ({ kind, code, status }: MatrixError): boolean =>
  code === 'M_UNKNOWN_POS' ||
  (kind !== 'token' && status === 400) ||
  (code === 'M_UNKNOWN' && status !== null && status < 500)

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
  const answer = SyncAnswer.safeParse(
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
  if (!answer.success) throw misunderstood()
  return answer.data
}
