/** What is known of a persona's journal from outside: its figures, and whether its whole chain is intact. */

import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { bytesIn, journalFolder } from '../../journal/files/places.ts'
import type { Catalog } from '../../journal/leveldb/catalog.ts'
import { nowhere } from '../../journal/log/journal.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Clock } from '../time/clock.ts'
import type { JournalPool } from './journal-pool.ts'
import type { Keyring } from './keyring.ts'
import type { Personas } from './personas.ts'
import { mustBeListed, orGone, type Roster } from './roster.ts'
import { inTimeOr } from './unavailable.ts'

interface Deps {
  readonly home: string
  readonly catalog: Catalog
  readonly roster: Roster
  readonly keyring: Keyring
  readonly pool: JournalPool
  readonly clock: Clock
  readonly stopwatch: Stopwatch
  /** Refused: persona_unknown. */
  readonly known: (id: PersonaId) => Promise<void>
}

type Inspection = Pick<Personas, 'vitals' | 'verify'>

export const createInspection = ({
  home,
  catalog,
  roster,
  keyring,
  pool,
  clock,
  stopwatch,
  known,
}: Deps): Inspection => ({
  vitals: async (id) => {
    await known(id)
    const { self } = mustBeListed(roster, id)
    const { head = nowhere, verified = null } = catalog.get(id) ?? {}
    const counted = inTimeOr('the disk does not answer', stopwatch, bytesIn(journalFolder(home, id)))
    const [bytes, keyless] = await Promise.all([counted, keyring.keyless(self)])
    return { head, bytes, verified, keyless }
  },
  verify: async (id, each) => {
    await known(id)
    const verifying = pool.use(id, ({ journal }) => journal.verify(each))
    const verdict = await orGone(roster, id, verifying)
    const listed = roster.get(id)
    if (verdict.intact) roster.noteVerified(id, clock.now())
    if (verdict.reason === null || listed?.trouble !== null) return verdict
    roster.trouble(listed.self, verdict.reason)
    await pool.close(id)
    return verdict
  },
})
