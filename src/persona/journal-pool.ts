/** Opens the journals of personas on use, closes them when idle, and retries those that could not be read. */
import { setMaxListeners } from 'node:events'
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Draft } from '../../facts/persona-journal.ts'
import { type Damaged, Denied, Newer } from '../../journal/log/errors.ts'
import { inTime } from '../../journal/log/timeout.ts'
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import { createKeyedPool } from '../../packages/kit/flow/keyed-pool.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { type JournalHandle, requireGate } from './journal-handle.ts'
import { createJournalOpener, type OpeningDeps } from './open-journal.ts'
import type { ExecuteResult } from './persona-store.ts'
import { inTimeOr, JournalMissing, JournalReplaced, JournalUnavailable, Refused } from './refusals.ts'

export interface JournalPool {
  /**
   * Opens the journal if needed and keeps it open while `look` runs. Throws JournalUnavailable on timeout.
   */
  use<T>(id: PersonaId, work: (handle: JournalHandle) => Promise<T>): Promise<T>
  /**
   * Does the same for long work. Its signal aborts with `signal`, or when someone waits to close the journal;
   * then this throws the signal's reason or JournalReplaced.
   */
  useUntilClosed<T>(
    id: PersonaId,
    signal: AbortSignal,
    work: (handle: JournalHandle, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Returns the journal if it is open. */
  peek(id: PersonaId): JournalHandle | undefined
  /** Creates a journal and publishes its first facts. Cleans up on failure. Throws JournalUnavailable. */
  make(id: PersonaId, first: Draft): Promise<ExecuteResult>
  /** Opens the journal once to find problems. Logs them and retries if they may pass. Never rejects. */
  tryOpen(id: PersonaId): Promise<void>
  /** Returns the error of a journal that could not be read, if nothing else is known of the persona. */
  unread(id: PersonaId): Error | null
  /** Waits until no one uses the journal, closes it, and runs `act` before it can be opened again. */
  close(id: PersonaId, act?: () => Promise<void>): Promise<void>
  /**
   * Closes the journal and runs `act` before it can be opened again. Reserves the resources for reopening
   * first; throws JournalUnavailable if that fails, and closes nothing. Reopens it after a failure of `act`.
   */
  whileClosed<T>(id: PersonaId, act: () => Promise<T>): Promise<T>
  /** After this nothing is opened or retried. */
  closeAll(): Promise<void>
  /** Stops all retries. */
  leave(): void
}

interface Deps extends Omit<OpeningDeps, 'onDamage' | 'doubtful'> {
  readonly clock: Clock
  /** Max journals open at once. */
  readonly maxOpenJournals: number
}

/** How long an unused journal stays open. */
const idleTimeoutMs = 60_000
const retryDelayMs = 5000

export const createJournalPool = (deps: Deps): JournalPool => {
  const { journals, roster, keyring, stopwatch, log, clock, maxOpenJournals } = deps
  /** First drafts of journals that are being created. */
  const firstDrafts = new Map<PersonaId, Draft>()
  const closeController = new AbortController()
  // One listener per pending retry. Node warns of a leak from the 11th on.
  setMaxListeners(0, closeController.signal)

  const onDamage = (id: PersonaId, error: Damaged) => {
    const self = roster.get(id)?.self
    if (self) roster.trouble(self, error.message)
    pool.close(id).catch((err: unknown) => log.error({ id, err }, 'failed to close a damaged journal'))
  }

  /** Errors of journals on disk without a known persona. */
  const errorsById = new Map<PersonaId, Error>()

  const reportOpenError = (id: PersonaId, error: unknown) => {
    errorsById.delete(id)
    if (error instanceof Refused || error instanceof JournalMissing) return
    const row = roster.get(id)
    if (!row && error instanceof Error) errorsById.set(id, error)
    // Other errors may pass: waking the persona tries again.
    if (row && error instanceof Newer) roster.trouble(row.self, 'Its journal holds facts of a newer version.')
    else if (row && error instanceof JournalUnavailable && error.cause instanceof Denied)
      roster.trouble(row.self, `${capitalize(error.message)}.`)
    log.error({ id, err: error }, 'a journal cannot be opened')
    if (!row && error instanceof JournalUnavailable) void retryLater(id)
  }

  const retryingIds = new Set<PersonaId>()
  /** Retries without a caller: commits that are on disk after all must be published. */
  const retryLater = async (id: PersonaId) => {
    if (retryingIds.has(id)) return
    retryingIds.add(id)
    await stopwatch.wait(retryDelayMs, closeController.signal)
    retryingIds.delete(id)
    if (closeController.signal.aborted) return
    await pool
      .use(id, async (handle) => requireGate(handle).write(async () => {}))
      .catch((error: unknown) => reportOpenError(id, error))
  }

  const opening = createJournalOpener({ ...deps, onDamage, doubtful: (id) => void retryLater(id) })
  const pool = createKeyedPool<JournalHandle>({
    open: (id) => opening.open(id, firstDrafts.get(id)),
    close: opening.shut,
    inTime: (handle) => inTimeOr('the journal is still being opened', stopwatch, handle),
    onError: (err) => log.error({ err }, 'failed to close a journal'),
    clock,
    interval: idleTimeoutMs,
    maxItems: maxOpenJournals,
  })

  /** A folder that cannot be removed now stays without a persona; the next start removes it. */
  const discard = async (id: PersonaId) => {
    await pool.whileClosed(id, async () => {
      await journals.remove(id).catch((err: unknown) => warnNotDiscarded(id, err))
      await keyring.discard(id)
    })
  }
  const warnNotDiscarded = (id: PersonaId, err: unknown) =>
    log.warn({ id, err }, 'failed to remove an unfinished journal')

  const tryOpen = (id: PersonaId) =>
    pool.use(id, async () => {}).catch((error: unknown) => reportOpenError(id, error))

  const reserve = (id: PersonaId) =>
    journals.reserve(id, roster.get(id)?.trouble ? 'reader' : 'writer').catch((cause: unknown) => {
      throw cause instanceof Error ? new JournalUnavailable(cause.message, { cause }) : cause
    })

  return {
    use: pool.use,
    useUntilClosed: (id, signal, work) =>
      pool.use(id, async (handle, closing) => {
        try {
          return await eitherAborts([signal, closing], (either) => work(handle, either))
        } catch (error) {
          if (!closing.aborted || error !== closing.reason) throw error
          throw new JournalReplaced('the journal is being closed, deleted or replaced')
        }
      }),
    peek: pool.peek,
    make: async (id, first) => {
      firstDrafts.set(id, first)
      try {
        return await pool.use(id, (handle) => requireGate(handle).readOn())
      } catch (error) {
        // If the slow disk still creates it, it is removed after that.
        if (!roster.get(id))
          await inTime(stopwatch, discard(id)).catch((err: unknown) => warnNotDiscarded(id, err))
        throw error
      } finally {
        firstDrafts.delete(id)
      }
    },
    tryOpen,
    unread: (id) => (roster.get(id) ? null : (errorsById.get(id) ?? null)),
    close: (id, act) => (act ? pool.whileClosed(id, act) : pool.close(id)),
    whileClosed: async (id, act) => {
      const release = await reserve(id)
      try {
        return await pool.whileClosed(id, async () => {
          try {
            return await act()
          } finally {
            await release()
          }
        })
      } catch (error) {
        await release()
        await tryOpen(id)
        throw error
      }
    },
    closeAll: pool.closeAll,
    leave: () => closeController.abort(),
  }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
