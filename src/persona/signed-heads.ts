/** Signs the heads of journals. Its code and its key are loaded at the first use. */

import type { PersonaId } from '../../facts/fact-values.ts'
import { headPlaces } from '../../home/places.ts'
import type { HeadLogs, HeadLogView, SignedNow } from '../../journal/heads/head-log.ts'
import type { StoredHeadLog } from '../../journal/heads/stored-head-log.ts'
import type { SignedHead } from '../../journal/heads/witness.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import { createLoader } from '../../packages/kit/flow/loader.ts'
import type { Log } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { PersonaStore } from './persona-store.ts'
import { JournalUnavailable, Refused } from './refusals.ts'

/** All methods throw Refused (persona_unknown, heads_damaged), Damaged or JournalUnavailable. */
export interface SignedHeads {
  /** Signs the current head. Does nothing if it is signed. Refuses a damaged journal. */
  sign(id: PersonaId): Promise<SignedNow>
  /** `since`: an older size of the log, for a consistency proof. Null if none was signed. */
  view(id: PersonaId, range: { readonly last: number; readonly since?: number }): Promise<HeadLogView | null>
  /** Returns the number of signed heads, and the last one; null if none was signed. */
  summary(id: PersonaId): Promise<{ readonly size: number; readonly last: SignedHead } | null>
  /** Returns the log for a diary; null if none was signed. */
  store(id: PersonaId): Promise<StoredHeadLog | null>
  /** Takes over the log of a diary. A log that does not verify is left out. Never rejects. */
  adopt(id: PersonaId, storedLog: StoredHeadLog): Promise<void>
}

interface Deps {
  readonly home: string
  readonly personas: Pick<PersonaStore, 'getRow' | 'read'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

export const createSignedHeads = ({ home, personas, clock, log }: Deps): SignedHeads => {
  const loadLogs = createLoader(async () => {
    const { createHeadLogs } = await import('../../journal/heads/head-log.ts')
    return createHeadLogs(headPlaces(home), clock.now)
  })
  const withLogs = async <T>(work: (logs: HeadLogs) => Promise<T>): Promise<T> => {
    const logs = await loadLogs()
    try {
      return await work(logs)
    } catch (error) {
      if (error instanceof Unavailable) throw new JournalUnavailable(error.message)
      if (error instanceof Error && error.name === 'HeadLogDamaged')
        throw new Refused({ code: 'heads_damaged', reason: error.message })
      throw error
    }
  }
  return {
    sign: (id) =>
      // The journal stays open, so that the persona cannot be deleted or replaced meanwhile.
      personas.read(id, async ({ journal }) => {
        const { head } = journal
        const trouble = personas.getRow(id)?.trouble ?? null
        if (trouble !== null) throw new Damaged(head.seq + 1, trouble.replace(/^record \d+: /, ''))
        const signedHead = await withLogs((logs) => logs.sign(id, head))
        if (signedHead.hasNewKey) log.warn({ id }, 'heads are signed with a new key from now on')
        return signedHead
      }),
    view: (id, range) => withLogs((logs) => logs.view(id, range)),
    summary: (id) => withLogs((logs) => logs.summary(id)),
    store: (id) => withLogs((logs) => logs.store(id)),
    adopt: async (id, storedLog) => {
      try {
        const keptName = await withLogs((logs) => logs.adopt(id, storedLog))
        if (keptName !== null)
          log.warn(
            { id, reason: keptName },
            'the diary has another log of signed heads; reason is the folder of the previous one',
          )
      } catch (err) {
        log.warn({ id, err }, 'left out the log of signed heads of a diary')
      }
    },
  }
}
