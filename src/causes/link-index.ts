/**
 * The index of references between facts, for the way from a cause to its effects. It holds positions and ids,
 * no words. It is derived from the journal, caught up only when it is used, and rebuilt if anything is wrong.
 */
import { rm } from 'node:fs/promises'
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Journal } from '../../facts/persona-journal.ts'
import { linksFolder } from '../../home/places.ts'
import { createKeyedPool } from '../../packages/kit/flow/keyed-pool.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { type Bus, listen } from '../bus.ts'
import { JournalUnavailable, Refused } from '../persona/refusals.ts'
import { Unusable } from '../search/index-store.ts'
import type { LinkIndex, OpenedIndex } from './open-link-index.ts'

export interface LinkIndexes {
  /**
   * Calls `work` with an index that covers the journal. Call within `personas.read`. Throws
   * JournalUnavailable if it cannot be written, or the signal's reason.
   */
  use<T>(
    id: PersonaId,
    journal: Journal,
    signal: AbortSignal,
    work: (index: LinkIndex) => Promise<T>,
  ): Promise<T>
  /** Returns how far the index goes. Null if it is not open. */
  peek(id: PersonaId): Seq | 0 | null
  /** Deletes the index. It is built again when it is used. */
  drop(id: PersonaId): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly bus: Pick<Bus, 'commits' | 'signs'>
  readonly clock: Clock
  readonly log: Log
  /** Max open indexes. */
  readonly maxOpen: number
}

/** How long an unused index stays open. */
const idleTimeoutMs = 60_000

export const createLinkIndexes = ({ home, bus, clock, log, maxOpen }: Deps): LinkIndexes => {
  const leavingIds = new Set<PersonaId>()
  const pool = createKeyedPool<OpenedIndex>({
    open: async (id) => (await import('./open-link-index.ts')).openLinkIndex(linksFolder(home, id)),
    close: (index) => index.close(),
    inTime: (opening) => opening,
    onError: (err) => log.warn({ err }, 'failed to close an index of links'),
    clock,
    interval: idleTimeoutMs,
    maxItems: maxOpen,
  })
  const drop = (id: PersonaId) =>
    pool.whileClosed(id, () => rm(linksFolder(home, id), { recursive: true, force: true }))
  const release = (id: PersonaId) => {
    leavingIds.add(id)
    pool
      .close(id)
      .catch((err: unknown) => log.warn({ id, err }, 'failed to close an index of links'))
      .finally(() => leavingIds.delete(id))
  }
  const stops = [
    listen(bus.commits, log, ({ id, entries }) => {
      if (entries.at(-1)?.type === 'PersonaDeleted') release(id)
    }),
    listen(bus.signs, log, (sign) => {
      if (sign.type === 'gone' || sign.type === 'left') release(sign.id)
    }),
  ]
  return {
    use: async (id, journal, signal, work) => {
      for (let tries = 0; tries < 2; tries++) {
        try {
          return await pool.use(id, async (index) => {
            await index.catchUp(journal, createYielding(signal))
            if (leavingIds.has(id)) throw new Refused({ code: 'persona_unknown' })
            return work(index)
          })
        } catch (err) {
          if (!(err instanceof Unusable)) throw err
          log.info({ id, err }, 'rebuilding an index of links')
          await drop(id).catch(() => undefined)
        }
      }
      throw new JournalUnavailable('The index of links cannot be written. Check the disk space.')
    },
    peek: (id) => pool.peek(id)?.position() ?? null,
    drop,
    close: async () => {
      for (const stop of stops) stop()
      await pool.closeAll()
    },
  }
}
