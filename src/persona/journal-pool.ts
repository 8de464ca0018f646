/**
 * The journals of all personas, each opened when it is used and closed when it is left alone; one that could
 * not be read is looked at again.
 */
import { setMaxListeners } from 'node:events'
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { type Damaged, Denied, Newer } from '../../journal/log/errors.ts'
import type { Draft } from '../../journal/log/journal.ts'
import { inTime } from '../../journal/log/timeout.ts'
import { createKeyedPool } from '../flow/keyed-pool.ts'
import type { Clock } from '../time/clock.ts'
import { gateOf, type Opened } from './opened.ts'
import { createOpening, type OpeningDeps } from './opening.ts'
import type { Executed } from './personas.ts'
import { Refused } from './refusals.ts'
import { inTimeOr, JournalMissing, JournalUnavailable } from './unavailable.ts'

export interface JournalPool {
  /**
   * Opens it if it is not open; it stays so while `look` runs. What an opening throws, and JournalUnavailable
   * where it takes too long.
   */
  use<T>(id: PersonaId, look: (opened: Opened) => Promise<T>): Promise<T>
  /** Makes its journal and tells of it; where that fails, what it left goes. JournalUnavailable. */
  make(id: PersonaId, first: Draft): Promise<Executed>
  /**
   * Opens it for what opening does: what keeps it closed is told, and where that may pass it is looked at
   * again. Never rejects.
   */
  lookAt(id: PersonaId): Promise<void>
  /** Why it could not be opened, where nothing else is known of it. */
  unread(id: PersonaId): Error | null
  /** Closes it when no one uses it, and runs `act` before anyone may open it again. */
  close(id: PersonaId, act?: () => Promise<void>): Promise<void>
  /**
   * Closes it, and runs `act` before anyone may open it again. First it takes the room that opening it again
   * needs; after a failure it is opened again as it was. JournalUnavailable if there is no room: then nothing
   * was closed.
   */
  whileClosed<T>(id: PersonaId, act: () => Promise<T>): Promise<T>
  /** Nothing is opened, or looked at again, any more. */
  closeAll(): Promise<void>
  /** Nothing is looked at again. */
  leave(): void
}

interface Deps extends Omit<OpeningDeps, 'damaged' | 'doubtful'> {
  readonly clock: Clock
  /** Journals that may be open at once. */
  readonly most: number
}

/** A journal nobody uses any more stays open this long, in milliseconds. */
const lingers = 60_000
/** Milliseconds before a journal that could not be read is looked at again. */
const lookAgainAfter = 5000

export const createJournalPool = (deps: Deps): JournalPool => {
  const { journals, roster, keyring, stopwatch, log, clock, most } = deps
  /** Of journals that are being made. */
  const firsts = new Map<PersonaId, Draft>()
  const leaving = new AbortController()
  // One listener for each journal that is looked at again; Node warns of a leak from the eleventh on.
  setMaxListeners(0, leaving.signal)

  const damaged = (id: PersonaId, error: Damaged) => {
    const self = roster.get(id)?.self
    if (self) roster.trouble(self, error.message)
    pool.close(id).catch((err: unknown) => log.error({ id, err }, 'a damaged journal could not be closed'))
  }

  /** Of journals that are there, and of which nobody knows whose they are. */
  const unread = new Map<PersonaId, Error>()

  const cannotOpen = (id: PersonaId, error: unknown) => {
    unread.delete(id)
    if (error instanceof Refused || error instanceof JournalMissing) return
    const listed = roster.get(id)
    if (!listed && error instanceof Error) unread.set(id, error)
    // Whatever else keeps a journal closed may pass: waking its tries again.
    if (listed && error instanceof Newer)
      roster.trouble(listed.self, 'Its journal holds facts of a newer version.')
    else if (listed && error instanceof JournalUnavailable && error.cause instanceof Denied)
      roster.trouble(listed.self, `${capital(error.message)}.`)
    log.error({ id, err: error }, 'a journal cannot be opened')
    if (!listed && error instanceof JournalUnavailable) void lookAgain(id)
  }

  /** Whom it is about to look at again: however often something failed, that is done once. */
  const awaited = new Set<PersonaId>()
  /** Nobody may ask for it for a long time: what is on disk all the same is told without. */
  const lookAgain = async (id: PersonaId) => {
    if (awaited.has(id)) return
    awaited.add(id)
    await stopwatch.wait(lookAgainAfter, leaving.signal)
    awaited.delete(id)
    if (leaving.signal.aborted) return
    await pool
      .use(id, async (opened) => gateOf(opened).write(async () => {}))
      .catch((error: unknown) => cannotOpen(id, error))
  }

  const opening = createOpening({ ...deps, damaged, doubtful: (id) => void lookAgain(id) })
  const pool = createKeyedPool<Opened>({
    open: (id) => opening.open(id, firsts.get(id)),
    close: opening.shut,
    inTime: (opened) => inTimeOr('the journal is still being opened', stopwatch, opened),
    onError: (err) => log.error({ err }, 'a journal could not be closed'),
    clock,
    interval: lingers,
    most,
  })

  /** What cannot be removed now is a folder that nobody knows. */
  const discard = async (id: PersonaId) => {
    await pool.whileClosed(id, async () => {
      await journals.remove(id).catch((err: unknown) => cannotDiscard(id, err))
      await keyring.discard(id)
    })
  }
  const cannotDiscard = (id: PersonaId, err: unknown) =>
    log.warn({ id, err }, 'a journal that was not finished could not be removed')

  const lookAt = (id: PersonaId) =>
    pool.use(id, async () => {}).catch((error: unknown) => cannotOpen(id, error))

  const reserve = (id: PersonaId) =>
    journals.reserve(id, roster.get(id)?.trouble ? 'reader' : 'writer').catch((cause: unknown) => {
      throw cause instanceof Error ? new JournalUnavailable(cause.message, { cause }) : cause
    })

  return {
    use: pool.use,
    make: async (id, first) => {
      firsts.set(id, first)
      try {
        return await pool.use(id, (opened) => gateOf(opened).readOn())
      } catch (error) {
        // Where the disk still makes it, it goes when it is made.
        if (!roster.get(id))
          await inTime(stopwatch, discard(id)).catch((err: unknown) => cannotDiscard(id, err))
        throw error
      } finally {
        firsts.delete(id)
      }
    },
    lookAt,
    unread: (id) => (roster.get(id) ? null : (unread.get(id) ?? null)),
    close: (id, act) => (act ? pool.whileClosed(id, act) : pool.close(id)),
    whileClosed: async (id, act) => {
      const giveBack = await reserve(id)
      try {
        return await pool.whileClosed(id, async () => {
          try {
            return await act()
          } finally {
            await giveBack()
          }
        })
      } catch (error) {
        await giveBack()
        await lookAt(id)
        throw error
      }
    },
    closeAll: pool.closeAll,
    leave: () => leaving.abort(),
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
